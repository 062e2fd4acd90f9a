"""Find code that stands in prose without a fence, by what parses."""

from __future__ import annotations

import re

from anyofk.extraction.blocks import Block
from anyofk.extraction.names import is_real
from anyofk.extraction.parsing import Source, last_line, whole_lines

_NAME = r"[A-Za-z_]\w{0,79}"
_START = re.compile(
    rf"[ \t]*+(?:(?:async[ ]+)?def[ ]+{_NAME}|class[ ]+{_NAME}[ ]*[:(]|@{_NAME}"
    rf"|import[ ]+[\w., ]+$|from[ ]+[\w.]+[ ]+import\b"
    rf"|{_NAME}[ ]*(?::[ ]*[\w\[\], .]{{1,60}})?=[^=])"
)
_PROGRAM_START = re.compile(
    rf"[ \t]*+(?:(?:for|while|if|with)\b.{{0,400}}:|try:|print\(|{_NAME}(?:\.{_NAME}){{0,4}}\(|"
    rf"{_NAME}(?:[ ]*,[ ]*\*?{_NAME}){{1,20}}[ ]*=[^=]|{_NAME}[ ]*[-+*/]=)"
)
# What may stand in column 0 within a program, beside the above.
_WITHIN = re.compile(
    r"\s|$|#|\d|[)\]}'\"]|(?:else|elif|except|finally|del|assert|raise|pass|match)\b"
)
_LOOKS = re.compile(
    r"^[ \t]*+(?:(?:async[ ]+)?def[ ]+\w{1,80}[ ]*\(|class[ ]+\w{1,80}[ ]*[:(]|return\b"
    r"|import[ ]+\w|from[ ]+[\w.]{1,80}[ ]+import\b"
    r"|(?:for|while|if|elif|with)\b[^\n]{1,400}:[ \t]*$"
    r"|print[ ]?\(|\w{1,80}[ ]*[-+*/]?=[ ]*\S)",
    re.MULTILINE,
)
_SPAN = re.compile(r"(?<!`)`([^`\n]{3,2000})`(?!`)")
_LEAST_BUDGET = 3_000_000
_COST = 4  # how often a text is parsed until its whole lines are found, about


def looks_like_code(text: str) -> bool:
    """Whether any line has the shape of a statement."""
    return _LOOKS.search(text) is not None


class _Runs:
    """The runs of code in one text; a budget of characters keeps the search linear."""

    def __init__(self, text: str, *, program: bool) -> None:
        self.lines = text.split("\n")
        self.budget = max(_LEAST_BUDGET, 8 * len(text))
        self.program = program

    def starts(self, at: int) -> bool:
        line = self.lines[at][:1000]
        return bool(_START.match(line) or (self.program and _PROGRAM_START.match(line)))

    def find(self) -> list[tuple[int, int, str]]:
        """Each run: its first line, the line after it, and its text."""
        runs = []
        at = 0
        while at < len(self.lines) and self.budget > 0:
            count, text = self._run(at) if self.starts(at) else (0, "")
            if count:
                runs.append((at, at + count, text))
            at += max(count, 1)
        return runs

    def _within(self, line: str) -> bool:
        line = line[:1000]
        return bool(_WITHIN.match(line) or _START.match(line) or _PROGRAM_START.match(line))

    def _from(self, at: int, *, near: bool) -> list[str]:
        """The lines from one on, without its indent; with ``near`` up to the first of prose."""
        indent = len(self.lines[at]) - len(self.lines[at].lstrip())
        lead = self.lines[at][:indent]
        taken = []
        for number in range(at, len(self.lines)):
            line = self.lines[number]
            if lead and line.strip() and not line.startswith(lead):
                break
            if near and not self._within(line[indent:]):
                break
            taken.append(line[indent:])
        return taken

    def _whole(self, lines: list[str]) -> int:
        text = "\n".join(lines)
        self.budget -= _COST * len(text) + 100
        return whole_lines(text) if self.budget > 0 else 0

    def _run(self, at: int) -> tuple[int, str]:
        lines = self._from(at, near=True)
        count = self._whole(lines)
        if count < len(lines) and _goes_on(lines):
            lines = self._from(at, near=False)
            count = self._whole(lines)
        kept = _without_words(Source("\n".join(lines[:count])), lines[:count])
        return (count, kept) if kept.strip() else (0, "")


def _goes_on(lines: list[str]) -> bool:
    """Whether a string or bracket may go on over lines that look like prose."""
    return lines[-1].rstrip().endswith(("(", "[", "{", ",")) or any(
        mark in line for line in lines for mark in ('"""', "'''")
    )


def _without_words(source: Source, lines: list[str]) -> str:
    """Drop words of prose at the end that happen to parse (``Explanation``, ``Time: O(n)``)."""
    if source.tree is None:
        return ""
    statements = list(source.statements)
    while statements and not is_real(statements[-1]):
        statements.pop()
    if not statements:
        return ""
    if len(statements) == len(source.statements):
        return "\n".join(lines)
    return "\n".join(source.lines[: last_line(statements[-1])])


def code_runs(text: str, where: str, *, followed: bool, program: bool = False) -> list[Block]:
    """Find the runs of code in a text without fences.

    With ``program``, a run may begin with any statement, not only with a definition.
    """
    runs = _Runs(text, program=program)
    found = runs.find()
    total = len(runs.lines)
    return [
        Block(run, "bare", f"the unfenced code in {where}", closed=followed or stop < total)
        for _, stop, run in found
    ]


def code_spans(text: str, where: str) -> list[Block]:
    """Find code between single backticks that defines something."""
    spans = [span for span in _SPAN.findall(text)[:200] if "def " in span or "=" in span]
    return [Block(span, "bare", f"a code span in {where}") for span in spans]
