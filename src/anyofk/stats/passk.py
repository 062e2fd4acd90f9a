"""The chance that any, none or all of k attempts pass, from n candidates of which c passed."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from anyofk.stats.arguments import budgets, counts, enough_draws
from anyofk.stats.kernel import fail_and_pass

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Column = Callable[[Ints, Ints, int], NDArray[Any]]

Insufficient = Literal["raise", "nan"]

TABLE = 1 << 22  # distinct (n, c) found by marking a table this big, else by sorting
WORTH_A_LOOK = 64  # fewer entries than this are not searched for repeats


def pass_at_k(
    n: ArrayLike,
    c: ArrayLike,
    k: ArrayLike,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the chance that at least one of k attempts passes.

    The unbiased estimator ``1 - C(n - c, k) / C(n, k)`` [1]_. It assumes that the n
    candidates of a problem are independent draws under one policy and that n was fixed in
    advance; for draws that stop at a success see `pass_at_k_inverse`.

    Parameters
    ----------
    n, c : array_like of int
        Candidates judged and candidates passed of each problem, ``0 <= c <= n``; any
        shapes that broadcast. Never pool problems: average their estimates.
    k : int or list of int
        Attempts allowed, at least 1.
    exact : bool
        Give `fractions.Fraction` values (in an object array) instead of floats.
    insufficient : {"raise", "nan"}
        What to do where k > n.

    Returns
    -------
    float, Fraction or ndarray
        Numbers in [0, 1] with the shape of the counts, and a last axis over k if k is a
        list. Exactly 0 where c = 0, exactly 1 where n - c < k. Floats are within 4 units
        in the last place up to n = 10**4 and within 16 up to 10**9.

    Raises
    ------
    TooFewDrawsError
        If k > n for some problem: no unbiased estimator exists there. The error tells
        how many problems and the smallest n.
    UsageError
        If a count or k is no integer, or not in its range.

    References
    ----------
    .. [1] Chen et al. (2021), Evaluating Large Language Models Trained on Code.

    Examples
    --------
    >>> pass_at_k(5, 2, 2)
    0.7
    >>> pass_at_k([5, 10], [0, 3], [1, 5])
    array([[0.        , 0.        ],
           [0.3       , 0.91666667]])
    >>> pass_at_k(5, 2, 2, exact=True)
    Fraction(7, 10)
    """
    column = _pass_exact if exact else _pass
    return over_budgets(column, *counts(n, c), k, what="pass@{k}", insufficient=insufficient)


def fail_at_k(
    n: ArrayLike,
    c: ArrayLike,
    k: ArrayLike,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the chance that none of k attempts passes: 1 - pass@k with all its digits.

    The unbiased estimator ``C(n - c, k) / C(n, k)``. Use it where pass@k is so near 1
    that ``1 - pass_at_k(n, c, k)`` has none left. Arguments, results and errors are those
    of `pass_at_k`.

    Examples
    --------
    >>> fail_at_k(50, 29, 20, exact=True)
    Fraction(3, 6732744606280)
    >>> round(1e13 * fail_at_k(50, 29, 20), 12)
    4.455835139212
    """
    column = _fail_exact if exact else _fail
    return over_budgets(column, *counts(n, c), k, what="pass@{k}", insufficient=insufficient)


def pass_hat_k(
    n: ArrayLike,
    c: ArrayLike,
    k: ArrayLike,
    *,
    exact: bool = False,
    insufficient: Insufficient = "raise",
) -> Any:
    """Estimate the chance that all of k attempts pass, pass^k: a measure of reliability.

    The unbiased estimator ``C(c, k) / C(n, k)`` [1]_. Arguments, results and errors are
    those of `pass_at_k`.

    References
    ----------
    .. [1] Yao et al. (2024), tau-bench.

    Examples
    --------
    >>> round(pass_hat_k(10, 8, 5), 4)
    0.2222
    """
    judged, passed = counts(n, c)
    column = _fail_exact if exact else _fail
    return over_budgets(
        column, judged, judged - passed, k, what="pass^{k}", insufficient=insufficient
    )


def over_budgets(
    column: Column,
    n: Ints,
    c: Ints,
    k: ArrayLike,
    *,
    what: str,
    insufficient: str = "raise",
    draws_for: Callable[[int], int] = int,
) -> Any:
    """Apply a per-k formula to checked counts: distinct (n, c) once, then each k a column.

    `draws_for` tells how many draws the formula needs at k.
    """
    attempts = budgets(k)
    if n.size == 0:
        return np.empty(n.shape + attempts.shape)
    judged, passed, places = _distinct(n.ravel(), c.ravel())
    columns = []
    for budget in attempts.ravel().tolist():
        need = draws_for(budget)
        if insufficient != "nan":
            enough_draws(n, need, what=what.replace("{k}", str(budget)), insufficient=insufficient)
        columns.append(_where_enough(column, judged, passed, budget, need))
    table = np.stack(columns, axis=-1)[places].reshape((*n.shape, attempts.size))
    result = table if attempts.ndim else table[..., 0]
    return result if result.ndim else result.item()


def _where_enough(column: Column, n: Ints, c: Ints, k: int, need: int) -> NDArray[Any]:
    """Compute where the draws suffice; elsewhere nan, which is never taken for a number."""
    enough = n >= need
    if enough.all():
        return column(n, c, k)
    values = column(n[enough], c[enough], k)
    result = np.full(n.shape, np.nan, dtype=values.dtype)
    result[enough] = values
    return result


def _distinct(n: Ints, c: Ints) -> tuple[Ints, Ints, Ints]:
    """Find the distinct pairs in descending order of c, and the place of each entry's pair."""
    low, span = int(n.min()), int(n.max() - n.min()) + 1
    top = int(c.max())
    if n.size < WORTH_A_LOOK or span * (top + 1) >= np.iinfo(np.int64).max:
        order = np.argsort(-c, kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(order.size)
        return n[order], c[order], places
    key = (top - c) * span + (n - low)
    if span * (top + 1) <= max(TABLE, 4 * n.size):
        seen = np.zeros(span * (top + 1), dtype=np.bool_)
        seen[key] = True
        found = np.flatnonzero(seen)
        places = (np.cumsum(seen) - 1)[key]
    else:
        found, places = np.unique(key, return_inverse=True)
    return found % span + low, top - found // span, places


def _pass(n: Ints, c: Ints, k: int) -> Floats:
    return fail_and_pass(n, c, k)[1]


def _fail(n: Ints, c: Ints, k: int) -> Floats:
    return fail_and_pass(n, c, k)[0]


def exact_fail(n: int, c: int, k: int) -> Fraction:
    """Give U = C(n - c, k) / C(n, k) as a fraction, by the smaller of c and k."""
    small, large = min(c, k), max(c, k)
    return Fraction(comb(n - large, small), comb(n, small))


def _fail_exact(n: Ints, c: Ints, k: int) -> NDArray[Any]:
    return exact_column(lambda judged, passed: exact_fail(judged, passed, k), n, c)


def _pass_exact(n: Ints, c: Ints, k: int) -> NDArray[Any]:
    return exact_column(lambda judged, passed: 1 - exact_fail(judged, passed, k), n, c)


def exact_column(formula: Callable[[int, int], Fraction], n: Ints, c: Ints) -> NDArray[Any]:
    """Evaluate a rational formula for each pair of counts."""
    values = [formula(*pair) for pair in zip(n.tolist(), c.tolist(), strict=True)]
    result = np.empty(n.shape, dtype=object)
    result[:] = values
    return result
