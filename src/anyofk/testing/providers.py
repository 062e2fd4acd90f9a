"""The contract kit of providers: what each must hold, checked by asking it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from anyofk.drawing import Came, Provider, Question
from anyofk.errors import AnyofkError
from anyofk.records import canonical_json, to_plain


def check_provider(
    make: Callable[[], Provider], prompt: str = "Say yes.", problem: str = "p"
) -> None:
    """Ask a provider, and refuse it with all promises that it does not keep.

    Parameters
    ----------
    make
        Makes the provider anew.
    prompt, problem
        What it is asked, and the id of the problem that this is to be.

    Raises
    ------
    AssertionError
        It gives more replies than asked for or none, a reply that is no text or has no reason
        for its end, counts that cannot be true, or facts that are not plain or change.
    """
    broken = [*asyncio.run(_asked(make(), prompt, problem)), *_facts(make)]
    if broken:
        listed = "\n".join(f"  {line}" for line in broken)
        raise AssertionError(f"{len(broken)} promises of a provider not kept:\n{listed}")


async def _asked(provider: Provider, prompt: str, problem: str) -> list[str]:
    """Ask for one reply, and for as many as it claims to give at a time."""
    most = provider.abilities.most
    if type(most) is not int or most < 1:
        return [f"abilities.most is {most!r}, and must be a whole number from 1"]
    broken: list[str] = []
    await provider.open()
    try:
        for number in dict.fromkeys((1, most)):
            seed = 1 if provider.abilities.seeds else None
            question = Question(problem, tuple(range(number)), prompt, seed=seed)
            broken += _came(await provider.ask(question), number)
    finally:
        await provider.close()
    return broken


def _came(came: Came, asked: int) -> list[str]:
    broken = []
    if not 1 <= len(came.choices) <= asked:
        broken.append(f"{len(came.choices)} replies came where {asked} were asked for")
    said: list[tuple[Any, Any, Any]] = [
        (choice.text, choice.reasoning, choice.finish_reason) for choice in came.choices
    ]
    if not all(isinstance(text, str) for each in said for text in each):
        broken.append("a reply, its reasoning or the reason for its end is no text")
    if not all(reason for _, _, reason in said):
        broken.append("a reply has no reason for its end: then it is a Trouble, not a reply")
    counts = [count for count in (came.usage.prompt, came.usage.completion) if count is not None]
    broken += [
        f"a count of tokens is {count!r}" for count in counts if type(count) is not int or count < 0
    ]
    return broken


def _facts(make: Callable[[], Provider]) -> list[str]:
    """The same model must say the same of itself, else no run could be gone on with."""
    said = [asyncio.run(_opened(make())) for _ in range(2)]
    try:
        written = [canonical_json(to_plain(facts)) for facts in said]
    except AnyofkError as error:
        return [f"what it says of itself is not plain: {error}"]
    return [] if written[0] == written[1] else ["it says other things of itself each time"]


async def _opened(provider: Provider) -> dict[str, Any]:
    try:
        return await provider.open()
    finally:
        await provider.close()
