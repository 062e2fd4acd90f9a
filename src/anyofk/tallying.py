"""From verdicts to counts: the one place where candidates are counted."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping

from anyofk.errors import DataError, DuplicateWarning
from anyofk.records import Counts, Outcome, Verdict


def tally(
    verdicts: Iterable[Verdict], *, clusters: Mapping[str, str | None] | None = None
) -> list[Counts]:
    """Count judged and passed candidates per problem; broken ones count as neither.

    A verdict that stands twice (same problem, draw and outcome) counts once, with a warning.

    Parameters
    ----------
    verdicts
        Verdicts in any order.
    clusters
        The cluster of each problem, to be kept in its counts.

    Returns
    -------
    list of Counts
        One for each problem, in the order of first appearance.

    Raises
    ------
    DataError
        Two verdicts on the same draw that disagree.

    Examples
    --------
    >>> ok, bad, ours = Outcome.PASSED, Outcome.TIMEOUT, Outcome.BROKEN
    >>> tally([Verdict("p", 0, ok), Verdict("p", 1, bad), Verdict("p", 2, ours)])
    [Counts(problem='p', n=2, c=1, broken=1, cluster=None)]
    """
    known = clusters or {}
    return [
        Counts(
            problem,
            n=outcomes.total() - outcomes[Outcome.BROKEN],
            c=outcomes[Outcome.PASSED],
            broken=outcomes[Outcome.BROKEN],
            cluster=known.get(problem),
        )
        for problem, outcomes in tally_outcomes(verdicts).items()
    ]


def tally_outcomes(verdicts: Iterable[Verdict]) -> dict[str, Counter[Outcome]]:
    """Count the outcomes of each problem; a verdict that stands twice counts once."""
    seen: dict[tuple[str, int], Outcome] = {}
    number = 0
    for verdict in verdicts:
        earlier = seen.setdefault((verdict.problem, verdict.draw), verdict.outcome)
        if earlier is not verdict.outcome:
            raise _conflict(verdict, earlier)
        number += 1
    _warn_of_duplicates(number - len(seen))
    outcomes: dict[str, Counter[Outcome]] = {}
    for (problem, _), outcome in seen.items():
        outcomes.setdefault(problem, Counter())[outcome] += 1
    return outcomes


def _conflict(verdict: Verdict, earlier: Outcome) -> DataError:
    return DataError(
        f"draw {verdict.draw} of problem {verdict.problem!r} has two verdicts: "
        f"{earlier.value} and {verdict.outcome.value}",
        hint="number the draws so that each candidate has its own, or judge the draw again",
        problem=verdict.problem,
        draw=verdict.draw,
    )


def _warn_of_duplicates(number: int) -> None:
    if number:
        message = f"{number} verdicts stood twice (same problem, draw and outcome) and count once"
        warnings.warn(message, DuplicateWarning, stacklevel=3)
