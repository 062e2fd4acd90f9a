"""Judge recorded candidates of the shipped problems, live in the sandbox."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import (
    attempts_option,
    debug_option,
    estimate_options,
    json_option,
    judging_options,
)


@click.command("demo")
@attempts_option
@judging_options
@estimate_options
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Judge recorded candidates of the shipped problems, live in the sandbox.

    Needs no model, no key and no network. The replies are those of a small model, and it says
    of which and when; the programs are taken out of them and judged now. Nothing is stored.
    """
    from anyofk.cli.judging_run import judge_unstored  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import show_summary  # noqa: PLC0415 - loaded on use
    from anyofk.pipeline import recorded_candidates  # noqa: PLC0415 - loaded on use

    source, problems = recorded_candidates()
    summary = judge_unstored(source, problems, {**options, "missing": "refuse"})
    show_summary(summary, as_json=options["as_json"])
    context.exit(summary.exit_code)
