"""Put a program together: the chosen block, and what it needs from other blocks and the prompt."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from anyofk.extraction.blocks import Block
from anyofk.extraction.fences import prefix_that_parses, scan
from anyofk.extraction.names import assigned, bound, is_demo, needed
from anyofk.extraction.parsing import Source, first_line, last_line, tidy
from anyofk.extraction.prose import code_runs
from anyofk.extraction.target import Target

# What sites with class Solution import for every answer without saying so.
_SITE_NAMES = {
    "typing": "List Dict Set Tuple Optional Union Any Callable Iterable Iterator Deque DefaultDict",
    "collections": "defaultdict deque Counter OrderedDict",
    "heapq": "heappush heappop heapify heappushpop heapreplace nlargest nsmallest",
    "bisect": "bisect bisect_left bisect_right insort insort_left",
    "functools": "lru_cache cache reduce cmp_to_key",
    "itertools": "accumulate permutations combinations product chain groupby pairwise count",
    "math": "inf gcd lcm sqrt ceil floor comb factorial isqrt log log2",
}
_SITE_MODULES = "math collections heapq bisect functools itertools re string random sys operator"


@dataclass(frozen=True, slots=True)
class Program:
    """A joined program: its text, what was joined, and the names that nobody binds."""

    text: str
    notes: tuple[str, ...]
    missing: frozenset[str]


def closure(wanted: set[str], pieces: list[Source]) -> tuple[list[int], set[str]]:
    """Find the pieces that bind wanted names, and those that they need in turn.

    Returns the numbers of the pieces, in order, and the names that none of them binds. Of
    several pieces that bind a name all are taken, so that the order of the text decides.
    """
    binders: dict[str, list[int]] = {}
    for number, piece in enumerate(pieces):
        for name in bound(piece.statements):
            binders.setdefault(name, []).append(number)
    taken: set[int] = set()
    asked: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in asked:
            continue
        asked.add(name)
        for number in binders.get(name, binders.get("*", [])):
            if number not in taken:
                taken.add(number)
                waiting.extend(needed(pieces[number]))
    return sorted(taken), {name for name in asked if name not in binders}


class _Joiner:
    """Collects what goes in front of a chosen program to meet its needs."""

    def __init__(self, chosen: Source, target: Target) -> None:
        self.chosen = chosen
        self.target = target
        self.missing = needed(chosen)
        self.has = bound(chosen.statements)
        self.notes: list[str] = []

    def from_blocks(self, blocks: list[Block]) -> str:
        """Join the blocks that bind what is missing, in their order."""
        pieces = [Source(self._useful_part(block.source)) for block in blocks]
        taken, self.missing = closure(self.missing, pieces)
        self.missing -= self.has
        self.notes.extend(f"joined {blocks[number].where}" for number in taken)
        return "\n\n".join(pieces[number].text for number in taken)

    def _kept(self, source: Source) -> list[ast.stmt]:
        name = self.target.owner or self.target.name
        kept = [s for s in source.statements if not is_demo(s, self.target.name)]
        return [s for s in kept if name is None or name not in assigned(s)]

    def _useful_part(self, source: Source) -> str:
        """A block without drafts of the entry point and without demonstrations."""
        return segments(source, self._kept(source))

    def from_prompt(self, prompt: str) -> str:
        """Take the statements of the prompt that bind what is missing."""
        source = prompt_source(prompt)
        own = self.target.owner or self.target.name
        rest = [s for s in source.statements if own not in assigned(s)]
        taken, self.missing = closure(
            self.missing, [Source(segments(source, [statement])) for statement in rest]
        )
        self.missing -= self.has
        if taken:
            self.notes.append("put what it needs from the prompt in front")
        return segments(source, [rest[number] for number in taken])

    def from_site(self) -> str:
        """Import what the site imports for every answer of class shape."""
        lines = [f"import {name}" for name in _SITE_MODULES.split() if name in self.missing]
        for module, names in _SITE_NAMES.items():
            wanted = [name for name in names.split() if name in self.missing]
            if wanted:
                lines.append(f"from {module} import {', '.join(wanted)}")
        if lines:
            self.notes.append("added the site's own imports")
            self.missing -= bound(Source("\n".join(lines)).statements)
        return "\n".join(lines)


def prompt_source(prompt: str) -> Source:
    """The part of a prompt that is a program: its first lines, else its fenced blocks."""
    whole, _ = prefix_that_parses(prompt)
    source = Source(whole)
    if source.statements:
        return source
    fenced = [prefix_that_parses(block.raw)[0] for block in scan(prompt).blocks]
    texts = [text for text in fenced if Source(text).statements]
    runs = [] if texts else code_runs(prompt, "the prompt", followed=False)
    return Source("\n".join([*texts, *(run.source.text for run in runs)]))


def segments(source: Source, statements: Sequence[ast.stmt]) -> str:
    """The lines of some statements of a program, with the blank lines that part them."""
    taken: list[str] = []
    previous = None
    for statement in statements:
        start, end = first_line(statement), last_line(statement)
        if previous is not None and start <= previous:  # two statements in one line
            start = previous + 1
        elif previous is not None:
            gap = source.lines[previous : start - 1]
            blank = 2 if any(not line.strip() for line in gap[:1]) else 0
            taken.extend([""] * (min(len(gap), blank) if blank else 0))
        taken.extend(source.lines[start - 1 : end])
        previous = max(end, previous or 0)
    return "\n".join(taken)


def _future(text: str) -> tuple[str, str]:
    """Part the imports from ``__future__``, which must come first, from the rest."""
    source = Source(text)
    if "__future__" not in text:
        return "", text
    first = [s for s in source.statements if isinstance(s, ast.ImportFrom)]
    first = [s for s in first if s.module == "__future__"]
    gone = {n for s in first for n in range(first_line(s), last_line(s) + 1)}
    rest = [line for n, line in enumerate(source.lines, 1) if n not in gone]
    return segments(source, first), "\n".join(rest)


def joined(chosen: Source, others: list[Block], target: Target, prompt: str) -> Program:
    """Put what a chosen program needs in front of it."""
    joiner = _Joiner(chosen, target)
    blocks = joiner.from_blocks([b for b in others if b.parses and b.source is not chosen])
    from_prompt = joiner.from_prompt(prompt) if joiner.missing else ""
    site = joiner.from_site() if target.owner and joiner.missing else ""
    parts = [part for part in (site, from_prompt, blocks) if part.strip()]
    if not parts:
        return Program(chosen.text, (), frozenset(joiner.missing))
    future, rest = _future(chosen.text)
    pieces = [piece.strip("\n") for piece in (future, *parts, rest) if piece.strip()]
    text = tidy("\n\n\n".join(pieces))
    return Program(text, tuple(joiner.notes), frozenset(joiner.missing))
