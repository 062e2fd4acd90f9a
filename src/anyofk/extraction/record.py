"""What an extraction says: a status, the program, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Status = Literal["ok", "no_code", "truncated", "syntax_error", "missing_entry_point"]
ReplyMode = Literal["function", "completion", "stdin", "method"]

STATUSES: tuple[str, ...] = get_args(Status)
REPLY_MODES: tuple[str, ...] = get_args(ReplyMode)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program that a reply holds, or the reason why it holds none.

    Attributes
    ----------
    status
        ``ok``: a program that parses and defines what the tests call.
        ``no_code``: nothing in the reply is an answer in Python.
        ``truncated``: the token limit came before a whole answer.
        ``syntax_error``: the answer does not parse.
        ``missing_entry_point``: there is code, but not under the name that the tests call.
    code
        The whole program to run, ending in one line feed, with what it needs from other
        blocks and from the prompt. Unmended text where the status is ``syntax_error`` or
        ``missing_entry_point``; none where it is ``no_code`` or ``truncated``.
    adapter
        The expression that stands in for the entry point where the answer has another shape
        (``Solution().name``); the line that binds it ends the code.
    notes
        Which part was chosen and why, and what was done to read it, in order.
    found
        The names that the code defines instead, where the entry point is missing.
    """

    status: Status
    code: str | None = None
    adapter: str | None = None
    notes: tuple[str, ...] = ()
    found: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a program to judge."""
        return self.status == "ok"

    @property
    def why(self) -> str:
        """The notes as one line."""
        return "; ".join(self.notes)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        data = asdict(self)
        return {**data, "notes": list(self.notes), "found": list(self.found)}
