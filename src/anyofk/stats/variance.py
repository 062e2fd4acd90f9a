"""How far one problem's estimate of pass@k strays because only n candidates were drawn."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts
from anyofk.stats.kernel import fail_and_pass
from anyofk.stats.passk import Insufficient, exact_column, exact_fail, over_budgets

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

CELLS = 1 << 18  # factors laid out at once: 2 MB
NOTHING_LEFT = 50.0  # exp(-50) is lost beside 1


def variance_unbiased(
    n: ArrayLike,
    c: ArrayLike,
    k: ArrayLike,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the sampling variance of one problem's pass@k, without bias.

    ``U**2 - C(n - c, 2k) / C(n, 2k)`` with U = fail@k: two disjoint sets of k candidates
    estimate the square of the mean. Never negative; 0 if c = 0 or n - c < k. The
    variance is a polynomial of degree 2k in p, so that no unbiased estimator exists for
    n < 2k.

    Parameters
    ----------
    n, c : array_like of int
        Candidates judged and passed; any shapes that broadcast.
    k : int or list of int
        Attempts allowed.
    exact : bool
        Give fractions.
    insufficient : {"raise", "nan"}
        What to do where n < 2k.

    Returns
    -------
    float, Fraction or ndarray
        Shape of the counts, and a last axis over k if k is a list; within 64 units in the
        last place.

    Raises
    ------
    TooFewDrawsError
        If n < 2k for some problem.

    Examples
    --------
    >>> variance_unbiased(4, 2, 1, exact=True)
    Fraction(1, 12)
    """

    def column(judged: Ints, passed: Ints, budget: int) -> NDArray[Any]:
        return _covariance(judged, passed, budget, budget, exact=exact)

    return over_budgets(
        column,
        *counts(n, c),
        k,
        what="the sampling variance of pass@{k}",
        insufficient=insufficient,
        draws_for=lambda budget: 2 * budget,
    )


def covariance_unbiased(
    n: ArrayLike,
    c: ArrayLike,
    k: ArrayLike,
    other_k: int,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the sampling covariance of pass@k and pass@other_k from the same candidates.

    ``U_k U_l - C(n - c, k + l) / C(n, k + l)``, unbiased for n >= k + l. Arguments, results
    and errors are those of `variance_unbiased`.

    Examples
    --------
    >>> covariance_unbiased(4, 2, 1, 2, exact=True)
    Fraction(1, 12)
    """
    second = int(budgets(other_k))

    def column(judged: Ints, passed: Ints, budget: int) -> NDArray[Any]:
        return _covariance(judged, passed, budget, second, exact=exact)

    return over_budgets(
        column,
        *counts(n, c),
        k,
        what=f"the covariance of pass@{{k}} and pass@{second}",
        insufficient=insufficient,
        draws_for=lambda budget: budget + second,
    )


def _covariance(n: Ints, c: Ints, k: int, other: int, *, exact: bool) -> NDArray[Any]:
    if exact:
        return exact_column(lambda judged, passed: _exact(judged, passed, k, other), n, c)
    both = fail_and_pass(n, c, k)[0] * fail_and_pass(n, c, other)[0]
    return both * _excess(n, c, k, other)


def _exact(n: int, c: int, k: int, other: int) -> Fraction:
    return exact_fail(n, c, k) * exact_fail(n, c, other) - exact_fail(n, c, k + other)


def _excess(n: Ints, c: Ints, k: int, other: int) -> Floats:
    """Give 1 - U_{k+l} / (U_k U_l) without subtracting, which would lose up to all digits.

    The ratio is a product that is symmetric in c, k and l: over i below the least of them,
    of ``1 - b d / ((n - b - i)(n - d - i))`` with b and d the other two.
    """
    least, b, d = np.sort(np.stack([c, np.full_like(c, k), np.full_like(c, other)]), axis=0)
    result = np.where(c > 0, 1.0, 0.0)
    open_ = (c > 0) & (n - c >= k + other)  # else no set of k + l failures exists: ratio 0
    with np.errstate(divide="ignore", invalid="ignore"):
        size = least * (b / (n - b)) * (d / (n - d))
    rows = np.flatnonzero(open_ & (size < NOTHING_LEFT))
    rows = rows[np.argsort(least[rows], kind="stable")]
    while rows.size:
        window = least[rows[:CELLS]]
        cells = window * np.arange(1, window.size + 1)
        now = rows[: max(1, int(np.count_nonzero(cells <= CELLS)))]
        result[now] = -np.expm1(_log_ratio(n[now], least[now], b[now], d[now]))
        rows = rows[now.size :]
    return result


def _log_ratio(n: Ints, least: Ints, b: Ints, d: Ints) -> Floats:
    steps = np.arange(int(least.max()), dtype=np.int64)
    live = steps < least[:, None]
    left = np.where(live, (n - b)[:, None] - steps, 1)
    right = np.where(live, (n - d)[:, None] - steps, 1)
    terms = np.where(live, -(b[:, None] / left) * (d[:, None] / right), 0.0)
    return np.asarray(np.sum(np.log1p(terms), axis=1))


def variance_given_p(n: int, k: int, p: ArrayLike | str | Fraction, *, exact: bool = False) -> Any:
    """Give the sampling variance of pass@k from n draws that each pass with chance p.

    ``sum over d = 1 .. k of C(k, d)**2 / C(n, d) p**d q**(2k - d)`` (Hoeffding's
    decomposition, q = 1 - p); all terms are positive.

    Parameters
    ----------
    n, k : int
        Draws and attempts, k <= n.
    p : float, array_like of float, str or Fraction
        The chance that a draw passes; a string such as ``"9/10"`` is read as a fraction.
    exact : bool
        Give a fraction; for one p.

    Returns
    -------
    float, Fraction or ndarray
        Shape of p.

    Examples
    --------
    >>> variance_given_p(3, 1, "22/25", exact=True)
    Fraction(22, 625)
    """
    judged, budget = int(counts(n, 0)[0]), int(budgets(k))
    if budget > judged:
        raise UsageError(f"k={budget} is larger than n={judged}", k=budget, n=judged)
    pairs = range(1, budget + 1)
    ways = [Fraction(comb(budget, d) ** 2, comb(judged, d)) for d in pairs]
    if exact or isinstance(p, str | Fraction):
        chance = _chance(Fraction(p))  # type: ignore[arg-type]  # one p here
        fail = 1 - chance
        terms = zip(pairs, ways, strict=True)
        total = sum(w * chance**d * fail ** (2 * budget - d) for d, w in terms)
        return Fraction(total) if exact else float(total)
    chances = _chance(np.asarray(p, dtype=np.float64))
    powers = chances[..., None] ** pairs * (1 - chances[..., None]) ** (
        2 * budget - np.array(pairs)
    )
    result = np.sum(powers * np.array(ways, dtype=np.float64), axis=-1)
    return result.item() if result.ndim == 0 else result


def _chance(p: Any) -> Any:
    if not np.all((p >= 0) & (p <= 1)):
        raise UsageError(f"p must lie in [0, 1], got {p}", p=p)
    return p


def variance_unbiased_at(n: int, c: int, k: int, new_n: int, *, exact: bool = False) -> Any:
    """Estimate from n pilot draws what the sampling variance would be with new_n draws.

    ``sum over d of C(k, d)**2 / C(new_n, d) [c]_d [n - c]_{2k - d} / [n]_{2k}`` with falling
    factorials [.]; unbiased for n >= 2k. It serves planning.

    Parameters
    ----------
    n, c, k : int
        The pilot's counts and the attempts allowed.
    new_n : int
        Draws planned, at least k.
    exact : bool
        Give a fraction.

    Examples
    --------
    >>> variance_unbiased_at(6, 2, 2, 86, exact=True)
    Fraction(341, 54825)
    """
    judged, passed = (int(value) for value in counts(n, c))
    budget, planned = int(budgets(k)), int(budgets(new_n))
    if judged < 2 * budget or planned < budget:
        raise UsageError(
            f"needs n >= 2k and new_n >= k, got n={judged}, new_n={planned}, k={budget}",
            n=judged,
            new_n=planned,
            k=budget,
        )
    ways = comb(judged, 2 * budget)
    total = sum(
        # [c]_d [m]_{2k-d} / [n]_{2k} = C(c, d) C(m, 2k-d) / (C(n, 2k) C(2k, d))
        Fraction(
            comb(budget, d) ** 2 * comb(passed, d) * comb(judged - passed, 2 * budget - d),
            comb(planned, d) * ways * comb(2 * budget, d),
        )
        for d in range(1, min(budget, passed) + 1)
    )
    return Fraction(total) if exact else float(total)
