"""Say what is wrong with reported numbers."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import debug_option, json_option, level_option, runs_option


@click.command("lint")
@click.argument("file")
@click.option(
    "--reported",
    default=None,
    metavar="TABLE",
    help="What was reported: 1=0.31,10=0.60 (with standard errors 1=0.31±0.02), or a JSON file "
    "with keys such as pass@1.",
)
@click.option(
    "--table", default=None, metavar="NAME", help="Which table of the JSON file, such as plus."
)
@click.option(
    "--problems",
    "problems_source",
    default=None,
    metavar="FILE|NAME",
    help="The whole problem set, so that missing problems are known.",
)
@level_option
@click.option("--fail-if-wrong", is_flag=True, help="Exit with 1 if something is wrong.")
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Say what is wrong with reported numbers.

    FILE holds the counts or results behind them (or is a stored run). Without --reported only
    the counts are looked at.
    """
    from anyofk.cli.inputs import notes_of, open_counts, stack_of  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import print_json, print_view, say  # noqa: PLC0415 - loaded on use
    from anyofk.linting import lint  # noqa: PLC0415 - loaded on use
    from anyofk.reports.faults import faults_view  # noqa: PLC0415 - rich is slow to load

    if options["table"] and not options["reported"]:
        raise click.UsageError("--table needs --reported")
    opened = open_counts(options["file"], options["folder"], stack_of(context))
    for note in notes_of(opened):
        say(f"note: {note}")
    found = lint(opened, _reported(options), problems=_problems(options), level=options["level"])
    if options["as_json"]:
        print_json({"file": opened.name, "problems": len(opened.counts()), **found.to_json()})
    else:
        print_view(faults_view(found))
    context.exit(1 if options["fail_if_wrong"] and found.wrong else 0)


def _reported(options: dict[str, Any]) -> Any:
    from anyofk.exchange.reported import read_reported  # noqa: PLC0415 - loaded on use

    return read_reported(options["reported"], options["table"]) if options["reported"] else None


def _problems(options: dict[str, Any]) -> list[str]:
    from anyofk.pipeline import problem_set  # noqa: PLC0415 - loaded on use

    source = options["problems_source"]
    return list(problem_set(source).ids) if source else []
