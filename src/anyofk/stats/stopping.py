"""pass@k from draws that were stopped by what they showed, where c / n is biased.

Stopping at the first success and then using the usual estimator gives .395 for a true
.2 (at most 10 draws). A stopping rule that is known can be undone exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts
from anyofk.stats.passk import pass_at_k

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    Rule = Callable[[int, int], bool]


def pass_at_k_inverse(
    draws: ArrayLike, successes: ArrayLike, k: int, *, exact: bool = False
) -> Any:
    """Estimate pass@k when drawing went on until the r-th success (inverse sampling).

    ``1 - C(N - k - 1, r - 1) / C(N - 1, r - 1)``, unbiased for every k, also above N:
    the last draw is known to be a success, the others are a plain sample.

    Parameters
    ----------
    draws : array_like of int
        N, the draws it took, with the last a success.
    successes : array_like of int
        r, the successes at which drawing stopped, at least 1.
    k : int
        Attempts allowed.
    exact : bool
        Give fractions.

    Returns
    -------
    float, Fraction or ndarray
        In [0, 1]; exactly 1 where k > N - r.

    Examples
    --------
    >>> pass_at_k_inverse(38, 3, 7, exact=True)
    Fraction(77, 222)
    """
    total, passed = counts(draws, successes)
    budget = int(budgets(k))
    if np.any(passed < 1):
        raise UsageError("inverse sampling stops at a success: successes must be at least 1")
    others, before = total - 1, passed - 1
    reached = np.maximum(others, budget)  # where k > N - 1 fewer than k failures came first
    values = np.asarray(pass_at_k(reached, before, budget, exact=exact))
    one = Fraction(1) if exact else 1.0
    result = np.where(others < budget, np.array(one, dtype=values.dtype), values)
    return result.item() if result.ndim == 0 else result


def pass_at_k_stopped(n: int, c: int, k: int, stops: Rule, *, exact: bool = False) -> Any:
    """Estimate pass@k of one problem whose drawing was ended by a known rule.

    The ratio of paths from k straight failures to the end, and from the start to the end,
    where a path passes no point at which the rule stops [1]_: unbiased for every rule that
    surely stops and does not stop before k failures in a row from the start.

    Parameters
    ----------
    n, c : int
        Draws and passes at the end.
    k : int
        Attempts allowed.
    stops : callable
        ``stops(draws, passes)`` tells whether drawing ends at that point.
    exact : bool
        Give a fraction.

    Raises
    ------
    UsageError
        If the rule doesn't stop at (n, c), can't reach it, or stops before k failures.

    References
    ----------
    .. [1] Girshick, Mosteller and Savage (1946), Unbiased estimates for certain binomial
       sampling problems.

    Examples
    --------
    Stop at the first success, after 10 draws at the latest:

    >>> def rule(draws, passes):
    ...     return passes >= 1 or draws == 10
    >>> pass_at_k_stopped(1, 1, 2, rule), pass_at_k_stopped(10, 0, 2, rule)
    (1.0, 0.0)
    """
    judged, passed = (int(value) for value in counts(n, c))
    budget = int(budgets(k))
    if not stops(judged, passed):
        raise UsageError(f"the rule doesn't stop at n={judged}, c={passed}", n=judged, c=passed)
    early = next((d for d in range(budget) if stops(d, 0)), None)
    if early is not None:
        raise UsageError(
            f"the rule stops after {early} failures, before the k={budget} of pass@{budget}",
            hint="no unbiased estimator exists here; ask for a smaller k",
            k=budget,
        )
    everything = _paths(0, judged, passed, stops)
    if everything == 0:
        raise UsageError(f"the rule never reaches n={judged}, c={passed}", n=judged, c=passed)
    result = 1 - Fraction(_paths(budget, judged, passed, stops), everything)
    return result if exact else float(result)


def _paths(start: int, n: int, c: int, stops: Rule) -> int:
    """Count the paths from ``start`` failures to (n, c) that stop nowhere before."""
    if start > n:
        return 0
    here = {0: 1}
    for draws in range(start, n):
        after: dict[int, int] = {}
        for passes, ways in here.items():
            if not stops(draws, passes):
                after[passes] = after.get(passes, 0) + ways
                after[passes + 1] = after.get(passes + 1, 0) + ways
        here = {passes: ways for passes, ways in after.items() if passes <= c}
    return here.get(c, 0)
