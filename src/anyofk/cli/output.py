"""Where output goes: data to standard output, words to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click
from rich.console import Console, RenderableType

from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.reports import printable
from anyofk.reports.drawn import DrawnCosts
from anyofk.reports.summary import Summary


def data_console() -> Console:
    """Give the console of standard output; it does not read markup or colour what it prints."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=False)


def words_console() -> Console:
    """Give the console of standard error."""
    return Console(file=sys.stderr, highlight=False, markup=False, emoji=False)


def print_json(value: Any) -> None:
    """Print one JSON object on one line; it is ASCII, so that no text can harm a terminal."""
    click.echo(json.dumps(value, ensure_ascii=True, allow_nan=False))


def print_view(view: RenderableType) -> None:
    """Print a table on standard output."""
    data_console().print(view)


def say(text: str) -> None:
    """Say something on standard error, made printable."""
    click.echo(printable(text), err=True)


def say_warnings(warnings: Iterable[str]) -> None:
    """Say each warning on a line of standard error."""
    for warning in warnings:
        say(f"warning: {warning}")


def show_summary(summary: Summary, *, as_json: bool) -> None:
    """Print a run's numbers on standard output, and its warnings on standard error."""
    if as_json:
        print_json(summary.to_json())
    else:
        from anyofk.reports.terminal import summary_view  # noqa: PLC0415 - rich is slow to load

        console = data_console()
        console.print(summary_view(summary, console.width))
    _say_what_is_beside(summary, shown=not as_json)


def show_run(
    summary: Summary,
    costs: DrawnCosts,
    rounds: Mapping[int, Estimate | RefusedEstimate],
    *,
    as_json: bool,
) -> None:
    """Print a drawn run's numbers and costs as `show_summary` does a judged one's."""
    if as_json:
        by_round = {str(r): each.to_json() for r, each in rounds.items()}
        own = {"rounds": by_round} if rounds else {}
        print_json({**summary.to_json(), **own, "costs": costs.to_json()})
    else:
        from anyofk.reports.drawn_view import costs_view  # noqa: PLC0415 - rich is slow to load
        from anyofk.reports.terminal import summary_view  # noqa: PLC0415 - as above

        console = data_console()
        console.print(summary_view(summary, console.width))
        if rounds:
            from anyofk.reports.rounds import rounds_view  # noqa: PLC0415 - as above

            console.print(rounds_view(rounds))
        console.print(costs_view(costs))
    _say_what_is_beside(summary, shown=not as_json)


def _say_what_is_beside(summary: Summary, *, shown: bool) -> None:
    for note in summary.notes:
        say(f"note: {note}")
    say_warnings(summary.warnings)
    say_refusals(summary.refused, shown=shown)


def say_refusals(refused: Iterable[RefusedEstimate], *, shown: bool) -> None:
    """Say which estimates do not exist, unless a table has shown it, and what to do about it."""
    for refusal in refused:
        if not shown:
            say(f"error: {refusal}")
        say(f"hint: {refusal.hint}")
