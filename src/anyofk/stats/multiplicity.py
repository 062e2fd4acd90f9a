"""Several tests at once, and the exact test for one draw a problem."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import whole_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

COUNTED = 1000  # discordant pairs up to which the tail is summed in whole numbers


def holm(p_values: ArrayLike) -> Floats:
    """Adjust p-values so that the chance of any false rejection stays below the level.

    Holm's step-down method, valid under any dependence.

    Parameters
    ----------
    p_values : array_like, shape (m,)
        p-values in [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        Adjusted p-values in the same order, to be compared with the level.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = _p_values(p_values)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _in_place(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjust p-values so that the expected share of false rejections stays below the level.

    Valid for independent and for positively dependent tests. Arguments and results are
    those of `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    p = _p_values(p_values)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * p.size / np.arange(1, p.size + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _in_place(np.minimum(stepped, 1.0), order)


def rank_intervals(
    values: ArrayLike, p_values: ArrayLike, *, level: float = 0.95
) -> list[tuple[int, int]]:
    """Give the best and the worst rank that each of several models may have.

    A model's best rank is one more than the number of models shown to be better, its worst
    one leaves room below only for those shown to be worse. All pairs are tested together by
    Holm's method, so that all ranks hold at once.

    Parameters
    ----------
    values : array_like, shape (m,)
        The models' estimates.
    p_values : array_like, shape (m, m)
        Of each pair of models, two-sided; only those above the diagonal are read.
    level : float
        Confidence level.

    Returns
    -------
    list of (int, int)
        Best and worst rank of each model, 1 the highest.

    Examples
    --------
    >>> p = [[1, 0.001, 0.001], [1, 1, 0.4], [1, 1, 1]]
    >>> rank_intervals([0.9, 0.5, 0.55], p)
    [(1, 1), (2, 3), (2, 3)]
    """
    scores, table = np.asarray(values, dtype=np.float64), np.asarray(p_values, dtype=np.float64)
    models = scores.size
    if table.shape != (models, models):
        raise UsageError(f"{models} models need p-values of shape ({models}, {models})")
    one, other = np.triu_indices(models, k=1)
    shown = np.zeros((models, models), dtype=np.bool_)
    shown[one, other] = shown[other, one] = holm(table[one, other]) <= 1 - level
    better = shown & (scores[:, None] < scores[None, :])
    best = 1 + better.sum(axis=1)
    worst = models - better.sum(axis=0)
    return [(int(b), int(w)) for b, w in zip(best, worst, strict=True)]


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Test whether two models with one draw a problem pass equally often.

    The two-sided exact binomial test on the problems where just one of the two passed.

    Parameters
    ----------
    only_a, only_b : int
        Problems that only a, and that only b passed.

    Returns
    -------
    float
        The p-value; 1 if they never differ.

    Examples
    --------
    >>> mcnemar_exact(9, 3)
    0.14599609375
    """
    fewer, more = sorted(int(x) for x in whole_numbers([only_a, only_b], "a number of problems"))
    if fewer < 0:
        raise UsageError(f"numbers of problems can't be negative, got {fewer}")
    total = fewer + more
    if total <= COUNTED:
        tail = sum(comb(total, i) for i in range(fewer + 1))
        return min(1.0, 2 * tail / (1 << total))
    from scipy.special import bdtr  # noqa: PLC0415 -- scipy is slow to load

    below: Any = bdtr(fewer, total, 0.5)
    return float(min(1.0, 2 * below))


def _p_values(p_values: ArrayLike) -> Floats:
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise UsageError("p-values must be a list of numbers in [0, 1]")
    return p


def _in_place(stepped: Floats, order: NDArray[np.intp]) -> Floats:
    result = np.empty_like(stepped)
    result[order] = stepped
    return result
