"""Read files of raw replies: what models said, before anything is taken out of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyofk.errors import CandidateFileError
from anyofk.exchange.entries import fault
from anyofk.problems.rows import Row, decoded, iterate_rows, open_data

_TEXTS: Final = (
    *("reply", "raw", "response", "raw_solution"),
    *("completion", "generation", "program", "solution", "text"),
)
_IDS: Final = ("problem", "task_id", "question_id", "problem_id")


@dataclass(frozen=True, slots=True)
class RawReply:
    """One reply as a model gave it, and what the file says about it.

    Attributes
    ----------
    text
        The reply; empty where the file has null.
    place
        Where it stands: the file, and its line.
    problem
        The id of the problem that it answers; empty where the file says none.
    entry_point, prompt
        What the line itself says about its problem; none where it says nothing.
    finish_reason
        Why the model stopped; ``stop`` where the file says nothing.
    """

    text: str
    place: str
    problem: str = ""
    entry_point: str | None = None
    prompt: str | None = None
    finish_reason: str = "stop"


def read_replies(path: str | Path) -> Iterator[RawReply]:
    """Read raw replies from JSON Lines, a JSON array, or one text file that is one reply.

    A file is JSON if its name says so (``.json``, ``.jsonl``, also with ``.gz``), and else text.

    Raises
    ------
    CandidateFileError
        A line holds no reply, or a field is not text.
    DataError
        The file cannot be read.
    """
    path = Path(path)
    with open_data(path) as stream:
        if not path.name.removesuffix(".gz").endswith((".json", ".jsonl")):
            yield RawReply(decoded(stream.read(), path.name), path.name)
            return
        for row in iterate_rows(stream, path.name):
            yield _reply(row)


def _reply(row: Row) -> RawReply:
    name = next((name for name in _TEXTS if name in row.data), None)
    if name is None:
        raise _no_reply(row)
    identifier = next((row.data[key] for key in _IDS if key in row.data), "")
    return RawReply(
        _text(row, name) or "",
        row.place,
        str(identifier),
        _text(row, "entry_point"),
        _text(row, "prompt"),
        _text(row, "finish_reason") or "stop",
    )


def _text(row: Row, name: str) -> str | None:
    value = row.data.get(name)
    if value is None or isinstance(value, str):
        return value
    raise fault(row, name, f"field {name!r} must be text, not {type(value).__name__}")


def _no_reply(row: Row) -> CandidateFileError:
    found = ", ".join(list(row.data)[:12]) or "none"
    wanted = f'a line is like {{"reply": "..."}}; fields that are read: {", ".join(_TEXTS)}'
    return fault(row, "reply", f"no field holds the reply (fields: {found})", wanted)
