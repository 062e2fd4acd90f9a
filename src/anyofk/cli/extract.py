"""Show what is taken out of raw replies, and why."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from anyofk.cli.options import debug_option, json_option


@click.command("extract")
@click.argument("file", type=click.Path())
@click.option(
    "--mode",
    type=click.Choice(["function", "completion", "stdin", "method"]),
    default=None,
    help="How replies are read. Default: function, and stdin where there is no entry point.",
)
@click.option("--entry-point", metavar="NAME", help="What the tests call, for every reply.")
@click.option(
    "--problems",
    metavar="SET",
    help="Problem set that the replies answer: gives entry points and prompts.",
)
@json_option
@debug_option
def command(file: str, **options: Any) -> None:
    """Show what is taken out of raw replies, and why.

    FILE is JSON Lines with a field such as reply, response or completion, or one text file
    that is one reply. Nothing is run.
    """
    from anyofk.exchange.replies import read_replies  # noqa: PLC0415 - loaded on use

    problems = _problems(options["problems"])
    show = _show_json if options["as_json"] else _show_text
    seen: Counter[str] = Counter()
    for reply in read_replies(file):
        facts = _extracted(reply, problems, options)
        seen[facts["status"]] += 1
        show(facts)
    _say_counts(seen, file)
    if seen["missing_entry_point"] and not any(
        options[name] for name in ("mode", "entry_point", "problems")
    ):
        _say_what_was_not_told()


def _problems(source: str | None) -> Any:
    if source is None:
        return None
    from anyofk.problems import read_problems  # noqa: PLC0415 - loaded on use

    return read_problems(source)


def _extracted(reply: Any, problems: Any, options: dict[str, Any]) -> dict[str, Any]:
    from anyofk.extraction import extract  # noqa: PLC0415 - loaded on use

    problem = problems[reply.problem] if problems is not None else None
    known = (options["entry_point"], reply.entry_point, getattr(problem, "entry_point", None))
    entry_point = next((name for name in known if name), None)
    prompt = reply.prompt if reply.prompt is not None else getattr(problem, "prompt", "")
    found = extract(
        reply.text,
        mode=options["mode"] or ("function" if entry_point else "stdin"),
        entry_point=entry_point,
        prompt=prompt,
        finish_reason=reply.finish_reason,
    )
    return {"place": reply.place, "problem": reply.problem, **found.to_json()}


def _show_json(facts: dict[str, Any]) -> None:
    from anyofk.cli.output import print_json  # noqa: PLC0415 - loaded on use

    print_json(facts)


def _show_text(facts: dict[str, Any]) -> None:
    from anyofk.reports import printable, printable_lines  # noqa: PLC0415 - loaded on use

    name = f" {facts['problem']}" if facts["problem"] else ""
    click.echo(printable(f"{facts['place']}{name}: {facts['status']}"))
    for note in facts["notes"]:
        click.echo(f"  {printable(note)}")
    for line in printable_lines(facts["code"] or "").rstrip("\n").split("\n"):
        click.echo(f"    {line}".rstrip())


def _say_counts(seen: Counter[str], file: str) -> None:
    from anyofk.cli.output import say  # noqa: PLC0415 - loaded on use

    parts = ", ".join(f"{status} {number}" for status, number in seen.most_common())
    number = "1 reply" if seen.total() == 1 else f"{seen.total()} replies"
    say(f"{file}: {number}" + (f" ({parts})" if parts else ""))


def _say_what_was_not_told() -> None:
    from anyofk.cli.output import say  # noqa: PLC0415 - loaded on use

    say("hint: where tests call a function, name it: --entry-point NAME or --problems SET")
