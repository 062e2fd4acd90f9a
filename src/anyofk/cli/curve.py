"""Show pass@k for every k, with a band that holds for the whole curve."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import (
    attempts_or,
    cluster_option,
    debug_option,
    json_option,
    level_option,
    runs_option,
    target_option,
)

MOST = 10
"""Problems that the table of --why shows one by one."""


@click.command("curve")
@click.argument("run")
@attempts_or("all that every problem's n allows")
@click.option(
    "--of",
    type=click.Choice(["any", "all"]),
    default="any",
    show_default=True,
    help="any: pass@k, at least one of k attempts passes. all: pass^k, all of them pass.",
)
@target_option
@level_option
@cluster_option
@click.option(
    "--why",
    type=click.IntRange(min=1),
    default=None,
    metavar="K",
    help="Show which problems carry pass@K, and which could move it.",
)
@click.option("--svg", type=click.Path(dir_okay=False), default=None, help="Write a picture here.")
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Show pass@k for every k, with a band that holds for the whole curve.

    RUN is a stored run (a name, a unique prefix or a path) or a file of counts or results.
    """
    from anyofk.cli.inputs import notes_of, open_counts, stack_of  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import say, say_warnings  # noqa: PLC0415 - loaded on use
    from anyofk.cli.pictures import write_text  # noqa: PLC0415 - loaded on use
    from anyofk.estimates import carriers, curve  # noqa: PLC0415 - loaded on use

    opened = open_counts(options["run"], options["folder"], stack_of(context))
    found = curve(
        opened,
        options["attempts"] or None,
        of=options["of"],
        target=options["target"],
        level=options["level"],
        cluster="cluster" if options["cluster"] else None,
    )
    why = carriers(opened, options["why"]) if options["why"] else None
    _print_json(found, why) if options["as_json"] else _print(found, why)
    if options["svg"]:
        write_text(options["svg"], found.svg(), "--svg")
    for note in notes_of(opened):
        say(f"note: {note}")
    say_warnings(found.warnings)


def _print_json(found: Any, why: Any) -> None:
    from anyofk.cli.output import print_json  # noqa: PLC0415 - loaded on use

    print_json({**found.to_json(), **({"why": why.to_json()} if why else {})})


def _print(found: Any, why: Any) -> None:
    from anyofk.cli.output import data_console  # noqa: PLC0415 - loaded on use
    from anyofk.reports.curves import carriers_view, curve_view  # noqa: PLC0415 - rich is slow

    console = data_console()
    plain = not console.encoding.lower().startswith("utf")
    console.print(curve_view(found, console.width, ascii_only=plain))
    if why:
        console.print(carriers_view(why, MOST))
