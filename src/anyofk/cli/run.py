"""Draw candidates from a model, judge them, and estimate pass@k."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.drawing_options import drawing_options
from anyofk.cli.options import (
    attempts_option,
    debug_option,
    estimate_options,
    json_option,
    judging_options,
    runs_option,
)


@click.command("run")
@drawing_options
@attempts_option
@judging_options
@click.option("--judge-each", is_flag=True, help="Judge equal programs one by one, not once.")
@estimate_options
@runs_option
@click.option("--name", default=None, help="Name of the run. Default: from model and set.")
@click.option("--extend", is_flag=True, help="Let a stored run grow to -n draws.")
@click.option("--fresh", is_flag=True, help="Delete a stored run of this name and start over.")
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Draw candidates from a model, judge them, and estimate pass@k.

    A candidate is judged as soon as it is there. The same command again goes on where an
    earlier one ended, however that ended; what could not be drawn is missing, and never wrong.
    """
    from anyofk.cli.drawing_run import draw_stored  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import show_run  # noqa: PLC0415 - loaded on use

    summary, costs, rounds = draw_stored(options)
    show_run(summary, costs, rounds, as_json=options["as_json"])
    context.exit(summary.exit_code)
