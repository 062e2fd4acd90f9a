"""How many problems and draws a wanted precision takes, judged by a pilot."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, sqrt
from typing import TYPE_CHECKING

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts, enough_draws
from anyofk.stats.means import between_variance, variance_of_mean
from anyofk.stats.pairs import paired_differences
from anyofk.stats.variance import variance_unbiased

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from anyofk.stats.pairs import Counted

MOST_DRAWS = 1 << 20


@dataclass(frozen=True)
class Pilot:
    """What a pilot tells about the noise of a mean of pass@k, or of a mean difference.

    Attributes
    ----------
    k
        Attempts allowed.
    between
        The variance of the true values between problems (never below 0 here).
    noise
        For each model the mean over problems of the unbiased estimates of
        ``p**d q**(2k - d)``, d = 1 .. k, of which every sampling variance is made.
    problems
        Problems of the pilot.
    """

    k: int
    between: float
    noise: tuple[tuple[float, ...], ...]
    problems: int

    def sampling(self, n: int) -> float:
        """Predict the mean sampling variance of a problem with n draws, all models together."""
        if n < self.k:
            raise UsageError(f"pass@{self.k} needs n of at least {self.k}, got {n}", n=n, k=self.k)
        ways = [comb(self.k, d) ** 2 / comb(n, d) for d in range(1, self.k + 1)]
        return sum(sum(w * s for w, s in zip(ways, each, strict=True)) for each in self.noise)

    def standard_error(self, n: int, problems: int, *, between: bool = True) -> float:
        """Predict the standard error of the mean; without ``between`` for fixed problems."""
        return sqrt(((self.between if between else 0.0) + self.sampling(n)) / problems)


def pilot_of_run(n: ArrayLike, c: ArrayLike, k: int) -> Pilot:
    """Learn from a pilot's counts, each n at least 2k.

    Examples
    --------
    >>> pilot = pilot_of_run([20] * 10, range(0, 20, 2), 1)
    >>> pilot.standard_error(20, 100) < pilot.standard_error(5, 100)
    True
    """
    judged, passed = (np.atleast_1d(each) for each in counts(n, c))
    budget = int(budgets(k))
    spread = max(0.0, float(between_variance(judged, passed, budget)))
    return Pilot(budget, spread, (_powers(judged, passed, budget),), judged.size)


def pilot_of_pair(a: Counted, b: Counted, k: int) -> Pilot:
    """Learn from a pilot of two models on the same problems, each n at least 2k.

    Examples
    --------
    >>> pilot = pilot_of_pair(([8] * 4, [0, 2, 6, 8]), ([8] * 4, [1, 4, 6, 8]), 1)
    >>> len(pilot.noise)
    2
    """
    budget = int(budgets(k))
    both = [counts(*counted) for counted in (a, b)]
    noise = tuple(_powers(judged, passed, budget) for judged, passed in both)
    apart = paired_differences(a, b, budget)
    sampling = sum(float(np.mean(variance_unbiased(n, c, budget))) for n, c in both)
    spread = float(variance_of_mean(apart)) * apart.size - sampling
    return Pilot(budget, max(0.0, spread), noise, apart.size)


def _powers(n: ArrayLike, c: ArrayLike, k: int) -> tuple[float, ...]:
    """Average the unbiased estimates of ``p**d q**(2k - d)`` over problems."""
    judged, passed = (np.atleast_1d(each) for each in counts(n, c))
    enough_draws(judged, 2 * k, what=f"planning for pass@{k}")
    pairs, times = np.unique(np.stack([judged, passed], axis=1), axis=0, return_counts=True)
    sums = [Fraction(0)] * k
    for (size, hits), number in zip(pairs.tolist(), times.tolist(), strict=True):
        ways = comb(size, 2 * k)
        for d in range(1, min(k, hits) + 1):
            top = number * comb(hits, d) * comb(size - hits, 2 * k - d)
            sums[d - 1] += Fraction(top, ways * comb(2 * k, d))
    return tuple(float(total / judged.size) for total in sums)


def problems_for(pilot: Pilot, se: float, n: int) -> int:
    """Give the problems needed for a standard error with n draws each.

    Examples
    --------
    >>> problems_for(pilot_of_run([20] * 10, range(0, 20, 2), 1), 0.02, 10)
    251
    """
    positive(se, "the standard error")
    return max(2, ceil((pilot.between + pilot.sampling(n)) / se**2))


def draws_for(pilot: Pilot, se: float, problems: int, *, between: bool = True) -> int:
    """Give the draws a problem needed for a standard error with so many problems.

    Parameters
    ----------
    pilot : Pilot
        What a pilot tells.
    se : float
        The standard error wanted.
    problems : int
        Problems at hand.
    between : bool
        Count the spread between problems; False if only these problems matter.

    Raises
    ------
    UsageError
        If no n is enough, since endless draws leave the spread between problems.

    Examples
    --------
    >>> draws_for(pilot_of_run([20] * 10, range(0, 20, 2), 1), 0.031, 100)
    14
    """
    positive(se, "the standard error")
    if pilot.standard_error(MOST_DRAWS, problems, between=between) > se:
        raise UsageError(
            f"{problems} problems can't reach a standard error of {se:g}, however many draws",
            hint=f"take more problems; about {problems_for(pilot, se, MOST_DRAWS)} would do",
            problems=problems,
        )
    low, high = pilot.k - 1, MOST_DRAWS
    while high - low > 1:
        middle = (low + high) // 2
        enough = pilot.standard_error(middle, problems, between=between) <= se
        low, high = (low, middle) if enough else (middle, high)
    return high


def minimum_detectable_difference(se: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """Give the true difference that a two-sided test finds with the wanted power.

    Parameters
    ----------
    se : float
        Standard error of the mean difference.
    level, power : float
        ``1 - level`` is the chance of a false alarm, ``power`` that of finding it.

    Examples
    --------
    >>> round(minimum_detectable_difference(0.00362), 4)
    0.0101
    """
    return _both_tails(level, power) * positive(se, "the standard error")


def se_for_difference(difference: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """Give the standard error at which a difference is found with the wanted power.

    Examples
    --------
    >>> round(se_for_difference(0.02), 5)
    0.00714
    """
    return positive(difference, "the difference") / _both_tails(level, power)


def se_for_half_width(half_width: float, *, level: float = 0.95) -> float:
    """Give the standard error at which an interval away from 0 and 1 has that half width.

    Examples
    --------
    >>> round(se_for_half_width(0.02), 4)
    0.0102
    """
    from scipy.special import ndtri  # noqa: PLC0415 -- scipy is slow to load

    return positive(half_width, "the half width") / float(ndtri((1 + level) / 2))


def positive(value: float, what: str) -> float:
    """Pass a positive number on and refuse any other."""
    if not value > 0:
        raise UsageError(f"{what} must be positive, got {value:g}")
    return value


def _both_tails(level: float, power: float) -> float:
    from scipy.special import ndtri  # noqa: PLC0415 -- scipy is slow to load

    if not (0 < level < 1 and 0 < power < 1):
        raise UsageError(f"level and power must lie between 0 and 1, got {level} and {power}")
    return float(ndtri((1 + level) / 2) + ndtri(power))
