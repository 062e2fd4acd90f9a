"""Two models on the same problems: the mean difference, its spread, and what both share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.intervals import kg_interval
from anyofk.stats.means import (
    TWO,
    between_variance,
    cluster_variance,
    clusters,
    mean_over_problems,
    variance_of_mean,
)
from anyofk.stats.passk import pass_at_k

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Counted = tuple[ArrayLike, ArrayLike]


class Difference(NamedTuple):
    """A mean difference b - a with its interval and two-sided p-value."""

    value: float
    low: float
    high: float
    p_value: float
    se: float


def paired_differences(a: Counted, b: Counted, k: ArrayLike, *, exact: bool = False) -> Any:
    """Give pass@k of model b less that of model a, problem by problem.

    Parameters
    ----------
    a, b : pair of array_like
        ``(n, c)`` of each model over the same problems in the same order; n may differ.
    k : int or list of int
        Attempts allowed.
    exact : bool
        Give fractions.

    Returns
    -------
    ndarray, shape (M,) or (M, K)
        Numbers in [-1, 1].

    Examples
    --------
    >>> paired_differences(([4, 4], [1, 4]), ([8, 8], [4, 8]), 1).tolist()
    [0.25, 0.0]
    """
    one, other = (np.atleast_1d(pass_at_k(*counted, k, exact=exact)) for counted in (a, b))
    if one.shape != other.shape:
        raise UsageError(f"a has shape {one.shape} and b has shape {other.shape}")
    return other - one


def paired_variance(a: Counted, b: Counted, k: int, *, exact: bool = False) -> Any:
    """Estimate the variance of the mean difference: ``s**2 / M`` over the differences.

    Arguments are those of `paired_differences`, with one k.

    Examples
    --------
    >>> paired_variance(([4, 4], [1, 4]), ([8, 8], [4, 8]), 1, exact=True)
    Fraction(1, 64)
    """
    return variance_of_mean(paired_differences(a, b, k, exact=exact)).item()


def paired_covariance(a: Counted, b: Counted, k: int, *, exact: bool = False) -> Any:
    """Estimate the covariance over problems of the two models' true pass@k.

    The plain sample covariance of the estimates: unbiased as long as the two models were
    sampled independently (not with common random numbers). Arguments are those of
    `paired_differences`, with one k.

    Examples
    --------
    >>> paired_covariance(([4, 4], [0, 4]), ([8, 8], [4, 8]), 1, exact=True)
    Fraction(1, 4)
    """
    one, other = (np.atleast_1d(pass_at_k(*counted, k, exact=exact)) for counted in (a, b))
    if one.size < TWO or one.shape != other.shape:
        raise UsageError("a covariance needs the same problems of both, at least two")
    away = (one - mean_over_problems(one)) * (other - mean_over_problems(other))
    total = np.sum(away)
    return total / (one.size - 1) if exact else float(total / (one.size - 1))


def noise_corrected_correlation(a: Counted, b: Counted, k: int) -> float:
    """Estimate the correlation over problems of the two models' true pass@k.

    The sampling noise of each model pulls the plain correlation towards 0; here it is taken
    out of both variances. Needs n >= 2k. It is nan where a variance is all noise, and may
    exceed 1 by chance.

    Examples
    --------
    >>> a, b = ([8] * 4, [0, 2, 6, 8]), ([8] * 4, [0, 3, 6, 8])
    >>> round(noise_corrected_correlation(a, b, 1), 3)
    1.067
    """
    spread = between_variance(*a, k), between_variance(*b, k)
    if min(spread) <= 0:
        return float("nan")
    return float(paired_covariance(a, b, k) / np.sqrt(spread[0] * spread[1]))


def paired_t(
    differences: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> Difference:
    """Test and bound a mean difference by Student's t over problems (or clusters).

    If all differences are equal, their spread is no evidence of certainty: a class of
    problems of share up to ``1 - alpha**(1 / M)`` may have stayed unseen, and the interval
    allows for it instead of having no width. It covers too little where few problems
    differ (.5 to .9 when fewer than ten do); see `paired_conservative`.

    Parameters
    ----------
    differences : array_like, shape (M,)
        Per-problem differences in [-1, 1], at least two.
    level : float
        Confidence level.
    cluster : array_like, shape (M,), optional
        Clusters of problems.

    Returns
    -------
    Difference
        ``value``, ``low``, ``high``, ``p_value``, ``se``.

    Examples
    --------
    >>> value, low, high, p, _ = paired_t([0.0] * 100)
    >>> value, round(high, 4), p
    (0.0, 0.0295, 1.0)
    """
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415 -- scipy is slow to load

    each = _differences(differences)
    value = float(mean_over_problems(each))
    if np.ptp(each) == 0:
        return _no_spread(value, each.size, level)
    se, units = _standard_error(each, cluster)
    half = float(stdtrit(units - 1, (1 + level) / 2)) * se
    p_value = 2 * float(stdtr(units - 1, -abs(value) / se)) if se else float(value == 0)
    return Difference(value, value - half, value + half, p_value, se)


def _standard_error(each: NDArray[np.float64], cluster: ArrayLike | None) -> tuple[float, int]:
    """Give the standard error of the mean and the number of independent units."""
    if cluster is None:
        return float(np.sqrt(variance_of_mean(each))), each.size
    units = clusters(cluster, each.size)[0]
    return float(np.sqrt(cluster_variance(each, cluster))), units


def _no_spread(value: float, problems: int, level: float) -> Difference:
    """Allow for problems too rare to be among those seen, which may differ by up to 1."""
    unseen = 1 - (1 - level) ** (1 / problems)
    low, high = value - unseen * (1 + value), value + unseen * (1 - value)
    p_value = 1.0 if value == 0 else min(1.0, 2 * 0.5**problems)
    return Difference(value, low, high, p_value, 0.0)


def paired_conservative(
    differences: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> Difference:
    """Test and bound a mean difference so that the level holds also if few problems differ.

    Gains and losses are bounded apart, each by the exact binomial interval of
    `kg_interval`, and joined: the lower limit of the gains less the upper limit of the
    losses, and the reverse, by the distances' squares and the correlation of gains and
    losses (method of variance estimates recovery). The p-value is one less the level at
    which the interval reaches 0. Arguments and results are those of `paired_t`.

    Examples
    --------
    >>> d = [0.0] * 95 + [1.0] * 5
    >>> [round(paired_t(d)[i], 3) for i in (1, 2)]
    [0.007, 0.093]
    >>> [round(paired_conservative(d)[i], 3) for i in (1, 2)]
    [0.0, 0.114]
    """
    each = _differences(differences)
    value = float(mean_over_problems(each))
    low, high = (float(end) for end in conservative_ends(each, level=level, cluster=cluster))
    se = _standard_error(each, cluster)[0]
    return Difference(value, low, high, _level_at_zero(each, value, cluster), se)


def conservative_ends(
    differences: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the ends of `paired_conservative` for many sets of differences at once.

    Parameters
    ----------
    differences : array_like, shape (..., M)
        Per-problem differences in [-1, 1].
    level, cluster
        As for `paired_t`.

    Returns
    -------
    low, high : ndarray, shape (...)

    Examples
    --------
    >>> low, high = conservative_ends([[0.0] * 95 + [1.0] * 5, [0.0] * 100])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, -0.036], [0.114, 0.036])
    """
    each = np.asarray(differences, dtype=np.float64)
    gains, losses = np.maximum(each, 0.0), np.maximum(-each, 0.0)
    gain, loss = gains.mean(axis=-1), losses.mean(axis=-1)
    up = kg_interval(gains, level=level, cluster=cluster)
    down = kg_interval(losses, level=level, cluster=cluster)
    spread = gains.std(axis=-1) * losses.std(axis=-1)
    # the product of gain and loss is 0 in every problem, so that this is their correlation
    shared = -gain * loss / np.where(spread > 0, spread, np.inf)
    fall, rise = (
        np.sqrt(one**2 + other**2 - 2 * shared * one * other)
        for one, other in ((gain - up.low, down.high - loss), (up.high - gain, loss - down.low))
    )
    return np.maximum(-1.0, gain - loss - fall), np.minimum(1.0, gain - loss + rise)


def _level_at_zero(each: NDArray[np.float64], value: float, cluster: ArrayLike | None) -> float:
    """Find the p-value by bisection: one less the level at which an end is 0."""
    if value == 0:
        return 1.0
    inside, outside = 1.0, 0.0  # of p, on a scale from certain to never
    for _ in range(40):
        p = float(np.sqrt(max(outside, 1e-24) * inside))
        if p > 1 - 1e-6:  # quantiles at a level of 0 lose their digits
            return 1.0
        low, high = conservative_ends(each, level=1 - p, cluster=cluster)
        if low <= 0 <= high:
            outside = p
        else:
            inside = p
    return inside


def _differences(differences: ArrayLike) -> NDArray[np.float64]:
    each = np.asarray(differences, dtype=np.float64)
    if each.ndim != 1 or each.size < TWO:
        raise UsageError(f"needs the differences of two problems or more, got {each.shape}")
    if not np.all(np.abs(each) <= 1):
        raise UsageError("differences of pass@k must lie in [-1, 1]")
    return each


def paired_non_inferiority(
    differences: ArrayLike, margin: float, *, cluster: ArrayLike | None = None
) -> float:
    """Test whether b is worse than a by less than a margin: the one-sided p-value.

    A small value says that the mean of b - a lies above ``-margin``. Other arguments are
    those of `paired_t`.

    Examples
    --------
    >>> paired_non_inferiority([0.01, -0.01, 0.02, 0.0] * 10, 0.02) < 0.001
    True
    """
    from scipy.special import stdtr  # noqa: PLC0415 -- scipy is slow to load

    each = _differences(differences)
    if not 0 < margin < 1:
        raise UsageError(f"the margin must lie between 0 and 1, got {margin}", margin=margin)
    value = float(each.mean())
    above = value + margin
    if np.ptp(each) == 0:  # a class of this share, all lost and unseen, would be needed
        return float((1 - above / (1 + value)) ** each.size) if above > 0 else 1.0
    se, units = _standard_error(each, cluster)
    return float(stdtr(units - 1, -above / se))
