"""Replies: what a model said, raw, and the request that it came with."""

from __future__ import annotations

from dataclasses import dataclass

from anyofk.records.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply as a model gave it, before anything is taken out of it.

    Attributes
    ----------
    problem, draw
        What it answers, and its index among the problem's n.
    text
        The reply. Empty text is an answer too.
    reasoning
        What the model thought, where the server keeps it apart from the reply.
    finish_reason
        Why the model stopped; ``length`` means that it was cut.
    seed
        The seed that it was drawn with, where the server was given one for this draw alone.
    tokens
        How many tokens it took, where that is known for this reply alone.
    earlier
        The turns before it, where it ends a conversation: pairs of the model's reply and what
        it was told then.
    """

    problem: str
    draw: int
    text: str
    reasoning: str = ""
    finish_reason: str = ""
    seed: int | None = None
    tokens: int | None = None
    earlier: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a model, successful or not, and what it cost.

    Attributes
    ----------
    problem
        The problem that was asked.
    asked, came
        How many replies were asked for, and how many came back whole.
    seconds
        Of all tries together, without the waiting between them.
    tries
        How often it was sent.
    prompt_tokens, completion_tokens
        What the server counted, over all tries that it told about; none where it told nothing.
    cost
        Money, where a price is known.
    model, fingerprint
        What the server says of itself.
    error
        Why nothing came, else empty.
    """

    problem: str
    asked: int
    came: int = 0
    seconds: float = 0.0
    tries: int = 1
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    model: str = ""
    fingerprint: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with the candidate that was taken out of it, and why this one.

    Attributes
    ----------
    candidate
        The program to be judged.
    reply
        Where it comes from.
    notes
        How it was taken out.
    tree
        The id of the program's syntax tree: equal for programs that differ in layout, comments
        and docstrings alone. Empty where there is no program.
    """

    candidate: Candidate
    reply: Reply
    notes: str = ""
    tree: str = ""
