"""One line for people from hostile text: short, and without control characters."""

from __future__ import annotations

import re
import reprlib
from typing import Any, Final

MAX_LENGTH: Final = 500
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_PART: Final = 120
_VALUE: Final = 200


def one_line(text: str, length: int = MAX_LENGTH) -> str:
    r"""Escape control, direction and surrogate characters, and cut.

    Examples
    --------
    >>> one_line("red\x1b[31m\nnext")
    'red\\x1b[31m\\nnext'
    """
    line = _UNSAFE.sub(_escaped, text[: 2 * length])
    return line if len(line) <= length else line[: length - 3] + "..."


def _escaped(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape", "surrogatepass").decode("ascii")


def shown(value: Any) -> str:
    """Write a value of exact builtin types in short."""
    try:
        text = _SHORT.repr(value)
    except Exception:  # noqa: BLE001 -- a hostile value may fail anywhere in its repr
        return f"<{type(value).__name__}>"
    return text if len(text) <= _VALUE else text[: _VALUE - 3] + "..."


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 8
        self.maxstring = self.maxother = _PART
        self.maxlong = 60

    def repr1(self, value: Any, level: int) -> str:
        if hasattr(type(value), "_conversation"):
            return f"<{object.__getattribute__(value, '_kind')} object of the program>"
        return super().repr1(value, level)

    def repr_int(self, value: int, level: int) -> str:
        if value.bit_length() > 2000:  # noqa: PLR2004 -- far below the limit of int to text
            return f"<an int of {value.bit_length()} bits>"
        return super().repr_int(value, level)


_SHORT: Final = _Short()
