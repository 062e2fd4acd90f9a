"""What a provider is: the one door between us and a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from anyofk.drawing.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a provider can do.

    Attributes
    ----------
    most
        The most replies that one request may ask for.
    seeds
        Whether it takes a seed.
    logprobs
        Whether it can give log-probabilities.
    completions
        Whether it can go on with a text, beside chat.
    """

    most: int = 1
    seeds: bool = True
    logprobs: bool = False
    completions: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: so many replies to one prompt.

    Attributes
    ----------
    problem, draws
        Whose prompt it is, and the indices that the replies are to have.
    prompt, system
        The text, and what is said before it in a chat.
    seed
        The seed of the first of the replies, or none.
    turns
        What was said before in this conversation: pairs of the model's reply and what it was
        told then.
    """

    problem: str
    draws: tuple[int, ...]
    prompt: str
    system: str = ""
    seed: int | None = None
    turns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One reply as it came; ``earlier`` has the turns of its conversation before it."""

    text: str
    finish_reason: str = ""
    reasoning: str = ""
    tokens: int | None = None
    earlier: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a server counted; none where it told nothing that can be true."""

    prompt: int | None = None
    completion: int | None = None


@dataclass(frozen=True, slots=True)
class Came:
    """What came back: perhaps fewer replies than were asked for, never more, at least one."""

    choices: tuple[Choice, ...]
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    fingerprint: str = ""


class Trouble(Exception):  # noqa: N818 - not an error of ours: one try that brought nothing
    """One try that brought nothing, and what that means for the next.

    Attributes
    ----------
    message
        What happened, in one line.
    again
        Whether trying again may help.
    after
        Seconds that the server wants us to wait.
    busy
        Whether the server has too much to do, so that fewer should ask.
    shrink
        Whether fewer replies at a time may help.
    fatal
        Whether no other question can fare better.
    usage
        What the try cost, where the server told.
    status
        The status of an HTTP answer, or none where there was no such answer.
    """

    def __init__(
        self,
        message: str,
        *,
        again: bool = True,
        after: float | None = None,
        busy: bool = False,
        shrink: bool = False,
        fatal: bool = False,
        usage: Usage | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.again = again
        self.after = after
        self.busy = busy
        self.shrink = shrink
        self.fatal = fatal
        self.usage = usage or Usage()
        self.status = status


@dataclass(frozen=True)
class ProviderOptions:
    """What a provider is made from.

    Attributes
    ----------
    model
        The model's name, or what else stands behind the colon of ``provider:model``.
    sampling
        How it is asked.
    completions
        Whether prompts are texts to go on with, not chats.
    choices
        The most replies a request, where the provider lets one choose.
    server
        Address of the server.
    key_variable
        Name of the environment variable that holds the key; the key itself stands nowhere.
    concurrency
        The most requests at a time.
    timeout
        Seconds for one request.
    environment
        The environment's variables.
    """

    model: str
    sampling: Sampling = field(default_factory=Sampling)
    completions: bool = False
    choices: int = 1
    server: str | None = None
    key_variable: str | None = None
    concurrency: int = 8
    timeout: float = 600.0
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


@runtime_checkable
class Provider(Protocol):
    """A model that can be asked. It is made from `ProviderOptions`, and used from one event loop.

    A fault of the server is a `Trouble`, never a reply.
    """

    abilities: Abilities

    async def open(self) -> dict[str, Any]:
        """Get ready, and say what serves: facts that stay the same while the model does."""
        ...

    async def ask(self, question: Question) -> Came:
        """Ask once; raise `Trouble` if nothing came."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
