"""Progress on a terminal: rate, time left, outcomes so far; quiet in a pipe."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from anyofk.records import Outcome, Verdict

if TYPE_CHECKING:
    from rich.progress import Progress

LISTED = 4


def with_progress(verdicts: Iterable[Verdict], total: int, done: int) -> Iterator[Verdict]:
    """Pass verdicts on and show how far they are, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from verdicts
        return
    with _bar() as progress:
        task = progress.add_task("", total=total, completed=done, rate="")
        outcomes: Counter[Outcome] = Counter()
        for verdict in verdicts:
            outcomes[verdict.outcome] += 1
            speed = progress.tasks[0].speed
            rate = f"{speed:.0f}/s" if speed else ""
            progress.update(task, advance=1, description=outcome_counts(outcomes), rate=rate)
            yield verdict


def _bar() -> Progress:
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
    return Progress(*columns, console=words_console(), transient=True)


def outcome_counts(outcomes: Counter[Outcome]) -> str:
    """Word the commonest outcomes, passed first.

    Examples
    --------
    >>> outcome_counts(Counter({Outcome.TIMEOUT: 2, Outcome.PASSED: 1}))
    'passed 1, timeout 2'
    """
    listed = sorted(outcomes, key=lambda o: (o is not Outcome.PASSED, -outcomes[o]))[:LISTED]
    return ", ".join(f"{outcome.value} {outcomes[outcome]}" for outcome in listed)
