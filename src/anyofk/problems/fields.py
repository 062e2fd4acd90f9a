"""Typed access to the fields of a row; a wrong one is refused by name."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any, Final

from anyofk.errors import ProblemError, shown
from anyofk.problems.rows import Row
from anyofk.records import identifier

_WORDS: Final[dict[type, str]] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
}
_MOST: Final = 1 << 53
_IDS: Final = ("id", "task_id", "question_id", "problem_id")


class Fields:
    """The fields of one row, or of a table inside it.

    Parameters
    ----------
    row
        The row, for the place in messages.
    data
        The table to read; the row's own by default.
    path
        How the table is reached inside the row, such as ``hidden.calls[2].``.
    """

    def __init__(self, row: Row, data: dict[str, Any] | None = None, path: str = "") -> None:
        self.row = row
        self.data = row.data if data is None else data
        self.path = path

    def only(self, known: Collection[str]) -> None:
        """Refuse fields that nothing reads."""
        for name in self.data:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"fields: {', '.join(known)}"
                raise self.fault(name, f"unknown field {self.path + name!r}", hint)

    def text(self, name: str, default: str | None = None) -> str:
        """Read text; without a default it must be there."""
        return str(self._typed(name, str, default))

    def identifier(self, name: str) -> str:
        """Read an id: text, or a whole number of any length."""
        value: Any = self.data.get(name)
        if type(value) not in {str, int}:
            raise self.fault(name, f"field {self.path + name!r} must be text, not {shown(value)}")
        return identifier(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Read true or false."""
        return bool(self._typed(name, bool, default))

    def table(self, name: str) -> dict[str, Any]:
        """Read a table; an absent one is empty."""
        return dict(self._typed(name, dict, {}))

    def items(self, name: str, default: list[Any] | None = None) -> list[Any]:
        """Read a list; without a default it must be there."""
        return list(self._typed(name, list, default))

    def number(self, name: str, *, whole: bool = False) -> float | None:
        """Read a number above zero, or none where it is absent."""
        if self.data.get(name) is None:
            return None
        value = self._typed(name, int if whole else float, None)
        bound = "below 2**53" if value > 0 else "above 0"
        if not 0 < value < _MOST:
            raise self.fault(
                name,
                f"field {self.path + name!r} must be {bound}, not {shown(value)}",
            )
        return value  # type: ignore[no-any-return]  # checked to be a number

    def one_of(self, name: str, known: Collection[str], default: str) -> str:
        """Read one word of a closed list."""
        value = self.text(name, default)
        if value not in known:
            raise self.fault(
                name,
                f"field {self.path + name!r} is {shown(value)}",
                f"one of: {', '.join(word for word in known if word)}",
            )
        return value

    def fault(self, name: str, message: str, hint: str = "") -> ProblemError:
        """Make the error for one field: with file, line, problem and field."""
        return ProblemError(
            f"{self.row.place}: {message}",
            hint=hint or "see docs/problem-format.md",
            field=self.path + name,
            problem=next((self.row.data[k] for k in _IDS if k in self.row.data), None),
            **self.row.facts,
        )

    def _typed(self, name: str, kind: type, default: Any) -> Any:
        value = self.data.get(name)
        if value is None:
            value = default
        if value is None:
            raise self.fault(name, f"field {self.path + name!r} is missing")
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        found = _WORDS.get(type(value), type(value).__name__)
        raise self.fault(name, f"field {self.path + name!r} must be {_WORDS[kind]}, not {found}")
