"""The interval for a fixed benchmark: these problems, and only the noise of the draws.

The mean plus or minus z standard errors fails here in two ways. At c = 0 or c = n it has
no width, and where one or a few problems carry the noise, the estimate and its variance
are low together: it covered .13 to .9 instead of .95. So two safe answers are joined:

* Korn-Graubard with the sampling variance, where the units are the disjoint sets of k
  candidates, of which problem i has floor(n_i / k): a mean over all subsets of k varies
  less than the mean over disjoint ones (Hoeffding 1963), and that one is a mean of 0/1
  values. It guards against failures so rare that no candidate shows them.
* A gamma limit in the manner of Fay and Feuer (1997) for weighted counts: the estimate
  moves in steps, as one more candidate passes or fails, and few large steps are skewed.

Below n = 2k no unbiased variance exists; there the binomial limit of the disjoint sets,
which needs none, stands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts
from anyofk.stats.intervals import MeanInterval, clopper_pearson, korn_graubard
from anyofk.stats.passk import fail_at_k, pass_at_k
from anyofk.stats.variance import variance_unbiased

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

HALF_A_STEP = 0.5  # the continuity correction of the gamma limit, as in a mid-P interval
EVEN = 0.5  # pass@k of a problem that passes as often as it fails
MANY_STEPS = 1e7  # beyond, the gamma limit is normal to seven digits


def benchmark_interval(n: ArrayLike, c: ArrayLike, k: int, *, level: float = 0.95) -> MeanInterval:
    """Give an interval for the mean pass@k of exactly these problems.

    It answers: where would the mean lie if every problem had endless draws? It says
    nothing about other problems; for those take `kg_interval`.

    Parameters
    ----------
    n, c : array_like of int, shape (..., M)
        Counts of each problem, n >= k.
    k : int
        Attempts allowed.
    level : float
        Confidence level.

    Returns
    -------
    MeanInterval
        ``low``, ``high`` and ``n_eff``, the 0/1 trials that would be as informative.

    Examples
    --------
    >>> low, high, _ = benchmark_interval([20] * 10, [0] * 10, 1)
    >>> low, round(high, 4)
    (0.0, 0.0183)
    """
    judged, passed = counts(n, c)
    budget = int(budgets(k))
    if judged.ndim == 0 or judged.shape[-1] == 0:
        raise UsageError("no problems: an interval needs at least one")
    mean = np.mean(pass_at_k(judged, passed, budget), axis=-1)
    units = np.sum(judged // budget, axis=-1)
    if np.any(judged < 2 * budget):
        low, high = clopper_pearson(mean, units, level=level)
        return _numbers(low, high, np.asarray(units, dtype=np.float64))
    return _joined(judged, passed, budget, level=level)


def _joined(n: Ints, c: Ints, k: int, *, level: float) -> MeanInterval:
    problems = n.shape[-1]
    variance = np.sum(variance_unbiased(n, c, k), axis=-1) / problems**2
    mean = np.mean(pass_at_k(n, c, k), axis=-1)
    rare = korn_graubard(mean, variance, np.sum(n // k, axis=-1), level=level)
    up, down = (step / problems for step in _largest_steps(n, c, k))
    low = np.minimum(rare.low, mean - _half_width(variance, down, level))
    high = np.maximum(rare.high, mean + _half_width(variance, up, level))
    return _numbers(np.maximum(low, 0.0), np.minimum(high, 1.0), np.asarray(rare.n_eff))


def _largest_steps(n: Ints, c: Ints, k: int) -> tuple[Floats, Floats]:
    """Give the largest rise of an estimate if one more candidate passed, and fall if one less.

    Rises count where the problem mostly fails, falls where it mostly passes: there the
    estimate's law is skewed so that the truth may lie further off on that side.
    """
    here = pass_at_k(n, c, k)
    rise = pass_at_k(n, np.minimum(c + 1, n), k) - here
    fall = fail_at_k(n, np.maximum(c - 1, 0), k) - fail_at_k(n, c, k)
    rises, falls = np.where(here <= EVEN, rise, 0.0), np.where(here >= EVEN, fall, 0.0)
    return np.max(rises, axis=-1), np.max(falls, axis=-1)


def _half_width(variance: Floats, step: Floats, level: float) -> Floats:
    """Give the upper limit of a count times the step, less its mean, by the gamma law.

    0 without a step: the other interval then stands alone on this side.
    """
    from scipy.special import gammaincinv, ndtri  # noqa: PLC0415 -- scipy is slow to load

    tail = (1 + level) / 2
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        events = np.where(step > 0, variance / step**2, 0.0)
        counted = np.minimum(events, MANY_STEPS)
        skewed = step * (gammaincinv(counted + HALF_A_STEP, tail) - counted)
    return np.where(events < MANY_STEPS, skewed, ndtri(tail) * np.sqrt(variance))


def _numbers(low: Floats, high: Floats, n_eff: Floats) -> MeanInterval:
    parts = (np.asarray(part, dtype=np.float64) for part in (low, high, n_eff))
    return MeanInterval(*(part.item() if part.ndim == 0 else part for part in parts))
