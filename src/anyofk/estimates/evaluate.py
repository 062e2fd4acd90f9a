"""Evaluate: counts in, estimates with their uncertainty out."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from anyofk.errors import UsageError, shown
from anyofk.estimates.estimate import Estimate, Estimates, Target
from anyofk.estimates.mean import Counted, estimate_mean
from anyofk.estimates.reading import Clusters, read_counts
from anyofk.estimates.refusal import RefusedEstimate, refusal, refused_as_identical
from anyofk.records.counts import MOST


def evaluate(
    counts: Any,
    k: int | Iterable[int],
    *,
    target: Target = "population",
    level: float = 0.95,
    interval: str = "auto",
    cluster: Clusters = None,
) -> Estimates:
    """Estimate pass@k of a set of problems, with its uncertainty.

    The mean over the problems of the unbiased estimate of each, never an estimate from
    pooled counts. It assumes that the candidates of a problem are independent draws and that
    their number was fixed in advance.

    Parameters
    ----------
    counts
        A mapping from each problem to (n, c), a list of `Counts`, a data frame with the
        columns ``problem``, ``n`` and ``c``, or a run.
    k : int or iterable of int
        Attempts allowed, each at least 1.
    target : {"population", "benchmark"}
        Whether the problems are a sample of those that could be asked, or all that matters.
    level : float
        Confidence level of the intervals, between 0 and 1.
    interval : str
        ``auto``, or for the target population ``kg``, ``kg-capped``, ``t``, ``wilson`` or ``z``.
    cluster
        A mapping from each problem to its cluster, or the name of the column that has it;
        problems of a cluster then count as dependent (CR1).

    Returns
    -------
    Estimates
        A mapping from each k to its `Estimate`, in the order asked for.

    Raises
    ------
    TooFewDrawsError
        Some problem has n < k: no unbiased estimator exists. The error has ``problems``.
    IncompleteError
        Candidates could not be judged, or a problem has none. The error has ``problems``,
        and in ``bounds`` the value if all that is missing were wrong, and if it were right.
    DataError
        Nothing was judged, or the counts are no counts.

    Warns
    -----
    UnequalDrawsWarning
        Problems have different n.
    FewProblemsWarning
        Few problems, or few clusters, carry the estimate.

    Examples
    --------
    >>> found = evaluate({f"p{i}": (10, i) for i in range(11)}, [1, 2])
    >>> found[1].value, round(found[2].value, 4), found[2].problems
    (0.5, 0.6667, 11)
    >>> found[1].low < found[1].value < found[1].high
    True
    """
    ks = attempts(k)
    options: dict[str, Any] = {"target": target, "level": level, "interval": interval}
    found = estimate_or_refuse(counts, (*ks, 1), cluster=cluster, **options)
    for budget in ks:
        estimate = found[budget]
        if isinstance(estimate, RefusedEstimate):
            raise estimate.error
    given = {budget: e for budget in ks if isinstance(e := found[budget], Estimate)}
    first = found[1]
    _warn(given.values())
    return Estimates(given, first if isinstance(first, Estimate) else None)


def estimate_or_refuse(
    counts: Any,
    k: int | Iterable[int],
    *,
    target: Target = "population",
    level: float = 0.95,
    interval: str = "auto",
    cluster: Clusters = None,
    identical_draws: bool = False,
) -> dict[int, Estimate | RefusedEstimate]:
    """Estimate pass@k for each k, or say for which k there is no number and why.

    Parameters
    ----------
    identical_draws
        Whether the draws could not differ (temperature 0): any k above 1 is then refused.

    Notes
    -----
    The other parameters are those of `evaluate`; nothing is warned of, the estimates have it.
    """
    read = read_counts(counts, cluster)
    counted = Counted.of(read)
    options: dict[str, Any] = {"target": target, "level": level, "interval": interval}
    found: dict[int, Estimate | RefusedEstimate] = {}
    for budget in attempts(k):
        refused = refusal(read, budget)
        if refused is None and identical_draws and budget > 1:
            refused = refused_as_identical(budget)
        found[budget] = refused or estimate_mean(counted, budget, **options)
    return found


def attempts(k: int | Iterable[int]) -> tuple[int, ...]:
    """Read k: one number of attempts or several, each at least 1, without repeats."""
    try:
        given: Sequence[Any] = tuple(k) if isinstance(k, Iterable) else (k,)
        ks = tuple(dict.fromkeys(operator.index(budget) for budget in given))
    except TypeError:
        raise _no_attempts(k) from None
    if not ks or min(ks) < 1 or max(ks) > MOST or any(isinstance(budget, bool) for budget in given):
        raise _no_attempts(k)
    return ks


def _no_attempts(k: Any) -> UsageError:
    return UsageError(
        f"k must be whole numbers of attempts, each at least 1, not {shown(k)}",
        hint="give one number, or a list such as [1, 10, 100]",
        k=k,
    )


def _warn(estimates: Iterable[Estimate]) -> None:
    for caution in dict.fromkeys(c for e in estimates for c in e.cautions):
        warnings.warn(caution.text, caution.category, stacklevel=3)
