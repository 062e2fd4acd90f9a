"""What a selector delivers: the value of the candidate with the best score among k."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats.arguments import budgets
from anyofk.stats.passk import exact_fail, fail_at_k

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]


def best_of_k(scores: ArrayLike, values: ArrayLike, k: int, *, exact: bool = False) -> Any:
    """Estimate the mean value of the candidate that scores best among k.

    Exact over all subsets of k of the n candidates, ties broken uniformly at random; hence
    unbiased; summed in rational arithmetic and rounded once, because values of both signs
    would cancel. With 0/1 values it is the chance that the selector's choice passes, which
    never exceeds pass@k of the same candidates.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        What the selector knows; larger is better.
    values : array_like, shape (..., n)
        What the choice is worth: 0 or 1 for failed and passed, or any reward.
    k : int
        Candidates shown to the selector, at most n.
    exact : bool
        Give fractions; the scores and values are taken as the rationals they are.

    Returns
    -------
    float, Fraction or ndarray
        Shape of the leading axes.

    Examples
    --------
    >>> best_of_k([3, 2, 1], [0, 1, 1], 2, exact=True)
    Fraction(1, 3)
    """
    rank, worth = _candidates(scores, values)
    n = rank.shape[-1]
    budget = _budget(k, n, 1)
    results = np.empty(rank.shape[:-1], dtype=object if exact else np.float64)
    rows = zip(rank.reshape(-1, n), worth.reshape(-1, n), strict=True)
    chosen = [_mean_choice(*row, budget) for row in rows]
    results.ravel()[:] = chosen if exact else [float(value) for value in chosen]
    return results.item() if results.ndim == 0 else results


def max_at_k(rewards: ArrayLike, k: int, *, exact: bool = False) -> Any:
    """Estimate the mean of the largest reward among k candidates.

    For 0/1 rewards it is pass@k. Arguments and results are those of `best_of_k`.

    Examples
    --------
    >>> max_at_k([0.0, 1.0, 4.0], 2, exact=True)
    Fraction(3, 1)
    """
    return best_of_k(rewards, rewards, k, exact=exact)


def best_rank_chances(n: int, k: int, *, exact: bool = False) -> NDArray[Any]:
    """Give the chance that the best of k of n candidates is the one of each rank, worst first.

    ``C(r, k - 1) / C(n, k)`` for rank r = 0 .. n - 1.

    Examples
    --------
    >>> best_rank_chances(3, 2, exact=True).tolist()
    [Fraction(0, 1), Fraction(1, 3), Fraction(2, 3)]
    """
    above = np.arange(n)[::-1]  # candidates of higher rank, of which none may be drawn
    if exact:
        others = [exact_fail(n - 1, int(a), k - 1) if k > 1 else Fraction(1) for a in above]
        return np.array([Fraction(k, n) * other for other in others], dtype=object)
    if k == 1:
        return np.full(n, 1 / n)
    return np.asarray(fail_at_k(n - 1, above, k - 1)) * k / n


def best_of_k_variance(scores: ArrayLike, values: ArrayLike, k: int, *, exact: bool = False) -> Any:
    """Estimate the sampling variance of `best_of_k` for one problem, without bias.

    ``B**2`` less the same for two disjoint sets of k candidates; needs n >= 2k. Unlike
    that of pass@k it can be negative. It is summed in rational arithmetic, because the
    subtraction would lose the digits.

    Parameters
    ----------
    scores, values : array_like, shape (n,)
        As for `best_of_k`, one problem.
    k : int
        Candidates shown to the selector.
    exact : bool
        Give a fraction.

    Examples
    --------
    >>> best_of_k_variance([1.5, 1.75, 1, 1.75], [1, 0, 0, 0], 2, exact=True)
    Fraction(1, 36)
    """
    rank, worth = _candidates(scores, values)
    if rank.ndim != 1:
        raise UsageError(f"one problem at a time, got shape {rank.shape}")
    n, budget = rank.size, _budget(k, rank.size, 2)
    order, whole, scale = _ranked(rank, worth)
    pairs = _disjoint_pairs(_tied(rank[order]), [whole[i] for i in order], budget)
    single = _mean_choice(rank, worth, budget)
    result = single**2 - pairs / (comb(n, budget) * comb(n - budget, budget) * scale**2)
    return result if exact else float(result)


def _mean_choice(scores: NDArray[Any], values: NDArray[Any], k: int) -> Fraction:
    """Average the value of the best of k; a tied group shares its ranks evenly."""
    order, whole, scale = _ranked(scores, values)
    ways = _ways(len(whole), k)
    by_size: dict[int, int] = defaultdict(int)  # one division a size of group, not one a group
    for start, stop in _tied(scores[order]):
        here = sum(whole[i] for i in order[start:stop])
        by_size[stop - start] += here * sum(ways[start:stop])
    total = sum((Fraction(part, size) for size, part in by_size.items()), Fraction(0))
    return total / (comb(len(whole), k) * scale)


@lru_cache(maxsize=64)
def _ways(n: int, k: int) -> list[int]:
    """Count the k-subsets whose best has rank r, ``C(r, k - 1)``, for r = 0 .. n - 1."""
    return [comb(r, k - 1) for r in range(n)]


def _ranked(scores: NDArray[Any], values: NDArray[Any]) -> tuple[list[int], list[int], int]:
    """Order by score, worst first, and write the values as whole numbers over one scale."""
    ratios = [Fraction(value) for value in values.tolist()]
    scale = lcm(*(ratio.denominator for ratio in ratios))
    whole = [ratio.numerator * (scale // ratio.denominator) for ratio in ratios]
    return np.argsort(scores, kind="stable").tolist(), whole, scale


def _tied(ranked: NDArray[Any]) -> list[tuple[int, int]]:
    """Give the first and the last place but one past it of each group of equal scores."""
    starts = [0, *(np.flatnonzero(ranked[1:] != ranked[:-1]) + 1).tolist(), ranked.size]
    return list(pairwise(starts))


def _disjoint_pairs(groups: list[tuple[int, int]], values: list[int], k: int) -> Fraction:
    """Sum value times value over ordered pairs of disjoint sets of k, best candidate each.

    With a the rank of one set's best and b > a that of the other's, there are
    ``C(a, k - 1) C(b - k, k - 1)`` such pairs of sets; tied candidates share their ranks
    evenly, so that two of a group count with the mean over its pairs.
    """
    ways = _ways(len(values), k)
    total, below = Fraction(0), Fraction(0)
    for start, stop in groups:
        size, here = stop - start, sum(values[start:stop])
        squares = sum(value * value for value in values[start:stop])
        within = Fraction(here**2 - squares, size * (size - 1)) if size > 1 else Fraction(0)
        high = [comb(b - k, k - 1) if b >= k else 0 for b in range(start, stop)]
        lower = accumulate(ways[start:stop], initial=0)
        inside = sum(one * other for one, other in zip(high, lower, strict=False))
        total += 2 * (Fraction(here, size) * below * sum(high) + within * inside)
        below += Fraction(here, size) * sum(ways[start:stop])
    return total


def _candidates(scores: ArrayLike, values: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bring scores and values to one shape and refuse nan, which has no order."""
    rank, worth = np.broadcast_arrays(np.asarray(scores), np.asarray(values))
    if rank.ndim == 0 or rank.shape[-1] == 0:
        raise UsageError("no candidates to choose from")
    for name, given in (("scores", rank), ("values", worth)):
        if given.dtype.kind == "f" and np.isnan(given).any():
            raise UsageError(f"{name} hold nan", hint="leave out what was not judged", name=name)
    return rank, worth


def _budget(k: int, n: int, sets: int) -> int:
    budget = int(budgets(k))
    if sets * budget > n:
        raise TooFewDrawsError(
            f"best-of-{budget} needs at least {sets * budget} candidates here, got n={n}",
            hint="draw more or ask for less",
            k=budget,
            smallest_n=n,
            problems=1,
        )
    return budget
