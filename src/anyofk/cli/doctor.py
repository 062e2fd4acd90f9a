"""Show which isolation level holds on this machine, and what was probed."""

from __future__ import annotations

from typing import Any

import click

from anyofk.cli.options import debug_option, json_option


@click.command("doctor")
@json_option
@debug_option
def command(*, as_json: bool) -> None:
    """Show which isolation level holds on this machine, and what was probed.

    Levels from strong to weak: vm, jail, fence, limits, none. Below fence nothing is judged
    unless --allow-weak says so.
    """
    from anyofk.cli.output import print_json, print_view, say  # noqa: PLC0415 - loaded on use
    from anyofk.judging import survey  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import plain_table  # noqa: PLC0415 - loaded on use

    found = survey()
    if as_json:
        print_json(_json(found))
        return
    facts = [(name, "-" if fact is None else fact) for name, fact in found.facts.items()]
    print_view(plain_table(("level", found.level), facts))
    rows = [[row.name, _held(row.holds), row.how] for row in found.rows]
    print_view(plain_table(("protection", "holds", "how"), rows))
    for level, reason in found.refused.items():
        say(f"level {level} does not hold here: {reason}")
    for remedy in dict.fromkeys(row.remedy for row in found.rows if row.remedy):
        say(f"hint: {remedy}")


def _json(found: Any) -> dict[str, Any]:
    protections = [
        {"name": row.name, "holds": row.holds, "how": row.how, "remedy": row.remedy}
        for row in found.rows
    ]
    return {
        "level": found.level,
        "probes": found.probes,
        "refused": found.refused,
        "facts": found.facts,
        "protections": protections,
    }


def _held(holds: bool | None) -> str:  # noqa: FBT001 - the value itself is worded
    return {True: "yes", False: "no", None: "not probed"}[holds]
