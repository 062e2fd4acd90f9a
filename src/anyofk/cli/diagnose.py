"""Look for broken assumptions, and say what they do to pass@k."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import debug_option, json_option, runs_option

_RATE = click.FloatRange(0, 1, max_open=True)


@click.command("diagnose")
@click.argument("run")
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.99,
    show_default=True,
    help="The chance that faultless draws show no finding at all.",
)
@click.option(
    "--against", default=None, metavar="RUN", help="Another run of the same configuration."
)
@click.option("-k", type=click.IntRange(min=1), default=None, help="With an error rate: which k.")
@click.option(
    "--false-pass", type=_RATE, default=None, help="Chance that a wrong candidate is passed."
)
@click.option(
    "--false-fail", type=_RATE, default=None, help="Chance that a right candidate is failed."
)
@click.option("--fail-if-found", is_flag=True, help="Exit with 1 if an assumption is broken.")
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Look for broken assumptions, and say what they do to pass@k.

    RUN is a stored run, or a file of verdicts, results or counts; counts alone allow few
    checks. With --false-pass or --false-fail it says what such a verifier does to pass@k.
    """
    from anyofk.cli.inputs import notes_of, open_counts, stack_of  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import say  # noqa: PLC0415 - loaded on use
    from anyofk.diagnosis import diagnose  # noqa: PLC0415 - loaded on use
    from anyofk.exchange.results import read_results  # noqa: PLC0415 - loaded on use

    _check(options)
    stack, folder, other = stack_of(context), options["folder"], options["against"]
    opened = open_counts(options["run"], folder, stack, read_results)
    against = open_counts(other, folder, stack, read_results) if other else None
    for note in notes_of(opened):
        say(f"note: {note}")
    found = diagnose(opened, against=against, level=options["level"])
    effect = _effect(opened, options)
    _show(found, effect, as_json=options["as_json"])
    context.exit(1 if options["fail_if_found"] and found.found else 0)


def _check(options: dict[str, Any]) -> None:
    rates = [options["false_pass"], options["false_fail"]]
    if (options["k"] is None) is not all(rate is None for rate in rates):
        raise click.UsageError("-k goes with --false-pass or --false-fail")


def _effect(opened: Any, options: dict[str, Any]) -> Any:
    from anyofk.diagnosis import verifier_effect  # noqa: PLC0415 - loaded on use

    if options["k"] is None:
        return None
    rates = {name: options[name] or 0.0 for name in ("false_pass", "false_fail")}
    return verifier_effect(opened, options["k"], **rates)


def _show(found: Any, effect: Any, *, as_json: bool) -> None:
    from anyofk.cli.output import print_json, print_view  # noqa: PLC0415 - loaded on use
    from anyofk.reports.findings import diagnosis_view  # noqa: PLC0415 - rich is slow to load

    if as_json:
        print_json({**found.to_json(), **({"verifier": effect.to_json()} if effect else {})})
    else:
        print_view(diagnosis_view(found, effect))
