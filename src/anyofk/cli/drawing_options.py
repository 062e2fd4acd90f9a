"""The options of drawing: from whom, how, and when to stop."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def _pairs(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Read NAME=VALUE, several times."""
    del context
    for value in values:
        if "=" not in value:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE", param=option)
    return dict(value.split("=", 1) for value in values)


def _fields(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """Read NAME=JSON, several times; what is no JSON is text."""
    return {name: _value(text) for name, text in _pairs(context, option, values).items()}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _price(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    del context
    if value is None:
        return None
    try:
        prompt, completion = (float(part) for part in value.split(","))
    except ValueError as error:
        raise click.BadParameter(
            f"{value!r} is not IN,OUT such as 2.0,8.0", param=option
        ) from error
    return prompt, completion


def _configured(context: click.Context, option: click.Parameter, path: str | None) -> None:
    """Let a file say what flags do not."""
    if path is None:
        return
    try:
        read = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{path}: {error}", param=option) from error
    known = {_long(one): one for one in context.command.params}
    if unknown := [name for name in read if name not in known]:
        raise click.BadParameter(f"{path}: no option is called {unknown[0]!r}", param=option)
    context.default_map = {str(known[name].name): _given(name, read[name]) for name in read}


def _long(option: click.Parameter) -> str:
    return max(option.opts, key=len).lstrip("-")


def _given(option: str, value: Any) -> Any:
    """Write a table as the repeated flags would, and a list of k as -k would."""
    if isinstance(value, dict):
        write = json.dumps if option == "param" else str
        return [f"{name}={write(each)}" for name, each in value.items()]
    if isinstance(value, list) and all(type(each) is int for each in value):
        return ",".join(map(str, value))
    return value


_WHOM = (
    click.option(
        "--config",
        type=click.Path(dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=_configured,
        help="TOML file with options by their long names; flags go before it.",
    ),
    click.option(
        "--model",
        required=True,
        metavar="PROVIDER:NAME",
        help="openai:NAME of a server, local:smollm2, replay:RUN|FILE or command:PROGRAM.",
    ),
    click.option("--revision", default="", help="What you know of the model that it doesn't tell."),
    click.option(
        "--server", metavar="URL", help="Address of the server. Default: OPENAI_BASE_URL."
    ),
    click.option(
        "--key-variable",
        metavar="NAME",
        help="Environment variable that holds the key. Default: OPENAI_API_KEY.",
    ),
)
_HOW = (
    click.option(
        "-n",
        "n",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        help="Draws of each problem.",
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(min=0),
        default=0.8,
        show_default=True,
        help="0 draws without chance, and leaves no pass@k for k above 1.",
    ),
    click.option(
        "--top-p", type=click.FloatRange(0, 1), default=0.95, show_default=True, help="As usual."
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(min=1),
        default=1024,
        show_default=True,
        help="Tokens of a reply; a longer one is cut, and counts as failed.",
    ),
    click.option("--stop", multiple=True, metavar="TEXT", help="Text that ends a reply."),
    click.option(
        "--param",
        "extra",
        multiple=True,
        metavar="NAME=JSON",
        callback=_fields,
        help="Any other field for the server; null leaves a field out.",
    ),
    click.option(
        "--prompt",
        default="chat",
        show_default=True,
        metavar="NAME|FILE",
        help="Prompt template: chat, complete, or a file (docs/drawing.md).",
    ),
    click.option("--completions", is_flag=True, help="Let the model go on with the prompt."),
    click.option(
        "--rounds",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Answers of one conversation: above 1 the model hears what its program did "
        "on the public tests, and repairs it.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the run."),
    click.option("--no-seed", is_flag=True, help="Send no seeds."),
    click.option(
        "--choices",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Replies that one request asks for.",
    ),
)  # fmt: skip - one option a row reads as the table that it is
_REACHED = (
    click.option(
        "--concurrency",
        type=click.IntRange(min=1),
        default=8,
        show_default=True,
        help="Requests at a time, at most.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=600.0,
        show_default=True,
        help="Seconds of one request.",
    ),
    click.option(
        "--tries",
        type=click.IntRange(min=1),
        default=6,
        show_default=True,
        help="Tries in a row that may fail before a draw is given up.",
    ),
    click.option("--max-tokens-total", type=click.IntRange(min=1), help="Stop after so many."),
    click.option("--max-cost", type=click.FloatRange(min=0), help="Stop at this cost."),
    click.option(
        "--max-time",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="Stop drawing after this time.",
    ),
    click.option(
        "--price",
        metavar="IN,OUT",
        callback=_price,
        help="Money for a million tokens of prompt and of reply.",
    ),
)  # fmt: skip - as above
_PROBLEMS = (
    click.option(
        "--problems",
        "problems_source",
        required=True,
        metavar="FILE|NAME",
        help="Problem set: a file, a folder or a name ('anyofk problems list').",
    ),
    click.option(
        "--where",
        multiple=True,
        metavar="FIELD=VALUE",
        callback=_pairs,
        help="Only problems with this value, such as tier=easy or cluster=text.",
    ),
    click.option("--limit", type=click.IntRange(min=1), help="Only so many problems."),
)  # fmt: skip - as above


def drawing_options(function: F) -> F:
    """Add what drawing may depend on."""
    for option in reversed((*_WHOM, *_PROBLEMS, *_HOW, *_REACHED)):
        function = option(function)
    return function
