"""Whole curves over k: bands that hold everywhere at once, and where two curves cross."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.intervals import MeanInterval, kg_interval
from anyofk.stats.means import mean_over_problems, variance_of_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

DRAWS = 20_000  # of the largest deviation: the critical value is then right to about 1 %
BOTH = 2


class Band(NamedTuple):
    """A band over k for a mean difference; ``critical`` replaces the t quantile."""

    value: Floats
    low: Floats
    high: Floats
    critical: float


class Stretch(NamedTuple):
    """Neighbouring values of k with one verdict: ``b``, ``a`` or ``undecided``."""

    better: str
    first_k: int
    last_k: int


def curve_band(
    values: ArrayLike, *, level: float = 0.95, cluster: ArrayLike | None = None
) -> MeanInterval:
    """Give a band for one run's curve that holds for all k at once, also near 0 and 1.

    Korn-Graubard intervals at the level that Bonferroni's inequality asks for. A
    sup-t band would be narrower and would fail near 0 and 1, where its standard errors do.

    Parameters
    ----------
    values : array_like, shape (K, M)
        Per-problem estimates in [0, 1] for each k.
    level : float
        Confidence level of the whole band.
    cluster : array_like, shape (M,), optional
        Clusters of problems.

    Returns
    -------
    MeanInterval
        ``low``, ``high`` and ``n_eff``, each of shape (K,).

    Examples
    --------
    >>> low, high, _ = curve_band([[0.0, 0.5, 1.0, 0.0], [0.0, 0.7, 1.0, 0.0]])
    >>> low.shape, bool(low[0] <= 0.375 <= high[0])
    ((2,), True)
    """
    each = np.asarray(values, dtype=np.float64)
    if each.ndim != BOTH or each.shape[0] == 0:
        raise UsageError(f"a curve needs values of shape (k, problems), got {each.shape}")
    return kg_interval(each, level=1 - (1 - level) / each.shape[0], cluster=cluster)


def difference_band(differences: ArrayLike, *, level: float = 0.95, seed: int = 0) -> Band:
    """Give a sup-t band for the mean difference of two curves that holds for all k at once.

    The critical value is the quantile of the largest of K correlated deviations, drawn
    from their normal law with the given seed and widened from z to t. Where all
    differences are equal at some k, the width is the one that `paired_t` gives.

    Parameters
    ----------
    differences : array_like, shape (K, M)
        Per-problem differences for each k, the same problems throughout.
    level : float
        Confidence level of the whole band.
    seed : int
        Of the draws; the same seed gives the same band.

    Returns
    -------
    Band
        ``value``, ``low``, ``high`` of shape (K,), and the critical value.

    Examples
    --------
    >>> band = difference_band([[0.1, 0.0, 0.3, 0.2], [0.1, 0.1, 0.2, 0.2]])
    >>> bool(np.all((band.low < band.value) & (band.value < band.high)))
    True
    """
    each = np.asarray(differences, dtype=np.float64)
    if each.ndim != BOTH or each.shape[0] == 0:
        raise UsageError(f"needs differences of shape (k, problems), got {each.shape}")
    value = mean_over_problems(each).astype(np.float64)
    se = np.sqrt(variance_of_mean(each)).astype(np.float64)
    critical = _critical(each[se > 0], level, seed)
    unseen = 1 - (1 - level) ** (1 / each.shape[1])
    low = np.where(se > 0, value - critical * se, value - unseen * (1 + value))
    high = np.where(se > 0, value + critical * se, value + unseen * (1 - value))
    return Band(value, low, high, critical)


def _critical(each: Floats, level: float, seed: int) -> float:
    """Give the quantile of the largest standardised deviation over k."""
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 -- scipy is slow to load

    tail = (1 + level) / 2
    problems = each.shape[1]
    if each.shape[0] == 0:
        return float(stdtrit(problems - 1, tail))
    correlation = np.atleast_2d(np.corrcoef(each))
    sizes, directions = np.linalg.eigh(correlation)
    root = directions * np.sqrt(np.clip(sizes, 0.0, None))
    normal = np.random.default_rng(seed).standard_normal((DRAWS, sizes.size)) @ root.T
    largest = float(np.quantile(np.max(np.abs(normal), axis=1), level))
    # the share of one t test with the same tail, so that few problems widen it as they must
    return max(largest, float(ndtri(tail))) * float(stdtrit(problems - 1, tail) / ndtri(tail))


def stretches(k: Sequence[int], low: ArrayLike, high: ArrayLike) -> list[Stretch]:
    """Cut the range of k into stretches where b is better, a is better, or neither is shown.

    Parameters
    ----------
    k : sequence of int
        Ascending.
    low, high : array_like, shape (K,)
        A simultaneous band for b - a, as of `difference_band`.

    Returns
    -------
    list of Stretch
        In order. A crossing lies in the undecided stretch between two opposite ones, with
        the confidence of the band.

    Examples
    --------
    >>> stretches([1, 2, 4, 8], [0.02, -0.01, -0.02, -0.05], [0.08, 0.04, 0.01, -0.01])
    [Stretch(better='b', first_k=1, last_k=1), Stretch(better='undecided', first_k=2, last_k=4), \
Stretch(better='a', first_k=8, last_k=8)]
    """
    ends = zip(k, np.asarray(low).tolist(), np.asarray(high).tolist(), strict=True)
    result: list[Stretch] = []
    for budget, lower, upper in ends:
        better = "b" if lower > 0 else "a" if upper < 0 else "undecided"
        if result and result[-1].better == better:
            result[-1] = result[-1]._replace(last_k=budget)
        else:
            result.append(Stretch(better, budget, budget))
    return result


def crossings(k: Sequence[int], differences: ArrayLike) -> list[float]:
    """Estimate where two curves cross: zeros of the difference, linear in log k between points.

    Parameters
    ----------
    k : sequence of int
        Ascending.
    differences : array_like, shape (K,)
        The mean differences b - a.

    Returns
    -------
    list of float
        Empty if they do not cross in this range.

    Examples
    --------
    >>> crossings([1, 4, 16], [0.1, 0.1, -0.1])
    [8.0]
    """
    d = np.asarray(differences, dtype=np.float64)
    logs = np.log2(np.asarray(k, dtype=np.float64))
    here = np.flatnonzero(d[:-1] * d[1:] < 0)
    share = d[here] / (d[here] - d[here + 1])
    inner = logs[here] + share * (logs[here + 1] - logs[here])
    touching = [i for i in np.flatnonzero(d == 0) if 0 < i < d.size - 1 and d[i - 1] * d[i + 1] < 0]
    return sorted(float(2.0**x) for x in [*inner, *logs[touching]])
