"""Progress on a terminal: rate, time left, outcomes so far; quiet in a pipe."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from anyofk.records import Outcome, Verdict

LISTED = 4


def with_progress(verdicts: Iterable[Verdict], total: int, done: int) -> Iterator[Verdict]:
    """Pass verdicts on and show how far they are, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from verdicts
        return
    from rich.progress import (  # noqa: PLC0415 - a pipe never pays for it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from anyofk.cli.output import words_console  # noqa: PLC0415 - as above

    columns = (
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=words_console(), transient=True) as progress:
        task = progress.add_task("", total=total, completed=done, rate="")
        outcomes: Counter[Outcome] = Counter()
        for verdict in verdicts:
            outcomes[verdict.outcome] += 1
            speed = progress.tasks[0].speed
            progress.update(
                task,
                advance=1,
                description=outcome_counts(outcomes),
                rate=f"{speed:.0f}/s" if speed else "",
            )
            yield verdict


def outcome_counts(outcomes: Counter[Outcome]) -> str:
    """Word the commonest outcomes, passed first.

    Examples
    --------
    >>> outcome_counts(Counter({Outcome.TIMEOUT: 2, Outcome.PASSED: 1}))
    'passed 1, timeout 2'
    """
    listed = sorted(outcomes, key=lambda o: (o is not Outcome.PASSED, -outcomes[o]))[:LISTED]
    return ", ".join(f"{outcome.value} {outcomes[outcome]}" for outcome in listed)
