"""Text of unknown origin, made safe for a terminal: no escape, no control, no lone surrogate."""

from __future__ import annotations


def printable(text: str, *, most: int | None = None) -> str:
    r"""Escape whatever is not printable, and cut what is longer than wanted.

    Line ends, terminal escapes and marks that turn the reading direction are escaped too.

    Examples
    --------
    >>> printable("a\x1b[31m\n")
    'a\\x1b[31m\\n'
    """
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def printable_lines(text: str) -> str:
    """Escape as `printable` does, but keep the line ends."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", errors="backslashreplace").decode("ascii")
