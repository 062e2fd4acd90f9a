"""Why pass@1 and pass@k disagree: which problems carry pass@k and which could move it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anyofk.errors import DataError, UsageError
from anyofk.stats.arguments import budgets
from anyofk.stats.passk import fail_at_k, pass_at_k

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray


def gradient_weight(n: ArrayLike, c: ArrayLike, k: int) -> Any:
    """Estimate how fast a problem's pass@k rises with its chance p: ``k (1 - p)**(k - 1)``.

    Unbiased, from n >= k - 1 draws. It is above 1 only where p < `gain_threshold`: there
    pass@k rewards progress more than pass@1 does, elsewhere less.

    Parameters
    ----------
    n, c : array_like of int
        Counts, any shapes that broadcast.
    k : int
        Attempts allowed.

    Examples
    --------
    >>> gradient_weight(10, 0, 4), gradient_weight(10, 10, 4)
    (4.0, 0.0)
    """
    budget = int(budgets(k))
    if budget == 1:
        return np.ones(np.broadcast_shapes(np.shape(n), np.shape(c)))[()]
    return budget * fail_at_k(n, c, budget - 1)


def gain_threshold(k: int) -> float:
    """Give the chance below which pass@k rises faster than pass@1: ``1 - k**(-1 / (k - 1))``.

    Examples
    --------
    >>> [round(gain_threshold(k), 3) for k in (2, 4, 8)]
    [0.5, 0.37, 0.257]
    """
    budget = int(budgets(k))
    if budget == 1:
        raise UsageError("pass@1 rises with p at the same pace everywhere; ask for k >= 2")
    return float(-np.expm1(-np.log(budget) / (budget - 1)))


def carried_shares(n: ArrayLike, c: ArrayLike, k: int) -> NDArray[np.float64]:
    """Give the share of the mean pass@k that each problem carries; they add up to 1.

    Parameters
    ----------
    n, c : array_like of int, shape (M,)
        Counts of each problem.
    k : int
        Attempts allowed.

    Returns
    -------
    ndarray, shape (M,)
        All 0 where nothing passed.

    Examples
    --------
    >>> carried_shares([4, 4, 4], [0, 1, 3], 1).tolist()
    [0.0, 0.25, 0.75]
    """
    values = np.atleast_1d(pass_at_k(n, c, k))
    total = values.sum()
    return np.asarray(values / total if total > 0 else values)


def misjudged_chance(p: ArrayLike, *, false_pass: float, false_fail: float) -> Any:
    """Give the chance that a draw is *judged* a pass by a verifier that errs.

    ``p (1 - false_fail) + (1 - p) false_pass``. With any false passes at all, the pass@k
    that is measured tends to 1 as k grows, whatever the model.

    Parameters
    ----------
    p : array_like
        True chances.
    false_pass, false_fail : float
        Chances that a wrong candidate passes, and that a right one fails.

    Examples
    --------
    >>> p = misjudged_chance(0.0, false_pass=0.01, false_fail=0.0)
    >>> round(float(1 - (1 - p) ** 100), 3)
    0.634
    """
    for name, rate in (("false_pass", false_pass), ("false_fail", false_fail)):
        if not 0 <= rate <= 1:
            raise UsageError(f"{name} must lie in [0, 1], got {rate}")
    chance = np.asarray(p, dtype=np.float64)
    return (chance * (1 - false_fail) + (1 - chance) * false_pass)[()]


def counts_of_outcomes(
    outcomes: Iterable[Iterable[Any]], *, missing: Literal["raise", "drop"] = "raise"
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count draws and passes of each problem from its outcomes, True for a pass.

    Parameters
    ----------
    outcomes : iterable of iterables
        One row a problem, of equal length or not; None and nan are missing.
    missing : {"raise", "drop"}
        Whether a missing outcome is refused or left out of n. Leaving it out is right only
        if it is missing for reasons that have nothing to do with the outcome.

    Returns
    -------
    n, c : ndarray of int, shape (M,)

    Examples
    --------
    >>> n, c = counts_of_outcomes([[True, False], [True, True, False]])
    >>> n.tolist(), c.tolist()
    ([2, 3], [1, 2])
    """
    n, c = [], []
    for place, row in enumerate(outcomes):
        seen = [outcome for outcome in row if outcome is not None and outcome == outcome]  # noqa: PLR0124 -- nan differs from itself
        if missing == "raise" and len(seen) != len(list(row)):
            raise DataError(f"problem {place} has missing outcomes", hint="judge them first")
        if any(outcome not in (0, 1) for outcome in seen):
            raise DataError(f"problem {place} has an outcome that is neither true nor false")
        n.append(len(seen))
        c.append(sum(bool(outcome) for outcome in seen))
    return np.array(n, dtype=np.int64), np.array(c, dtype=np.int64)
