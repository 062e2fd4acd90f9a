"""Parse text that nobody trusts: bounded in size and depth, silent, and never an exception.

Only the parser runs here. The compiler does not, because a few nested ``finally`` blocks are
enough to make it eat all memory; what only the compiler refuses is found where programs run.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

MAX_CODE = 2**18
"""The longest text, in characters, that is handed to the parser."""

MAX_DEPTH = 100
"""The deepest nesting of brackets that is handed to the parser."""

_PARSED = 200_000  # characters that one search for whole lines may parse, about
_FAULTS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
_LOCK = threading.Lock()  # catch_warnings changes the process; one at a time is enough
_LEXEME = re.compile(r"#[^\n]*+|\"\"\"|'''|[\"']|[(\[{]|[)\]}]")
_STRING_ENDS = {
    '"': re.compile(r'(?:[^\\"\n]|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^\\'\n]|\\.)*+'", re.DOTALL),
    '"""': re.compile(r'(?:[^\\"]|\\.|"(?!""))*+"""', re.DOTALL),
    "'''": re.compile(r"(?:[^\\']|\\.|'(?!''))*+'''", re.DOTALL),
}
# A line in column 0 that goes on with the statement above it.
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is no program: the parser's words, and the line where it is known."""

    message: str
    line: int | None = None


def depth_of(text: str) -> int:
    """The deepest nesting of brackets outside strings and comments."""
    depth = deepest = position = 0
    while lexeme := _LEXEME.search(text, position):
        word, position = lexeme.group(), lexeme.end()
        if word in _STRING_ENDS:
            end = _STRING_ENDS[word].match(text, position)
            if end is None:  # the parser stops here as well
                break
            position = end.end()
        elif word in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif word in ")]}":
            depth -= 1
    return deepest


@contextmanager
def silence() -> Iterator[None]:
    """Keep the parser's warnings about other people's text out of ours."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse(text: str) -> ast.Module | Fault:
    """Parse a whole program, or say what is wrong with it."""
    if len(text) > MAX_CODE:
        return Fault(f"{len(text)} characters are more than {MAX_CODE}")
    if depth_of(text) > MAX_DEPTH:
        return Fault(f"brackets are nested more than {MAX_DEPTH} deep")
    try:
        with silence():
            return ast.parse(text)
    except SyntaxError as fault:
        return Fault(fault.msg or "invalid syntax", fault.lineno)
    except _FAULTS as fault:
        return Fault(f"{type(fault).__name__}: {fault}"[:200])


def tidy(text: str) -> str:
    """Drop blank lines at both ends and end in one line feed."""
    lines = text.rstrip().split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]) + "\n" if first < len(lines) else ""


class Source:
    """A text that may be a program, parsed at most once."""

    def __init__(self, text: str) -> None:
        self.text = tidy(text)

    @cached_property
    def _parsed(self) -> ast.Module | Fault:
        return parse(self.text)

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree; none where the text does not parse."""
        return self._parsed if isinstance(self._parsed, ast.Module) else None

    @property
    def fault(self) -> Fault | None:
        """What is wrong; none where the text parses."""
        return self._parsed if isinstance(self._parsed, Fault) else None

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of the outermost level; none where the text does not parse."""
        return self.tree.body if self.tree is not None else []

    @cached_property
    def lines(self) -> list[str]:
        """The lines, as the parser counts them."""
        return self.text.split("\n")


def first_line(statement: ast.stmt) -> int:
    """The line where a statement starts, its decorators included."""
    decorators = getattr(statement, "decorator_list", ())
    return min((node.lineno for node in decorators), default=statement.lineno)


def last_line(statement: ast.stmt) -> int:
    """The line where a statement ends."""
    return statement.end_lineno or statement.lineno


def starts_statement(line: str) -> bool:
    """Whether a line starts a statement in column 0, so that a program may be cut before it.

    A comment does not: the function above it may go on after it.
    """
    return line[:1] not in {"", " ", "\t", "\f", "#"} and not _CONTINUES.match(line)


def whole_lines(text: str) -> int:
    """How many lines, from the first, parse as a program; cuts only between statements."""
    lines = text.split("\n")
    count = len(lines)
    for _ in range(max(3, min(12, _PARSED // (len(text) + 1)))):
        parsed = parse("\n".join(lines[:count]) + "\n")
        if isinstance(parsed, ast.Module):
            return count
        if parsed.line is None:
            return 0
        at = min(parsed.line, count) - 1
        while at > 0 and not starts_statement(lines[at]):
            at -= 1
        count = at
        if count <= 0:
            return 0
    return 0
