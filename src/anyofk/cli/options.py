"""Options that several verbs share, so that each is worded and read in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from anyofk.errors import shown

F = TypeVar("F", bound=Callable[..., Any])


def _is_count(text: str) -> bool:
    """Tell digits of a number from 1 that a file of candidates could hold."""
    return text.isdecimal() and text.isascii() and len(text) < 16 and int(text) > 0  # noqa: PLR2004 - digits below 2**53


class AttemptsType(click.ParamType[Any]):
    """A list of k such as ``1,10,100``."""

    name = "K,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read numbers of attempts, each at least 1, without repeats."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        if not all(_is_count(part) for part in parts):
            self.fail(f"{shown(value)} is no list of attempts such as 1,10,100", param, ctx)
        return tuple(dict.fromkeys(int(part) for part in parts))


def attempts_option(function: F) -> F:
    """Add ``-k``, which without a value is the usual k."""
    return attempts_or("1, 5, 10 and 100 as far as n allows")(function)


def attempts_or(default: str) -> Callable[[F], F]:
    """Add ``-k``; ``default`` words what it is without a value."""
    return click.option(
        "-k",
        "attempts",
        type=AttemptsType(),
        default=(),
        help=f"Attempts allowed, such as 1,10,100. Default: {default}.",
    )


target_option = click.option(
    "--target",
    type=click.Choice(["population", "benchmark"]),
    default="population",
    show_default=True,
    help="Whether the problems are a sample of more, or are all that matters.",
)
level_option = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
# the two stand alone too, for verbs without the other options of an estimate

_ESTIMATE = (
    target_option,
    level_option,
    click.option(
        "--interval",
        default="auto",
        show_default=True,
        metavar="METHOD",
        help="How intervals are made: auto, kg, kg-capped, t, wilson or z.",
    ),
)
_JUDGING = (
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        default=None,
        help="Candidates judged at a time. Default: one for each core.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=3.0,
        show_default=True,
        help="Time limit of a candidate, seconds.",
    ),
    click.option(
        "--memory-mb",
        type=click.IntRange(min=16),
        default=1024,
        show_default=True,
        help="Memory limit of a candidate, MiB.",
    ),
    click.option(
        "--allow-inprocess",
        is_flag=True,
        help="Judge problems that cannot be judged otherwise with candidate and test in one "
        "process. Their verdicts are forgeable, and marked so.",
    ),
    click.option(
        "--allow-weak",
        type=click.Choice(["limits", "none"]),
        default=None,
        help="Judge at this isolation level where none better holds. Candidates can then reach "
        "your files.",
    ),
)


def estimate_options(function: F) -> F:
    """Add what an estimate may depend on beside k."""
    return _with(_ESTIMATE, function)


def judging_options(function: F) -> F:
    """Add what judging may depend on, and ``--workers``, which moves no verdict."""
    return _with(_JUDGING, function)


def _with(options: Sequence[Callable[[F], F]], function: F) -> F:
    """Add options so that the help lists them in their order."""
    for option in reversed(options):
        function = option(function)
    return function


def missing_option(function: F) -> F:
    """Add ``--missing``."""
    return click.option(
        "--missing",
        type=click.Choice(["refuse", "fail"]),
        default="refuse",
        show_default=True,
        help="Problems without candidates: give no estimate, or count them as failed.",
    )(function)


def cluster_option(function: F) -> F:
    """Add ``--cluster``."""
    return click.option(
        "--cluster",
        is_flag=True,
        help="Treat problems of one cluster as dependent; a file needs a column 'cluster'.",
    )(function)


def json_option(function: F) -> F:
    """Add ``--json``."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object instead of a table."
    )(function)


def debug_option(function: F) -> F:
    """Add ``--debug``, which `run_command` reads before anything can fail."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."
    )(function)


def runs_option(function: F) -> F:
    """Add ``--runs``."""
    return click.option(
        "--runs",
        "folder",
        type=click.Path(file_okay=False),
        default=None,
        help="Folder of stored runs. Default: $ANYOFK_RUNS, else ./runs.",
    )(function)
