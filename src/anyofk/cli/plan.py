"""Say how many problems and draws a wanted precision takes."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import debug_option, json_option, level_option, runs_option, target_option

_POSITIVE = click.FloatRange(min=0, min_open=True)
_COST = click.FloatRange(min=0)


@click.command("plan")
@click.argument("pilot")
@click.argument("against", required=False)
@click.option("-k", type=click.IntRange(min=1), required=True, help="Attempts allowed.")
@click.option("--half-width", type=_POSITIVE, default=None, help="Half width wanted.")
@click.option("--difference", type=_POSITIVE, default=None, help="Difference that is to be found.")
@click.option("--budget", type=_POSITIVE, default=None, help="What may be spent.")
@click.option(
    "--correlation",
    type=click.FloatRange(-1, 1),
    default=None,
    help="For a difference from one pilot: how the two models correlate over problems.",
)
@click.option("--problems", type=click.IntRange(min=2), default=None, help="Problems there are.")
@click.option(
    "--problem-cost", type=_COST, default=0.0, show_default=True, help="Cost of one problem."
)
@click.option(
    "--draw-cost", type=_COST, default=1.0, show_default=True, help="Cost of drawing a candidate."
)
@click.option(
    "--judging-cost", type=_COST, default=0.0, show_default=True, help="Cost of judging one."
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The chance with which the difference is to be found.",
)
@click.option(
    "--allocate",
    "draws",
    type=click.IntRange(min=1),
    default=None,
    help="Split so many draws over the problems of a fixed benchmark instead.",
)
@target_option
@level_option
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Say how many problems and draws a wanted precision takes.

    PILOT is a stored run or a file of counts, with n of at least 2k; AGAINST is one of a
    second model on the same problems, to plan a comparison. Without a wish it lists the
    precision of more draws on the same problems.
    """
    from anyofk.cli.inputs import open_counts, stack_of  # noqa: PLC0415 - loaded on use

    stack = stack_of(context)
    pilot = open_counts(options["pilot"], options["folder"], stack)
    if options["draws"] is not None:
        _show_allocation(pilot, options)
        return
    given = options["against"]
    against = open_counts(given, options["folder"], stack) if given else None
    _show_plan(pilot, against, options)


_PASSED_ON = (
    *("half_width", "difference", "budget", "correlation", "problems", "problem_cost"),
    *("draw_cost", "judging_cost", "power", "target", "level"),
)


def _show_plan(pilot: Any, against: Any, options: dict[str, Any]) -> None:
    from anyofk.cli.output import print_json, print_view, say, say_warnings  # noqa: PLC0415
    from anyofk.estimates import plan  # noqa: PLC0415 - loaded on use
    from anyofk.reports.differences import numbers_table  # noqa: PLC0415 - rich is slow to load

    chosen = {name: options[name] for name in _PASSED_ON}
    found = plan(pilot, options["k"], against=against, **chosen)
    if options["as_json"]:
        print_json(found.to_json())
    else:
        print_view(numbers_table(*found.cells(), texts=0))
        say(found.caption())
    say_warnings(found.warnings)


def _show_allocation(pilot: Any, options: dict[str, Any]) -> None:
    from anyofk.cli.output import print_json, print_view, say  # noqa: PLC0415 - loaded on use
    from anyofk.estimates import allocate  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import plain_table  # noqa: PLC0415 - rich is slow to load

    split = allocate(pilot, options["k"], options["draws"])
    if options["as_json"]:
        print_json({"k": options["k"], "draws": options["draws"], "n": split})
    else:
        print_view(plain_table(("problem", "n"), list(split.items())))
    say("the pilot's own draws must not be used again: an n that follows them biases pass@k")
