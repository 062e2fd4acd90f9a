"""Choose the block that answers: the last one that defines what the tests call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from anyofk.extraction.blocks import Block
from anyofk.extraction.fences import Scan, scan
from anyofk.extraction.names import functions, is_real
from anyofk.extraction.parsing import Source
from anyofk.extraction.prose import code_runs, code_spans, looks_like_code
from anyofk.extraction.target import Target
from anyofk.extraction.wrappers import from_json, from_tags

_MOST_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces of an answer that may be code, in the order of the text within each list."""

    fenced: list[Block] = field(default_factory=list)
    bare: list[Block] = field(default_factory=list)
    texts: list[tuple[str, bool]] = field(default_factory=list)

    @property
    def all(self) -> list[Block]:
        """Every piece, those of other languages apart."""
        return [block for block in (*self.fenced, *self.bare) if block.kind != "other"]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen block, and the rule that chose it."""

    block: Block
    reason: str


def pieces(text: str, *, program: bool) -> Pieces:
    """Take an answer apart."""
    alone = Source(text)
    if alone.statements and is_real(alone.statements[-1]):
        return Pieces([], [Block(text, "bare", "the whole reply", closed=False)], [(text, False)])
    whole = from_json(text, "the reply") if text.lstrip()[:1] in {"{", "[", '"'} else []
    found = Scan(whole, []) if whole and any(b.parses for b in whole) else scan(text)
    fenced: list[Block] = []
    for block in found.blocks[-_MOST_BLOCKS:]:
        fenced.extend(_opened(block))
    bare: list[Block] = []
    for part, followed in found.bare[-_MOST_BLOCKS:]:
        fenced.extend([*from_json(part, "the text"), *from_tags(part, "the text")])
        bare.append(Block(part, "bare", "the text as a whole", closed=followed))
        bare.extend(code_spans(part, "the text"))
        bare.extend(code_runs(part, "the text", followed=followed, program=program))
    return Pieces(fenced, bare, found.bare)


def _opened(block: Block) -> list[Block]:
    """A block itself, or the code that it wraps."""
    start = block.raw.lstrip()[:1]
    if block.kind == "wrapped" or (block.kind == "untagged" and start in {"{", "["}):
        inner = from_json(block.raw, block.where)
        if inner:
            return inner
    if "<parameter" in block.raw or "<code" in block.raw:
        return from_tags(block.raw, block.where) or [block]
    return [block]


def _last(blocks: list[Block], test: Callable[[Block], bool]) -> Block | None:
    return next((block for block in reversed(blocks) if test(block)), None)


def choose(parts: Pieces, target: Target) -> Choice | None:
    """Choose among the pieces that define what the tests call."""
    return _program(parts) if target.reads_stdin else _definition(parts, target)


def _definition(parts: Pieces, target: Target) -> Choice | None:
    def defines(block: Block) -> bool:
        return block.parses and target.defined_by(block.source)

    def broken(block: Block) -> bool:
        return not block.parses and target.named_by(block.raw)

    own = [block for block in parts.fenced if block.kind != "other"]
    what = f"the last that defines {target}" if target.name else "the last with code"
    steps: list[tuple[list[Block], Callable[[Block], bool], str]] = [
        (own, lambda b: defines(b) or (b.kind == "python" and broken(b)), what),
        (own, broken, what),
        (parts.fenced, defines, f"{what}, in spite of its tag"),
        (parts.bare, defines, what),
    ]
    for blocks, test, reason in steps:
        block = _last(blocks, test)
        if block is not None:
            return Choice(block, reason)
    return None


def choose_adapted(parts: Pieces, target: Target) -> Choice | None:
    """Choose among the pieces that answer in another shape (a class, a library's function)."""
    for blocks in (parts.fenced, parts.bare):
        block = _last(blocks, lambda b: b.parses and target.adapter(b.source) is not None)
        if block is not None:
            return Choice(block, f"the last that defines {target} in another shape")
    block = _last(parts.all, lambda b: b.parses and target.from_library(b.source))
    return Choice(block, f"it takes {target} from the standard library") if block else None


def _program(parts: Pieces) -> Choice | None:
    """Choose a whole program: the last that reads its input, else that prints."""
    target = Target(None, reads_stdin=True)
    own = [block for block in parts.fenced if block.kind != "other"]

    def reads(block: Block) -> bool:
        broken = block.kind == "python" and not block.parses and target.named_by(block.raw)
        return broken or target.reads(block)

    for blocks in (own, parts.bare):
        for test, reason in ((reads, "reads its input"), (target.prints, "prints")):
            block = _last(blocks, test)
            if block is not None:
                return Choice(block, f"the last that {reason}")
    block = _last(own, lambda b: b.kind == "python" and bool(b.raw.strip()))
    return Choice(block, "the last block of Python") if block else None


def any_code(parts: Pieces) -> Choice | None:
    """The last piece that is code at all, for a reply without what the tests call."""
    own = [block for block in parts.fenced if block.kind != "other"]
    block = (
        _last(own, lambda b: bool(functions(b.source)))
        or _last(own, lambda b: b.kind == "python" and bool(b.raw.strip()))
        or _last(own, lambda b: any(is_real(s) for s in b.source.statements))
        or _last(parts.bare, lambda b: bool(functions(b.source)))
    )
    return Choice(block, "the last piece of code") if block else None


def broken_text(parts: Pieces, target: Target) -> str | None:
    """Text outside fences that was meant to be the answer and does not parse."""
    for text, _ in reversed(parts.texts):
        if target.named_by(text) and looks_like_code(text) and Source(text).tree is None:
            return text
    return None
