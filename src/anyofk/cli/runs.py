"""List, show or delete stored runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anyofk.cli.options import (
    attempts_option,
    debug_option,
    estimate_options,
    json_option,
    missing_option,
    runs_option,
)

if TYPE_CHECKING:
    from anyofk.store import Run

HEADS = ("run", "candidates", "passed", "broken", "pending", "created")


@click.group("runs", invoke_without_command=True)
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, folder: str | None, *, as_json: bool) -> None:
    """List, show or delete stored runs.

    Alone it lists them. A RUN is a name, a unique prefix or a path.
    """
    if context.invoked_subcommand is None:
        _list(folder, as_json=as_json)
    context.obj = folder


def _list(folder: str | None, *, as_json: bool) -> None:
    from anyofk.cli.output import data_console, print_json, print_view, say  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import NARROW, plain_table  # noqa: PLC0415 - loaded on use
    from anyofk.store import list_runs, runs_folder  # noqa: PLC0415 - loaded on use

    place = runs_folder(folder)
    listed = [facts for path in list_runs(place) if (facts := _read(path))]
    if as_json:
        print_json({"folder": str(place), "runs": listed})
    elif not listed:
        say(f"no run is stored in {str(place)!r}")
    else:
        heads = HEADS if data_console().width >= NARROW else HEADS[:3]
        rows = [[_cell(facts, head) for head in heads] for facts in listed]
        print_view(plain_table(heads, rows))


def _cell(facts: dict[str, Any], head: str) -> Any:
    """Give what a column shows; a time is shortened to the minute, UTC."""
    return facts[head][:16].replace("T", " ") if head == "created" else facts[head]


def _read(path: Path) -> dict[str, Any]:
    """Tell what a run is in numbers; a damaged file is named, and does not hide the others."""
    from anyofk.cli.output import say_warnings  # noqa: PLC0415 - loaded on use
    from anyofk.errors import AnyofkError  # noqa: PLC0415 - loaded on use
    from anyofk.store import Run  # noqa: PLC0415 - loaded on use

    try:
        with Run(path) as run:
            return _facts(run) if run.begun else {}
    except AnyofkError as error:
        say_warnings([str(error)])
        return {}


def _facts(run: Run) -> dict[str, Any]:
    ((problems, judged, passed, broken, pending),) = run.query(
        "SELECT count(*), sum(n), sum(c), sum(broken), sum(pending) FROM counts"
    )
    return {
        "run": run.name,
        "problems": problems,
        "candidates": run.size(),
        "judged": judged,
        "passed": passed,
        "broken": broken,
        "pending": pending,
        "created": run.created,
        "path": str(run.path),
    }


@command.command("list")
@runs_option
@json_option
@debug_option
@click.pass_context
def list_stored(context: click.Context, folder: str | None, *, as_json: bool) -> None:
    """List stored runs, as 'anyofk runs' alone does."""
    _list(folder or context.obj, as_json=as_json)


@command.command("show")
@click.argument("run")
@attempts_option
@estimate_options
@missing_option
@runs_option
@json_option
@debug_option
@click.pass_context
def show(context: click.Context, /, **options: Any) -> None:
    """Show what a run says: outcomes, and estimates with their intervals."""
    from anyofk.cli.output import show_run, show_summary  # noqa: PLC0415 - loaded on use
    from anyofk.cli.questions import question  # noqa: PLC0415 - loaded on use
    from anyofk.reports.drawn import drawn_costs  # noqa: PLC0415 - loaded on use
    from anyofk.reports.rounds import success_by_round  # noqa: PLC0415 - loaded on use
    from anyofk.reports.summary import summarise  # noqa: PLC0415 - loaded on use
    from anyofk.store import open_run, runs_folder  # noqa: PLC0415 - loaded on use

    with open_run(options["run"], runs_folder(options["folder"] or context.obj)) as opened:
        asked = question(options)
        summary = summarise(opened, asked)
        costs = drawn_costs(opened, summary.estimates)
        rounds = success_by_round(opened, asked)
    if costs.requests:
        show_run(summary, costs, rounds, as_json=options["as_json"])
    else:
        show_summary(summary, as_json=options["as_json"])
    context.exit(summary.exit_code)


@command.command("rm")
@click.argument("runs", nargs=-1, required=True)
@runs_option
@json_option
@debug_option
@click.pass_context
def remove(
    context: click.Context, runs: tuple[str, ...], folder: str | None, *, as_json: bool
) -> None:
    """Delete stored runs, and nothing else."""
    from anyofk.cli.output import print_json, say  # noqa: PLC0415 - loaded on use
    from anyofk.store import delete_run, find_run, runs_folder  # noqa: PLC0415 - loaded on use

    place = runs_folder(folder or context.obj)
    paths = [find_run(name, place) for name in runs]  # all are found before any is deleted
    for path in dict.fromkeys(paths):
        delete_run(path)
        say(f"deleted {str(path)!r}")
    if as_json:
        print_json({"deleted": [str(path) for path in dict.fromkeys(paths)]})
