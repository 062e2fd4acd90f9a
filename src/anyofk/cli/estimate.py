"""Estimate pass@k from counts or results that exist already."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import (
    attempts_option,
    cluster_option,
    debug_option,
    estimate_options,
    json_option,
)


@click.command("estimate")
@click.argument("file", type=click.Path())
@attempts_option
@estimate_options
@cluster_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Estimate pass@k from counts or results that exist already.

    FILE holds counts (CSV or JSON Lines with problem, n and c), or results of a known tool;
    which one it is is told. Nothing is judged.
    """
    from anyofk.cli.output import say_refusals, say_warnings  # noqa: PLC0415 - loaded on use
    from anyofk.estimates import Estimate, RefusedEstimate, estimate_or_refuse  # noqa: PLC0415 - loaded on use
    from anyofk.exchange import read_counts  # noqa: PLC0415 - loaded on use
    from anyofk.reports.summary import usual_k  # noqa: PLC0415 - loaded on use

    _refuse_run(options["file"])
    read = read_counts(options["file"])
    found = estimate_or_refuse(
        read,
        dict.fromkeys((1, *(options["attempts"] or usual_k(read.counts())))),
        target=options["target"],
        level=options["level"],
        interval=options["interval"],
        cluster="cluster" if options["cluster"] else None,
    )
    said = [w for e in found.values() if isinstance(e, Estimate) for w in e.warnings]
    warnings = list(dict.fromkeys([*read.notes, *said]))
    _show(read, found, warnings, as_json=options["as_json"])
    refused = [e for e in found.values() if isinstance(e, RefusedEstimate)]
    say_warnings(warnings)
    say_refusals(refused, shown=not options["as_json"])
    context.exit(max((refusal.error.exit_code for refusal in refused), default=0))


def _refuse_run(file: str) -> None:
    """Name the verb for a stored run, whose settings an estimate depends on too."""
    from anyofk.cli.inputs import is_stored  # noqa: PLC0415 - loaded on use
    from anyofk.errors import DataError  # noqa: PLC0415 - loaded on use

    if is_stored(file):
        raise DataError(f"{file} is a stored run", hint=f"anyofk runs show {file}", name=file)


def _show(read: Any, found: Any, warnings: list[str], *, as_json: bool) -> None:
    from anyofk.cli.output import data_console, print_json, say  # noqa: PLC0415 - loaded on use

    if as_json:
        facts = {"file": read.name, "form": read.form, "problems": len(read.counts())}
        estimates = {str(k): estimate.to_json() for k, estimate in found.items()}
        print_json({**facts, "estimates": estimates, "warnings": warnings})
        return
    from anyofk.reports.terminal import estimates_view  # noqa: PLC0415 - rich is slow to load

    say(f"{read.name}: {read.form}")
    console = data_console()
    console.print(estimates_view(found, console.width))
