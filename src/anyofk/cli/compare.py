"""Compare two runs or more on the same problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from anyofk.cli.options import attempts_option, debug_option, json_option, level_option, runs_option


@click.command("compare")
@click.argument("runs", nargs=-1, required=True)
@attempts_option
@level_option
@click.option(
    "--interval",
    type=click.Choice(["auto", "t", "conservative"]),
    default="auto",
    show_default=True,
    help="How intervals are made; conservative holds its level where few problems differ.",
)
@click.option(
    "--despite",
    multiple=True,
    metavar="NAME",
    help="A difference between the runs that is on purpose, such as temperature. May be repeated.",
)
@click.option("--cluster", is_flag=True, help="Treat problems of one cluster as dependent.")
@click.option(
    "--fail-if-worse",
    type=click.FloatRange(0, 1),
    default=None,
    metavar="MARGIN",
    help="Exit with 1 unless B is shown to be at most this much worse than A at every k, or no "
    "problem came out worse.",
)
@click.option(
    "--movers", type=click.IntRange(min=1), default=None, help="List so many problems that moved."
)
@click.option("--plot", is_flag=True, help="Draw the difference over all k, with its band.")
@click.option("--svg", type=click.Path(dir_okay=False), default=None, help="Write a picture here.")
@click.option(
    "--adjust",
    type=click.Choice(["holm", "benjamini-hochberg"]),
    default="holm",
    show_default=True,
    help="How p-values of several pairs are corrected.",
)
@runs_option
@json_option
@debug_option
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Compare two runs or more on the same problems.

    Each of RUNS is a stored run (a name, a unique prefix or a path) or a file of counts or
    results. With two, A and B, it shows B less A; with more, every pair and a rank interval
    for each. Runs that differ in more than the model are refused.
    """
    from anyofk.cli.inputs import notes_of, open_counts, stack_of  # noqa: PLC0415 - loaded on use
    from anyofk.cli.output import say  # noqa: PLC0415 - loaded on use

    _check(options)
    stack = stack_of(context)
    opened = {
        given: open_counts(given, options["folder"], stack)
        for given in dict.fromkeys(options["runs"])
    }
    for note in (note for each in opened.values() for note in notes_of(each)):
        say(f"note: {note}")
    show = _show_pair if len(options["runs"]) == 2 else _show_all  # noqa: PLR2004 - A and B
    context.exit(show([(given, opened[given]) for given in options["runs"]], options))


def _check(options: dict[str, Any]) -> None:
    given = options["runs"]
    if len(given) < 2:  # noqa: PLR2004 - a comparison needs two
        raise click.UsageError("compare needs two runs or more")
    twice = [name for name in given if given.count(name) > 1]
    if twice and len(given) > 2:  # noqa: PLR2004 - a run may be held against itself, alone
        raise click.UsageError(f"{twice[0]!r} is given twice")
    for_two = [name for name in ("fail_if_worse", "movers", "plot", "svg") if _given(options, name)]
    if len(given) > 2 and for_two:  # noqa: PLR2004
        option = for_two[0].replace("_", "-")
        raise click.UsageError(f"--{option} is for two runs, A and B")


def _given(options: dict[str, Any], name: str) -> bool:
    return options[name] not in (None, False)


def _show_pair(opened: Sequence[tuple[str, Any]], options: dict[str, Any]) -> int:
    from anyofk.cli.output import print_json, say, say_warnings  # noqa: PLC0415 - loaded on use
    from anyofk.cli.pictures import write_text  # noqa: PLC0415 - loaded on use
    from anyofk.comparison import compare  # noqa: PLC0415 - loaded on use

    (_, a), (_, b) = opened
    found = compare(a, b, _attempts(opened, options), **_options(options))
    gate = _gate(found, options["fail_if_worse"])
    if options["as_json"]:
        print_json(_pair_json(found, options, gate))
    else:
        _print_pair(found, options)
    if options["svg"]:
        write_text(options["svg"], found.svg(), "--svg")
    say_warnings(found.warnings)
    if gate is False:
        say(_gate_words(found, options["fail_if_worse"]))
    return 1 if gate is False else 0


def _show_all(opened: Sequence[tuple[str, Any]], options: dict[str, Any]) -> int:
    from anyofk.cli.output import print_json, print_view, say_warnings  # noqa: PLC0415
    from anyofk.comparison import compare_all  # noqa: PLC0415 - loaded on use
    from anyofk.reports.differences import ranking_view  # noqa: PLC0415 - rich is slow to load

    found = compare_all(
        dict(opened),
        _attempts(opened, options),
        adjustment=options["adjust"],
        **_options(options),
    )
    if options["as_json"]:
        print_json(found.to_json())
    else:
        print_view(ranking_view(found))
    say_warnings(found.warnings)
    return 0


def _attempts(opened: Sequence[tuple[str, Any]], options: dict[str, Any]) -> tuple[int, ...]:
    """Give pass@1 first, then what was asked for, or the usual k that all of them allow."""
    from anyofk.reports.summary import usual_k  # noqa: PLC0415 - loaded on use

    asked = options["attempts"] or min((usual_k(each.counts()) for _, each in opened), key=len)
    return tuple(dict.fromkeys((1, *asked)))


def _options(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "level": options["level"],
        "interval": options["interval"],
        "despite": [name for each in options["despite"] for name in each.split(",")],
        "cluster": "cluster" if options["cluster"] else None,
    }


def _gate(found: Any, margin: float | None) -> bool | None:
    return None if margin is None else found.not_worse(margin)


def _gate_words(found: Any, margin: float) -> str:
    worst = min(found.values(), key=lambda each: each.low)
    return (
        f"gate failed: {found.name_b} is not shown to be at most {margin:g} worse than "
        f"{found.name_a}: at k = {worst.k} the interval reaches {worst.low:+.4f}"
    )


def _pair_json(found: Any, options: dict[str, Any], gate: bool | None) -> dict[str, Any]:  # noqa: FBT001 - a value, not a switch
    written: dict[str, Any] = found.to_json()
    if options["fail_if_worse"] is not None:
        written |= {"margin": options["fail_if_worse"], "not_worse": gate}
    if options["movers"]:
        written["movers"] = [each.to_json() for each in found.movers(most=options["movers"])]
        written["shift"] = [each.to_json() for each in found.shift()]
    return written


def _print_pair(found: Any, options: dict[str, Any]) -> None:
    from anyofk.cli.output import data_console  # noqa: PLC0415 - loaded on use
    from anyofk.reports.differences import comparison_view  # noqa: PLC0415 - rich is slow to load

    console = data_console()
    console.print(comparison_view(found, console.width, movers=options["movers"] or 0))
    if options["plot"]:
        plain = not console.encoding.lower().startswith("utf")
        plot = found.text_plot(min(console.width, 100), ascii_only=plain)
        console.print(plot, no_wrap=True, overflow="ignore", crop=False)
