"""Find fenced blocks, also those that Markdown's own rules would cut in the wrong place.

A block of Python ends at the first fence line after which its text parses, so that fence lines
inside a docstring do not cut it. Only where no fence line will do is a fence in the middle of a
line taken for the end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from anyofk.extraction.blocks import MARKDOWN, Block, kind_of_tag
from anyofk.extraction.names import is_real
from anyofk.extraction.parsing import Source, parse, whole_lines
from anyofk.extraction.tokens import end_of_turn

# Possessive: a line of blanks or quote marks is read once.
_FENCE = re.compile(
    r"^(?P<lead>[ \t]*+(?:>[ \t]?+)*+[ \t]*+(?:(?:[-*+]|\d{1,3}[.)])[ \t]++)?+)"
    r"(?P<mark>`{3,}+|~{3,}+)(?P<info>.*)$"
)
_CODE = re.compile(r"(?:async[ ]|def[ ]|class[ ]|import[ ]|from[ ]|@\w|print\()")
_TAG = re.compile(r"[ \t{.]*([\w.+#-]{1,40})")
_END_TOKEN = re.compile(r"(?:<[|\uff5c][^<>\n]{1,40}>|</?[a-z_]{1,20}>|\s)+", re.IGNORECASE)
_TRIES = 24  # fence lines that may be the end of one block
_LEAST_GUESSES = 500_000  # characters parsed to find the ends of blocks


@dataclass(frozen=True, slots=True)
class _Line:
    at: int
    lead: str
    mark: str
    info: str

    tag: str
    bare: bool
    """Whether it can close a block: nothing follows but tokens and tags."""

    @classmethod
    def of(cls, at: int, match: re.Match[str]) -> _Line:
        info = match["info"]
        tag = _TAG.match(info)
        bare = not info.strip() or bool(_END_TOKEN.fullmatch(info))
        name = tag[1].partition(":")[0].lower() if tag else ""
        return cls(at, match["lead"], match["mark"], info, name, bare)

    def closes(self, opening: _Line) -> bool:
        """Whether this line can end the block that ``opening`` starts."""
        if self.mark[0] != opening.mark[0]:
            return False
        return len(self.mark) >= len(opening.mark) if self.bare else bool(self.tag)


@dataclass(frozen=True, slots=True)
class Scan:
    """The fenced blocks of a text, and the text between them."""

    blocks: list[Block]
    bare: list[tuple[str, bool]]
    """Texts outside fences, each with whether something follows that marks its end."""


def fence_lines(lines: list[str]) -> list[_Line]:
    """Find each line that is a fence."""
    found = []
    for at, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue
        match = _FENCE.match(line)
        if match and not (match["mark"][0] == "`" and "`" in match["info"]):
            found.append(_Line.of(at, match))
    return found


def _unindented(lines: list[str], lead: str) -> str:
    quotes = lead.count(">")
    width = len(lead.expandtabs(4))
    if quotes:
        taken = [re.sub(rf"^[ \t]*+(?:>[ ]?+){{1,{quotes}}}", "", line) for line in lines]
    else:
        taken = [_less_indent(line, width) for line in lines]
    return "\n".join(taken)


def _less_indent(line: str, width: int) -> str:
    if line[:1] == "\t" and width:
        return line[1:] if width <= 4 else line.lstrip("\t")  # noqa: PLR2004 - a tab's width
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(width, blanks) :]


class _Scanner:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.fences = fence_lines(self.lines)
        self.blocks: list[Block] = []
        self.bare: list[tuple[str, bool]] = []
        marked = ('"""' in line or "'''" in line for line in self.lines)
        self.strings = list(accumulate(marked, initial=0))
        self.guesses = max(_LEAST_GUESSES, 4 * len(text))

    def run(self) -> Scan:
        position = number = 0
        if self.fences and self._begins_inside(self.fences[0]):
            position, number = self.fences[0].at + 1, 1
        while number < len(self.fences):
            opening = self.fences[number]
            if opening.at < position or opening.tag in MARKDOWN:
                number += 1
                continue
            self._text(position, opening.at, followed=True)
            position = self._block(opening, number)
            number += 1
        self._text(position, len(self.lines), followed=False)
        return Scan(self.blocks, self.bare)

    def _text(self, start: int, stop: int, *, followed: bool) -> None:
        text = "\n".join(self.lines[start:stop])
        if text.strip():
            self.bare.append((text, followed))

    def _begins_inside(self, first: _Line) -> bool:
        """Take what stands before a lone closing fence, when the model's prompt opened it."""
        source = Source("\n".join(self.lines[: first.at]))
        if not first.bare or not any(is_real(s) for s in source.statements):
            return False
        self.blocks.append(Block(source.text, "python", "the text before the first fence"))
        return True

    def _block(self, opening: _Line, number: int) -> int:
        """Add the block that a fence opens; give the line after it."""
        kind = kind_of_tag(opening.tag) if opening.tag else "untagged"
        start = opening.at + 1
        head = opening.info.strip() if _CODE.match(opening.info.strip()) else None
        if head is not None:
            kind = "python"
        stop = self._stop(opening, number, guided=kind in {"python", "untagged"})
        body = _unindented(self.lines[start : stop[0]], opening.lead)
        text = body if head is None else f"{head}\n{body}"
        where = f"the block at line {opening.at + 1}"
        if stop[0] >= len(self.lines):
            text, closed = _glued(text, guided=kind in {"python", "untagged"})
            self.blocks.append(Block(text, kind, where, closed=closed))
        else:
            self.blocks.append(Block(text, kind, where, loose=stop[0] == stop[1]))
        return stop[1]

    def _stop(self, opening: _Line, number: int, *, guided: bool) -> tuple[int, int]:
        """Where a block ends: the line of its end, and the line after that."""
        first = None
        for place in self._places(opening, number):
            if first is not None and self.strings[place[0]] == self.strings[opening.at]:
                continue  # a fence line within a program stands in a string of several lines
            first = first or place
            if not guided or self.guesses <= 0:
                return first
            text = _unindented(self.lines[opening.at + 1 : place[0]], opening.lead)
            self.guesses -= len(text) + 100
            if text.strip() and isinstance(parse(text), ast.Module):
                return place
        return first or (len(self.lines), len(self.lines))

    def _places(self, opening: _Line, number: int) -> Iterator[tuple[int, int]]:
        """The lines where a block may end, each with the line after it."""
        until = number + 1 + _TRIES
        for fence in self.fences[number + 1 : until]:
            if fence.closes(opening):
                yield fence.at, fence.at + fence.bare
        if until >= len(self.fences):
            yield len(self.lines), len(self.lines)


def _glued(text: str, *, guided: bool) -> tuple[str, bool]:
    """End an unclosed block at a fence in the middle of a line, or at a token, if it must."""
    turn = end_of_turn(text)
    if not guided:
        return (text if turn is None else text[:turn]), False
    if Source(text).tree is not None:
        return text, False
    position = 0
    for _ in range(_TRIES):
        position = text.find("```", position)
        if position < 0:
            break
        if Source(text[:position]).tree is not None:
            return text[:position], True
        position += 3
    if turn is not None:
        return text[:turn], True
    return text, False


def scan(text: str) -> Scan:
    """Find the fenced blocks of a text."""
    return _Scanner(text).run()


def prefix_that_parses(text: str) -> tuple[str, str]:
    """Split a text into the lines that are a program, and the rest."""
    lines = text.split("\n")
    count = whole_lines(text)
    return "\n".join(lines[:count]), "\n".join(lines[count:])
