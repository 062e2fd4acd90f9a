"""Other readings of a block that is no program as it stands.

Each takes off a wrapping that something put around every line or character (a diff, a
transcript, line numbers, HTML, a terminal's blanks). None mends what the model wrote: a
missing colon or a typographic quote stays a syntax error.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator

_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
_PLAIN = re.compile(r"^(?:async def|def|class|import|from|@\w)", re.MULTILINE)
_CELL = re.compile(r"^[ \t]*(?:In \[\d{0,5}\]:|\.{3,9}:)[ ]?")
_NUMBER = re.compile(r"^[ \t]*(\d{1,6})(?:[ ]?[|:\u2502][ ]?|[.)\t][ ]?|[ ]{2})?")
_QUOTED = re.compile(r"^[ \t]*>[ ]?")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_ODD_BLANKS = str.maketrans(
    dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2007\u2009\u202f\u3000", " ")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None)
)
_DIFF_HEAD = ("diff ", "index ", "--- ", "+++ ", "@@", "\\ No newline", "new file", "old mode")


def _dedented(text: str) -> str | None:
    return textwrap.dedent(text) if text[:1] in {" ", "\t"} else None


def _first_line(text: str) -> str | None:
    """Give the first line the indent that the rest leaves for it."""
    head, feed, rest = text.partition("\n")
    return head.lstrip() + feed + rest if head[:1] in {" ", "\t"} else None


def _unquoted(text: str) -> str | None:
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not all(_QUOTED.match(line) for line in lines):
        return None
    return "\n".join(_QUOTED.sub("", line) for line in text.split("\n"))


def _from_transcript(text: str) -> str | None:
    if _PLAIN.search(text):  # a program with examples in its docstrings
        return None
    lines = text.split("\n")
    for pattern in (_PROMPT, _CELL):
        taken = [pattern.sub("", line) for line in lines if pattern.match(line)]
        if taken:
            return "\n".join(taken)
    return None


def _from_diff(text: str) -> str | None:
    """The new side of a unified diff."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    marked = sum(line[0] in "+-@ " or line.startswith(_DIFF_HEAD) for line in full)
    if marked < len(full) or not any(line[0] in "+@" for line in full):
        return None
    body = [line for line in lines if not line.startswith((*_DIFF_HEAD, "-"))]
    return "\n".join(line[1:] if line[:1] in {"+", " "} else line for line in body)


def _from_replacement(text: str) -> str | None:
    if "REPLACE" not in text or "SEARCH" not in text:
        return None
    return "\n".join(_new_sides(text)) or None


def _new_sides(text: str) -> Iterator[str]:
    position = 0
    while (search := text.find("<<<<<<< SEARCH", position)) >= 0:
        middle = text.find("\n=======", search)
        end = text.find(">>>>>>> REPLACE", middle)
        if middle < 0 or end < 0:
            return
        yield text[text.find("\n", middle + 1) + 1 : end]
        position = end


def _unnumbered(text: str) -> str | None:
    lines = text.split("\n")
    marks = [_NUMBER.match(line) for line in lines if line.strip()]
    numbers = [int(mark[1]) for mark in marks if mark]
    start = numbers[0] if numbers else 0
    if len(numbers) < max(2, len(marks)) or numbers != list(range(start, start + len(numbers))):
        return None
    bare = [_NUMBER.sub("", line) for line in lines]
    shift = all(line[:1] == " " for line in bare if line.strip())
    return "\n".join(line[1:] if shift else line for line in bare)


def _unescaped(text: str) -> str | None:
    return html.unescape(text) if _ENTITY.search(text) else None


def _plain_blanks(text: str) -> str | None:
    plain = text.translate(_ODD_BLANKS)
    return plain if plain != text else None


def _real_line_feeds(text: str) -> str | None:
    if "\\n" not in text or "\n" in text.strip():
        return None
    words = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\'": "'", "\\\\": "\\"}
    return re.sub(r"\\[nt\"'\\]", lambda found: words[found.group()], text)


def _without_magics(text: str) -> str | None:
    lines = text.split("\n")
    kept = [line for line in lines if line[:1] not in {"%", "!"}]
    return "\n".join(kept) if len(kept) < len(lines) else None


Reading = tuple[str, Callable[[str], str | None]]
READINGS: tuple[Reading, ...] = (
    ("took off the indent of the whole block", _dedented),
    ("mended the first line's indent", _first_line),
    ("took off quote marks", _unquoted),
    ("read a transcript of the interpreter", _from_transcript),
    ("read the new side of a diff", _from_diff),
    ("read the replacing side of an edit", _from_replacement),
    ("took off line numbers", _unnumbered),
    ("read escaped HTML", _unescaped),
    ("read odd blanks as plain ones", _plain_blanks),
    ("read escaped line ends", _real_line_feeds),
)
CELL_READINGS: tuple[Reading, ...] = (
    ("left out the notebook's own commands", _without_magics),
    *READINGS,
)


def readings(text: str, *, cell: bool = False) -> Iterator[tuple[str, str]]:
    """Give each other reading that applies, with what it did."""
    for note, read in CELL_READINGS if cell else READINGS:
        other = read(text)
        if other is not None and other.strip():
            yield other, note
