"""The chance that at least j of k attempts pass, and its kin G-Pass@k and mG-Pass@k."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts
from anyofk.stats.passk import Insufficient, exact_column, over_budgets

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Share = float | str | Fraction


def at_least_j_of_k(
    n: ArrayLike,
    c: ArrayLike,
    k: int,
    j: int,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the chance that at least j of k attempts pass.

    The upper tail of the hypergeometric law, unbiased for ``P(Binomial(k, p) >= j)``.
    j = 1 is pass@k and j = k is pass^k. Other arguments, results and errors are those of
    `pass_at_k`.

    Parameters
    ----------
    n, c, k
        As for `pass_at_k`; one k.
    j : int
        Passes wanted, from 0 to k.

    Examples
    --------
    >>> at_least_j_of_k(5, 2, 2, 2, exact=True)
    Fraction(1, 10)
    """
    budget = int(budgets(k))
    if not 0 <= j <= budget:
        raise UsageError(f"j must lie between 0 and k={budget}, got {j}", j=j, k=budget)
    passes = np.arange(budget + 1) >= j
    return _expected(
        n, c, budget, passes.astype(int).tolist(), exact=exact, insufficient=insufficient
    )


def g_pass_at_k(
    n: ArrayLike,
    c: ArrayLike,
    k: int,
    tau: Share,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate G-Pass@k: the chance that a share of at least tau of k attempts pass [1]_.

    At least one must pass, also for tau = 0. The share ``j / k`` itself is compared with
    tau: ``ceil(k * tau)`` in floats asks for one pass too many at, for instance,
    tau = 0.07, k = 100. Other arguments, results and errors are those of `pass_at_k`.

    Parameters
    ----------
    n, c, k
        As for `pass_at_k`; one k.
    tau : float, str or Fraction
        The share, from 0 to 1; a string such as ``"7/100"`` is read as a fraction.

    References
    ----------
    .. [1] Liu et al. (2024), Are Your LLMs Capable of Stable Reasoning?

    Examples
    --------
    >>> g_pass_at_k(100, 58, 100, "7/100")
    1.0
    """
    budget = int(budgets(k))
    share = Fraction(tau) if isinstance(tau, str) else tau
    if not 0 <= share <= 1:
        raise UsageError(f"tau must lie in [0, 1], got {tau}", tau=tau)
    enough = [_share(j, budget, share) >= share for j in range(budget + 1)]
    return at_least_j_of_k(
        n, c, budget, max(1, enough.index(True)), exact=exact, insufficient=insufficient
    )


def _share(j: int, k: int, like: float | Fraction) -> float | Fraction:
    return Fraction(j, k) if isinstance(like, Fraction) else j / k


def mg_pass_at_k(
    n: ArrayLike,
    c: ArrayLike,
    k: int,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate mG-Pass@k: G-Pass@k averaged over the shares tau above a half.

    ``2 / k * sum of P(at least i of k pass) over i = ceil(k / 2) + 1 .. k``; it is 0 at
    k = 1 by definition. Arguments, results and errors are those of `g_pass_at_k`.

    Examples
    --------
    >>> mg_pass_at_k(9, 9, 7, exact=True)
    Fraction(6, 7)
    """
    budget = int(budgets(k))
    above = [2 * max(0, j - (budget + 1) // 2) for j in range(budget + 1)]
    return _expected(n, c, budget, above, exact=exact, insufficient=insufficient, divisor=budget)


def _expected(
    n: ArrayLike,
    c: ArrayLike,
    k: int,
    worth: list[int],
    *,
    exact: bool,
    insufficient: Insufficient,
    divisor: int = 1,
) -> Any:
    """Average ``worth[j] / divisor`` over the number j of passes among k of the candidates."""

    def column(judged: Ints, passed: Ints, _: int) -> NDArray[Any]:
        if exact:
            return exact_column(lambda a, b: _exact(a, b, k, worth) / divisor, judged, passed)
        pairs = zip(judged.tolist(), passed.tolist(), strict=True)
        weights = np.array(worth, dtype=np.float64)
        return np.array([_float(a, b, k, weights) for a, b in pairs]) / divisor

    return over_budgets(column, *counts(n, c), k, what="G-Pass@{k}", insufficient=insufficient)


def _exact(n: int, c: int, k: int, worth: list[int]) -> Fraction:
    ways = (comb(c, j) * comb(n - c, k - j) * worth[j] for j in range(k + 1))
    return Fraction(sum(ways), comb(n, k))


def _float(n: int, c: int, k: int, worth: NDArray[np.float64]) -> float:
    """Sum from the likeliest j outwards, by ratios: no binomial overflows, no digit is lost."""
    least, most = max(0, k - (n - c)), min(c, k)
    mode = min(max((c + 1) * (k + 1) // (n + 2), least), most)
    up = np.arange(mode, most, dtype=np.float64)
    rising = np.cumprod((c - up) / (up + 1) * ((k - up) / (n - c - k + up + 1)))
    down = np.arange(mode, least, -1, dtype=np.float64)
    falling = np.cumprod(down / (c - down + 1) * ((n - c - k + down) / (k - down + 1)))
    chances = np.concatenate([falling[::-1], [1.0], rising])
    return float(np.sum(chances * worth[least : most + 1]) / np.sum(chances))
