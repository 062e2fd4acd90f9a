"""From replies to candidates: extraction as a step of the pipeline."""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from anyofk.extraction import EXTRACTION_VERSION, ReplyMode, extract
from anyofk.problems import ProblemSet
from anyofk.records import Answer, Candidate, Problem, Reply

_NOTES_LIMIT: Final = 500


@dataclass(frozen=True)
class Extractor:
    """Take programs out of replies.

    Attributes
    ----------
    mode
        How replies are read; none lets each problem decide: ``stdin`` without an entry point,
        ``method`` where it is a method, else ``function``.
    """

    mode: ReplyMode | None = None

    @property
    def version(self) -> str:
        """What a manifest says of it."""
        return f"{EXTRACTION_VERSION} ({self.mode})" if self.mode else EXTRACTION_VERSION

    def answer(self, problem: Problem, reply: Reply) -> Answer:
        """Take the program out of one reply."""
        found = extract(
            reply.text,
            mode=self.mode or reply_mode(problem),
            entry_point=problem.entry_point,
            prompt=problem.prompt if problem.prompt_is_code else "",
            finish_reason=reply.finish_reason,
        )
        candidate = Candidate(
            reply.problem,
            reply.draw,
            found.code or "",
            finish_reason=reply.finish_reason,
            extraction=found.status,
            adapter=found.adapter or "",
        )
        tree = syntax_tree_id(candidate.text) if found.ok else ""
        return Answer(candidate, reply, found.why[:_NOTES_LIMIT], tree)

    def answers(self, candidates: Iterable[Candidate], problems: ProblemSet) -> Iterator[Answer]:
        """Take the programs out of candidates that are replies."""
        for one in candidates:
            reply = Reply(one.problem, one.draw, one.text, finish_reason=one.finish_reason)
            answer = self.answer(problems[one.problem], reply)
            yield replace(answer, candidate=replace(answer.candidate, settings=one.settings))


def syntax_tree_id(program: str) -> str:
    r"""Name a program by its syntax tree, whatever its layout, comments and docstrings.

    Examples
    --------
    >>> syntax_tree_id("x = 1  # one\n") == syntax_tree_id("x=(1)") != syntax_tree_id("x = 2")
    True
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a candidate's style is not ours
            tree = ast.parse(program)
        for node in ast.walk(tree):
            _drop_docstring(node)
        written = ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""  # too deep to be walked: it is then told apart by its text alone
    return hashlib.sha256(written.encode(errors="surrogatepass")).hexdigest()[:16]


def _drop_docstring(node: ast.AST) -> None:
    body = getattr(node, "body", None)
    if not isinstance(node, _DOCUMENTED) or not body or not isinstance(body[0], ast.Expr):
        return
    if isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
        del body[0]


_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def reply_mode(problem: Problem) -> ReplyMode:
    """Say how a reply to a problem is read.

    Examples
    --------
    >>> reply_mode(Problem("p", entry_point="Solution().solve"))
    'method'
    """
    if not problem.entry_point:
        return "stdin"
    return "method" if "." in problem.entry_point else "function"
