"""The rules that turn a reply into a program, in the order in which they are applied."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from anyofk.extraction.blocks import Block
from anyofk.extraction.choosing import (
    Choice,
    Pieces,
    any_code,
    broken_text,
    choose,
    choose_adapted,
    pieces,
)
from anyofk.extraction.completion import Continued, continued
from anyofk.extraction.fences import prefix_that_parses
from anyofk.extraction.joining import joined
from anyofk.extraction.names import flat, functions
from anyofk.extraction.parsing import Source, last_line, starts_statement, tidy
from anyofk.extraction.prose import looks_like_code
from anyofk.extraction.reasoning import without_reasoning
from anyofk.extraction.record import Extraction, Status
from anyofk.extraction.target import Target
from anyofk.extraction.tokens import end_of_turn, without_heads


@dataclass
class Reply:
    """One reply on its way to a record; the notes grow as the rules are applied."""

    text: str
    target: Target
    mode: str
    prompt: str
    cut: bool
    notes: list[str] = field(default_factory=list)

    def extraction(self) -> Extraction:
        """Apply the rules."""
        answer = without_reasoning(self.text)
        self.notes.extend(answer.notes)
        if answer.open:
            return self._nothing()
        text = without_heads(answer.text)
        end = self._end_of_turn(text)
        if end is not None:
            self.notes.append("left out what follows the end of the turn")
            text = text[:end]
        return self._of_text(text)

    def _end_of_turn(self, text: str) -> int | None:
        """Where the turn ends; inside a fence a token ends it only if nothing else does."""
        position = 0
        while (end := end_of_turn(text, position)) is not None:
            if text.count("\n```", 0, end) % 2 == text.startswith("```"):
                return end
            position = end + 1
        return None

    def _of_text(self, text: str) -> Extraction:
        parts: Pieces | None = None
        if self.mode == "completion":
            found = continued(self.prompt, text, self.target, repair=False)
            if found is not None:
                return self._of_continuation(found, "the reply")
        parts = pieces(text, program=self.target.reads_stdin)
        choice = choose(parts, self.target)
        if choice is None and not self.target.reads_stdin:
            found_in = self._body(parts, text)
            if found_in is not None:
                return self._of_continuation(*found_in)
            choice = choose_adapted(parts, self.target)
        if choice is None:
            return self._without_answer(parts, text)
        return self._of_choice(choice, parts)

    def _body(self, parts: Pieces, text: str) -> tuple[Continued, str] | None:
        """A body that goes on with the prompt: a block, or in completions the text itself."""
        if not self.prompt:
            return None
        bodies = [(b.raw, b.where) for b in reversed(parts.fenced) if b.kind != "other"]
        if self.mode == "completion" or not bodies:
            bodies.append((text, "the reply"))
        for body, where in bodies:
            # what defines the answer itself is no body of it, whatever its first line is
            for repair in (False,) if self.target.named_by(body) else (False, True):
                found = continued(self.prompt, body, self.target, repair=repair)
                if found is not None:
                    return found, where
        return None

    def _of_continuation(self, found: Continued, where: str) -> Extraction:
        self.notes.extend(
            f"{note} from {where}" if not at else note for at, note in enumerate(found.notes)
        )
        if self.cut and not found.whole:
            return self._nothing("the token limit came inside the answer")
        return self._joined(found.source, None, [])

    def _of_choice(self, choice: Choice, parts: Pieces) -> Extraction:
        block = choice.block
        self.notes.append(f"took {block.where}: {choice.reason}")
        self.notes.extend(block.notes)
        source = block.source
        if source.tree is None and block.loose:
            source = self._without_tail(block) or source
        if self.cut:
            whole = self._whole_part(block, source, parts)
            if whole is None:
                return self._nothing("the token limit came before a whole answer")
            source = whole
        if source.tree is None:
            return self._broken(source)
        return self._joined(source, block, parts.all)

    def _without_tail(self, block: Block) -> Source | None:
        """An unclosed block without the prose, or the cut statement, at its end."""
        text, rest = prefix_that_parses(block.raw)
        source = Source(text)
        defines = self.target.defined_by(source) if not self.target.reads_stdin else True
        if not source.statements or not defines:
            return None
        first = next((line for line in rest.split("\n") if line.strip()), "")
        if self.cut or not looks_like_code(first):
            self.notes.append("left out what follows the code")
            return source
        return None

    def _whole_part(self, block: Block, source: Source, parts: Pieces) -> Source | None:
        """What is whole of a block when the reply was cut; none if the answer is not."""
        last = (*parts.fenced, *parts.bare)[-1] if not parts.fenced else parts.fenced[-1]
        if block.closed:
            more = last is not block and not last.closed and _may_answer(last)
            return None if more or source.tree is None else source
        if self.target.reads_stdin or source.tree is None or self.target.name is None:
            return None
        return self._before_cut(block, source)

    def _before_cut(self, block: Block, source: Source) -> Source | None:
        """The statements that something follows, if the answer is among them."""
        tail = tidy(block.raw).split("\n")[len(source.lines) - 1 :]
        if any(starts_statement(line) for line in tail):
            return source
        if len(source.statements) < 2:  # noqa: PLR2004 - one is the cut one
            return None
        kept = Source("\n".join(source.lines[: last_line(source.statements[-2])]))
        fits = self.target.defined_by(kept) or self.target.adapter(kept) is not None
        return kept if fits else None

    def _joined(self, source: Source, block: Block | None, others: list[Block]) -> Extraction:
        others = [b for b in others if b is not block]
        prompt = self.prompt if not self.target.reads_stdin else ""
        program = joined(source, others, self.target, prompt)
        self.notes.extend(program.notes)
        if self.cut and program.missing and block is not None and not block.closed:
            return self._nothing(
                f"the token limit came before {', '.join(sorted(program.missing))}"
            )
        return self._adapted(Source(program.text))

    def _adapted(self, program: Source) -> Extraction:
        if program.tree is None:
            return self._broken(program)
        target = self.target
        plain = target.reads_stdin or target.defined_by(program) or target.from_library(program)
        if plain or target.name is None:
            return self._record("ok", program.text)
        adapter = target.adapter(program)
        if adapter is None:
            return self._renamed(program)
        self.notes.append(f"{target} is called through {adapter.expression}")
        text = f"{program.text}\n\n{adapter.line}\n"
        return self._record("ok", text, adapter=adapter.expression)

    def _without_answer(self, parts: Pieces, text: str) -> Extraction:
        if self.cut:
            return self._nothing("the token limit came before an answer")
        other = any_code(parts)
        broken = broken_text(parts, self.target)
        if other is None and broken is None:
            shaped = self.mode == "completion" and looks_like_code(text)
            if not shaped:
                return self._nothing("nothing in the reply is code")
            broken = self.prompt + text
        if broken is not None:
            return self._broken(Source(broken))
        assert other is not None  # noqa: S101 - broken would be set
        self.notes.append(f"took {other.block.where}: {other.reason}")
        source = other.block.source
        return self._broken(source) if source.tree is None else self._renamed(source)

    def _renamed(self, source: Source) -> Extraction:
        found = tuple(functions(source))
        names = ", ".join(found) or "nothing"
        lacks = (
            f"{self.target} is not defined" if self.target.name else "it reads and prints nothing"
        )
        self.notes.append(f"{lacks}; defined is {names}")
        return self._record("missing_entry_point", source.text, found=found)

    def _broken(self, source: Source) -> Extraction:
        if source.fault is not None:
            line = f" (line {source.fault.line})" if source.fault.line else ""
            self.notes.append(f"it does not parse: {source.fault.message}{line}")
        elif any(isinstance(statement, ast.Return) for statement in flat(source.statements)):
            self.notes.append("it returns outside a function")
        else:
            self.notes.append(f"nothing in the reply goes on with {self.target}")
            return self._record("missing_entry_point", source.text)
        return self._record("syntax_error", source.text)

    def _nothing(self, note: str = "") -> Extraction:
        if note:
            self.notes.append(note)
        return self._record("truncated" if self.cut else "no_code", None)

    def _record(
        self,
        status: Status,
        code: str | None,
        *,
        adapter: str | None = None,
        found: tuple[str, ...] = (),
    ) -> Extraction:
        return Extraction(status, code, adapter, tuple(self.notes), found)


def _may_answer(block: Block) -> bool:
    """Whether an unclosed block at the end may have become the answer."""
    if block.kind == "other":
        return False
    return not block.raw.strip() or looks_like_code(block.raw)
