"""How well a selector chooses where there is something to choose: delivered over covered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.intervals import korn_graubard
from anyofk.stats.means import variance_of_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Accuracy(NamedTuple):
    """Selection accuracy with its interval, and the mean loss to a perfect selector."""

    value: float
    low: float
    high: float
    se: float
    gap: float


def selection_accuracy(
    delivered: ArrayLike, covered: ArrayLike, *, level: float = 0.95
) -> Accuracy:
    """Estimate the share of the covered problems in which the selector chooses right.

    ``sum(delivered) / sum(covered)`` over all problems, so that delivered success is
    coverage times accuracy. A mean of ratios problem by problem would divide 0 by 0. Its
    standard error treats problems as a sample (delta method); the interval is
    Korn-Graubard's with the covered problems as units.

    Parameters
    ----------
    delivered : array_like, shape (M,)
        `best_of_k` of each problem.
    covered : array_like, shape (M,)
        pass@k of each problem from the same candidates; never less.
    level : float
        Confidence level.

    Returns
    -------
    Accuracy
        ``value``, ``low``, ``high``, ``se``, and ``gap``, the mean of covered less delivered
        (unbiased, unlike the ratio).

    Examples
    --------
    >>> found = selection_accuracy([1] * 60 + [0] * 40, [1] * 80 + [0] * 20)
    >>> found.value, found.gap, round(found.low, 2), round(found.high, 2)
    (0.75, 0.2, 0.64, 0.84)
    """
    chosen, there = (np.asarray(each, dtype=np.float64) for each in (delivered, covered))
    if chosen.ndim != 1 or chosen.shape != there.shape:
        raise UsageError(f"delivered has shape {chosen.shape} and covered {there.shape}")
    if np.any(chosen < 0) or np.any(chosen > there + 1e-12) or np.any(there > 1 + 1e-12):
        raise UsageError("delivered must lie between 0 and covered, and covered below 1")
    total = float(there.sum())
    if total == 0:
        raise UsageError("no problem is covered: there was nothing to choose")
    value = min(1.0, float(chosen.sum()) / total)
    spread = float(variance_of_mean((chosen - value * there) * there.size / total))
    low, high, _ = korn_graubard(value, spread, total, level=level, df=there.size - 1)
    return Accuracy(value, low, high, spread**0.5, float(np.mean(there - chosen)))
