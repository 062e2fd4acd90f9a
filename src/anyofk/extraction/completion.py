"""Read a reply as the continuation of its prompt."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from anyofk.extraction.joining import closure, segments
from anyofk.extraction.names import is_real, needed
from anyofk.extraction.parsing import Source, first_line, last_line, starts_statement, whole_lines
from anyofk.extraction.prose import looks_like_code
from anyofk.extraction.target import Target

# What a model writes after a function, so that it is no part of a body without indent.
_AFTER_BODY = re.compile(r"async |def |class |@|import |from |print\b|assert |if __name__")


@dataclass(frozen=True, slots=True)
class Continued:
    """A prompt that a reply went on with: the program, what was done, whether it is whole."""

    source: Source
    notes: tuple[str, ...]
    whole: bool


def continued(prompt: str, text: str, target: Target, *, repair: bool) -> Continued | None:
    """Go on with the prompt, if the text is a body for the entry point that it opens.

    What follows the function is dropped, but for what the function needs. With ``repair`` the
    indent of the first line may be mended, and nothing else.
    """
    if not prompt.strip():
        return None
    for program, at, opened, note in _programs(prompt, text, repair=repair):
        lines = program.split("\n")
        count = whole_lines(program)
        if count < at:
            continue
        source = Source("\n".join(lines[:count]))
        seam = _across(source, (opened, at), target, shift=_shift(lines))
        if seam is None:
            continue
        rest = lines[last_line(seam) + _shift(lines) :]
        if repair and _goes_on(rest):
            continue
        whole = any(starts_statement(line) for line in rest)
        kept = Source(_with_needs(source, seam))
        return Continued(kept, ("went on with the prompt", *note), whole)
    return None


def _goes_on(rest: list[str]) -> bool:
    """Whether what follows a mended line is the rest of the body, without its indent."""
    first = next((line for line in rest if line.strip()), "")
    return looks_like_code(first) and not _AFTER_BODY.match(first)


def _shift(lines: list[str]) -> int:
    """How many blank lines at the start a `Source` leaves out."""
    return next((at for at, line in enumerate(lines) if line.strip()), 0)


def _programs(
    prompt: str, text: str, *, repair: bool
) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    """Each way to put a text after a prompt.

    Gives the program, its first line that is new, the last line that the prompt began, and
    what was done.
    """
    seam = prompt.count("\n") + 1
    if not repair:
        yield prompt + text, seam, seam - prompt.endswith("\n"), ()
        if not prompt.endswith("\n"):
            seam = prompt.rstrip().count("\n") + 2
            yield f"{prompt.rstrip()}\n{text}", seam, seam - 1, ()
        return
    body = text.lstrip("\n")
    head, feed, rest = body.partition("\n")
    base = prompt.rstrip() + "\n"
    note = ("mended the first line's indent",)
    for indent in _indents(prompt, rest):
        seam = base.count("\n") + 1
        yield f"{base}{indent}{head.lstrip()}{feed}{rest}", seam, seam - 1, note


def _indents(prompt: str, rest: str) -> list[str]:
    """The indents that the first line of a body may have had, the likeliest first."""
    lines = prompt.rstrip().split("\n")
    last = lines[-1]
    own = last[: len(last) - len(last.lstrip())]
    following = next((line for line in rest.split("\n") if line.strip()), "")
    theirs = following[: len(following) - len(following.lstrip())]
    opens = last.rstrip().endswith(":")
    guesses = [own + "    ", own + "\t"] if opens else [own]
    return list(dict.fromkeys([*guesses, theirs, theirs[:-4] if len(theirs) > 4 else theirs]))  # noqa: PLR2004 - one level


def _across(
    source: Source, seam: tuple[int, int], target: Target, *, shift: int
) -> ast.stmt | None:
    """The statement that begins in the prompt and ends in the reply, if it is the answer."""
    opened, at = seam
    for statement in source.statements:
        if first_line(statement) + shift <= opened and at <= last_line(statement) + shift:
            own = Source(textwrap.dedent(segments(source, [statement])))
            fits = target.defined_by(own) or not (target.name or target.owner)
            return statement if fits and _has_body(statement, at - shift) else None
    return None


def _has_body(statement: ast.stmt, at: int) -> bool:
    """Whether a statement does something from a line on."""
    return any(
        isinstance(node, ast.stmt)
        and node.lineno >= at
        and is_real(node)
        and not isinstance(node, ast.Import | ast.ImportFrom)
        for node in ast.walk(statement)
        if node is not statement
    )


def _with_needs(source: Source, seam: ast.stmt) -> str:
    """The program up to the answer, and the later statements that it needs."""
    head = source.lines[: last_line(seam)]
    start = next(n for n, s in enumerate(source.statements) if s is seam)
    later = source.statements[start + 1 :]
    pieces = [Source(segments(source, [statement])) for statement in later]
    taken, _ = closure(needed(Source("\n".join(head))), pieces)
    rest = [pieces[number].text.rstrip("\n") for number in taken]
    return "\n\n\n".join(["\n".join(head).rstrip(), *rest])
