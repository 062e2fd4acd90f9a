"""Intervals for a mean of values in [0, 1] that hold their level near 0 and 1 too.

The usual ones (z, t, percentile) do not: with 164 problems and a nominal 95 % they cover
as little as 47 %, because s**2 near 0 is no evidence of certainty. Among values in [0, 1]
with a given mean, 0/1 values vary most (Hoeffding 1956), so that the exact binomial
interval of as many trials as there are independent units is safe whatever s**2 says. The
default here moves from it towards what s**2 says as the evidence grows.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.means import cluster_variance, clusters, mean_over_problems, variance_of_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

UNSEEN_SHARE = 0.25
"""How fast the cap on n_eff rises with the evidence; see `_cap`. Found by simulation."""


class MeanInterval(NamedTuple):
    """An interval for a mean, and the number of 0/1 trials that would be as informative.

    Floats for one set of values; arrays if the values had leading axes.
    """

    low: Any
    high: Any
    n_eff: Any


def kg_interval(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give the Korn-Graubard interval with a soft cap on n_eff: the default.

    An exact binomial (Clopper-Pearson) interval with ``n_eff = m (1 - m) / variance``
    trials [1]_, corrected by Student's t, and at most as many as the problems (or clusters)
    can vouch for: M when few problems carry the mean, more as M min(m, 1 - m) grows.

    Parameters
    ----------
    values : array_like, shape (..., M)
        Per-problem estimates in [0, 1], at least two.
    level : float
        Confidence level between 0 and 1.
    cluster : array_like, shape (M,), optional
        Clusters of problems; the variance is then CR1 and the units are the clusters.

    Returns
    -------
    MeanInterval
        ``low``, ``high`` and ``n_eff``.

    References
    ----------
    .. [1] Korn and Graubard (1998), Confidence intervals for proportions with small
       expected number of positive counts estimated from survey data.

    Examples
    --------
    >>> low, high, n_eff = kg_interval([0.0] * 50)
    >>> low, round(high, 4), n_eff
    (0.0, 0.0711, 50.0)
    """
    mean, variance, units = _moments(values, cluster)
    return korn_graubard(mean, variance, units, level=level, df=units - 1)


def kg_capped_interval(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give the Korn-Graubard interval with n_eff never above the number of problems.

    Safe for every population, also for problems too rare to be in the sample, and wider
    than `kg_interval` where many problems have similar values. Arguments and results are
    those of `kg_interval`.

    Examples
    --------
    >>> low, high, n_eff = kg_capped_interval([0.5] * 50)
    >>> round(low, 3), round(high, 3), n_eff
    (0.355, 0.645, 50.0)
    """
    mean, variance, units = _moments(values, cluster)
    return korn_graubard(mean, variance, units, level=level, df=units - 1, hard_cap=True)


def korn_graubard(
    mean: ArrayLike,
    variance: ArrayLike,
    units: ArrayLike,
    *,
    level: float = 0.95,
    df: float | None = None,
    hard_cap: bool = False,
) -> MeanInterval:
    """Give the Korn-Graubard interval from a mean, the variance of that mean and the units.

    Parameters
    ----------
    mean, variance : array_like
        An estimate in [0, 1] and the estimated variance of it.
    units : array_like
        Independent units behind it: problems, clusters, or disjoint sets of k candidates.
    level : float
        Confidence level.
    df : float, optional
        Degrees of freedom of the variance; without it the variance is taken as known.
    hard_cap : bool
        Never let n_eff exceed the units.

    Examples
    --------
    >>> korn_graubard(1.0, 0.0, 10).low == (0.025) ** 0.1
    True
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 -- scipy is slow to load

    m, v = np.asarray(mean, dtype=np.float64), np.asarray(variance, dtype=np.float64)
    tail = (1.0 + _level(level)) / 2.0
    shrink = 1.0 if df is None else (ndtri(tail) / stdtrit(df, tail)) ** 2
    most = np.broadcast_to(np.asarray(units, dtype=np.float64), m.shape)
    cap = most if hard_cap else _cap(m, most, level)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        n_eff = np.where(v > 0, m * (1 - m) / v * shrink, np.inf)
    n_eff = np.where((m > 0) & (m < 1), np.minimum(n_eff, cap), cap)
    return _result(*clopper_pearson(m, n_eff, level=level), n_eff)


def _cap(mean: Floats, units: Floats, level: float) -> Floats:
    """Bound n_eff so that a class of units too rare to be seen can't throw the mean out.

    A class of share w is missing from the sample with chance (1 - w)**M, which exceeds
    alpha while w < log(1/alpha) / M; it may move the mean by up to w (1 - m), or w m on the
    other side. The half width z sqrt(m (1 - m) / n_eff) exceeds that while
    n_eff / M < (z / log(alpha))**2 M min(m, 1 - m) / max(m, 1 - m); a quarter of it, and
    never less than M, held its level in every population that was simulated.
    """
    from scipy.special import ndtri  # noqa: PLC0415 -- scipy is slow to load

    least = np.clip(np.minimum(mean, 1 - mean), 0.0, 0.5)
    pace = UNSEEN_SHARE * (float(ndtri((1 + level) / 2)) / log(1 - level)) ** 2
    return np.asarray(units * np.maximum(1.0, pace * units * least / (1 - least)))


def clopper_pearson(
    mean: ArrayLike, n_eff: ArrayLike, *, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Give the exact binomial interval for a share ``mean`` of ``n_eff`` trials, whole or not.

    Examples
    --------
    >>> low, high = clopper_pearson(0.0, 10)
    >>> float(low), round(float(high), 4)
    (0.0, 0.3085)
    """
    from scipy.special import betaincinv  # noqa: PLC0415 -- scipy is slow to load

    m, size = np.broadcast_arrays(np.asarray(mean, dtype=float), np.asarray(n_eff, dtype=float))
    hits, tail = m * size, (1.0 - _level(level)) / 2.0
    misses = size - hits
    low = np.where(hits > 0, betaincinv(np.where(hits > 0, hits, 1.0), misses + 1, tail), 0.0)
    high = np.where(
        misses > 0, betaincinv(hits + 1, np.where(misses > 0, misses, 1.0), 1 - tail), 1.0
    )
    return low, high


def z_interval(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give mean +- z standard errors. Covers far too little near 0 and 1; by name only.

    Arguments and results are those of `kg_interval`; the ends may leave [0, 1].

    Examples
    --------
    >>> low, high, _ = z_interval([1.0, 0.0, 1.0, 0.0])
    >>> round(low, 3), round(high, 3)
    (-0.066, 1.066)
    """
    return _symmetric(values, cluster, level, student=False)


def t_interval(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give mean +- t standard errors, t on M - 1 (or clusters - 1) degrees of freedom.

    Right for large M and means away from 0 and 1. Arguments and results are those of
    `kg_interval`; the ends may leave [0, 1].

    Examples
    --------
    >>> low, high, _ = t_interval([1.0, 0.0, 1.0, 0.0])
    >>> round(low, 3), round(high, 3)
    (-0.419, 1.419)
    """
    return _symmetric(values, cluster, level, student=True)


def wilson_interval(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give Wilson's score interval, for values that are all 0 or 1 (one draw a problem).

    Arguments and results are those of `kg_interval`; clusters are refused.

    Examples
    --------
    >>> low, high, _ = wilson_interval([1] * 134 + [0] * 30)
    >>> round(low, 6), round(high, 6)
    (0.75088, 0.868753)
    """
    from scipy.special import ndtri  # noqa: PLC0415 -- scipy is slow to load

    each = np.asarray(values, dtype=np.float64)
    if cluster is not None:
        raise UsageError("the Wilson interval knows no clusters", hint="use kg or t")
    if not np.isin(each, (0.0, 1.0)).all():
        raise UsageError("the Wilson interval is for 0/1 values", hint="use kg")
    m, size = mean_over_problems(each), each.shape[-1]
    z2 = float(ndtri((1 + _level(level)) / 2)) ** 2
    middle = (m + z2 / (2 * size)) / (1 + z2 / size)
    half = np.sqrt(z2 * (m * (1 - m) / size + z2 / (4 * size**2))) / (1 + z2 / size)
    low, high = np.where(m > 0, middle - half, 0.0), np.where(m < 1, middle + half, 1.0)
    return _result(low, high, np.full(m.shape, float(size)))


INTERVALS: dict[str, Callable[..., MeanInterval]] = {
    "kg": kg_interval,
    "kg-capped": kg_capped_interval,
    "t": t_interval,
    "wilson": wilson_interval,
    "z": z_interval,
}
"""The intervals for the target ``population``, by name."""


def _symmetric(
    values: ArrayLike, cluster: ArrayLike | None, level: float, *, student: bool
) -> MeanInterval:
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 -- scipy is slow to load

    mean, variance, units = _moments(values, cluster)
    tail = (1 + _level(level)) / 2
    half = (stdtrit(units - 1, tail) if student else ndtri(tail)) * np.sqrt(variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        n_eff = np.where(variance > 0, mean * (1 - mean) / variance, units)
    return _result(mean - half, mean + half, n_eff)


def _moments(values: ArrayLike, cluster: ArrayLike | None) -> tuple[Floats, Floats, int]:
    """Give the mean, its variance and the number of independent units."""
    each = np.asarray(values, dtype=np.float64)
    if each.size and not (each.min() >= 0 and each.max() <= 1):  # nan fails too
        raise UsageError("values must lie in [0, 1]", low=float(each.min()), high=float(each.max()))
    if cluster is None:
        return mean_over_problems(each), variance_of_mean(each), each.shape[-1]
    return (
        mean_over_problems(each),
        cluster_variance(each, cluster),
        clusters(cluster, each.shape[-1])[0],
    )


def _level(level: float) -> float:
    if not 0 < level < 1:
        raise UsageError(f"the level must lie between 0 and 1, got {level}", level=level)
    return float(level)


def _result(low: Floats, high: Floats, n_eff: Floats) -> MeanInterval:
    parts = (np.asarray(part, dtype=np.float64) for part in (low, high, n_eff))
    return MeanInterval(*(part.item() if part.ndim == 0 else part for part in parts))
