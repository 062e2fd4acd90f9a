"""The chance that the answer given most often among k candidates is right, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats.arguments import budgets, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence


def maj_at_k(
    votes: Sequence[int],
    correct: Sequence[bool],
    k: int,
    *,
    abstain: int = 0,
    exact: bool = False,
) -> Any:
    """Estimate the chance that plurality voting among k candidates gives a right answer.

    Exact over all subsets of k of the n candidates of one problem; ties are broken
    uniformly at random, which is the law of taking the first seen of the tied too. An
    abstention is drawn but has no vote; where nobody votes the answer is wrong.

    Parameters
    ----------
    votes : sequence of int
        How many candidates gave each distinct answer.
    correct : sequence of bool
        Whether that answer is right; several may be.
    k : int
        Candidates that vote, at most n.
    abstain : int
        Candidates without an answer.
    exact : bool
        Give a fraction.

    Returns
    -------
    float or Fraction
        A chance in [0, 1].

    Examples
    --------
    >>> maj_at_k([3, 1], [True, False], 3)
    1.0
    >>> maj_at_k([2, 1, 1], [False, True, True], 2, exact=True)
    Fraction(1, 2)
    """
    sizes = [int(v) for v in whole_numbers(votes, "votes").tolist()]
    silent, budget = int(whole_numbers(abstain, "abstain")), int(budgets(k))
    if len(sizes) != len(correct) or min([*sizes, silent]) < 0:
        raise UsageError(f"{len(sizes)} counts of votes, none negative, and {len(correct)} marks")
    n = sum(sizes) + silent
    if budget > n:
        raise TooFewDrawsError(
            f"maj@{budget} needs at least {budget} candidates, got n={n}",
            hint="draw more or ask for less",
            k=budget,
            smallest_n=n,
            problems=1,
        )
    right = [size for size, mark in zip(sizes, correct, strict=True) if mark]
    wrong = [size for size, mark in zip(sizes, correct, strict=True) if not mark]
    tops = range(1, min(budget, max(right, default=0)) + 1)
    ways = sum(_won(right, wrong, silent, budget, top) for top in tops)
    result = Fraction(ways) / comb(n, budget)
    return result if exact else float(result)


class _Series:
    """Polynomials in x up to x**k as one big integer, a slot of bits for each coefficient.

    Coefficients are numbers of subsets, at most 2**n, so that slots never overflow; the
    product of two polynomials is one product of integers, which is fast in C.
    """

    def __init__(self, k: int, n: int) -> None:
        self.k = k
        self.slot = n + 1
        self.mask = (1 << self.slot * (k + 1)) - 1

    def choose(self, size: int, most: int) -> int:
        """Ways to draw s of ``size``, for each s up to ``most``."""
        stop = min(size, most, self.k)
        return sum(comb(size, s) << self.slot * s for s in range(stop + 1))

    def term(self, size: int, drawn: int) -> int:
        """Ways to draw exactly ``drawn`` of ``size``."""
        return comb(size, drawn) << self.slot * drawn

    def times(self, left: int, right: int) -> int:
        return (left * right) & self.mask

    def last(self, series: int) -> int:
        """Read the coefficient of x**k."""
        return series >> self.slot * self.k


def _won(right: list[int], wrong: list[int], silent: int, k: int, top: int) -> Fraction:
    """Count the subsets whose highest vote is ``top``, by the share of right ones at the top."""
    series = _Series(k, sum(right) + sum(wrong) + silent)
    rights = _ties(series, right, top)
    wrongs = _ties(series, wrong, top)
    # many numbers of tied wrong answers meet each number of tied right ones: sum shares first
    silence = series.choose(silent, k)
    total = Fraction(0)
    for a, left in enumerate(rights):
        voted = series.times(left, silence) if a and left else 0
        for b, other in enumerate(wrongs):
            if voted and other:
                total += Fraction(a, a + b) * series.last(series.times(voted, other))
    return total


def _ties(series: _Series, sizes: list[int], top: int) -> list[int]:
    """For each number of answers tied at ``top`` votes: the subsets, none above, as a series."""
    tied = [1]
    for size in sizes:
        below = series.choose(size, top - 1)
        at_top = series.term(size, top) if size >= top else 0
        grown = [series.times(rest, below) for rest in tied]
        if at_top and len(tied) * top <= series.k:
            grown.append(0)
        for count, rest in enumerate(tied[: len(grown) - 1] if at_top else []):
            grown[count + 1] += series.times(rest, at_top)
        tied = grown
    return tied
