"""Candidates: one model answer to one problem."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from anyofk.records.canonical import content_id
from anyofk.records.problem import Problem

Form = Literal["completion", "program", "reply"]


@dataclass(frozen=True)
class Candidate:
    """One model answer to one problem.

    Attributes
    ----------
    problem
        The id of the problem that it answers.
    draw
        Its index among the problem's n, from 0.
    text
        The answer. Empty text is a failed candidate, not a missing one.
    form
        ``completion`` continues the prompt, ``program`` stands alone; a ``reply`` is a model's
        raw text, out of which the program is still to be taken.
    finish_reason
        Why the model stopped, as far as known; ``length`` means that it was cut.
    settings
        How it was drawn (temperature and the like), as far as the file says.
    extraction
        The status of the extraction that took the text out of a reply, else empty. All but
        ``ok`` is its outcome: there is no program to judge.
    adapter
        How that extraction found the entry point when not by its name, else empty.
    """

    problem: str
    draw: int
    text: str
    form: Form = "program"
    finish_reason: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    extraction: str = ""
    adapter: str = ""

    @property
    def content_id(self) -> str:
        """The id of the text and its form: equal answers have equal ids."""
        return content_id([self.form, self.text])

    def program(self, problem: Problem) -> str:
        r"""Assemble the whole program that is judged.

        Examples
        --------
        >>> p = Problem("p", prompt="def f(x):\n", entry_point="f", prompt_is_code=True)
        >>> Candidate("p", 0, "    return x\n", "completion").program(p)
        'def f(x):\n    return x\n'
        """
        completes = self.form == "completion" and problem.prompt_is_code
        program = problem.prompt + self.text if completes else self.text
        return _with_preamble(problem.preamble, program)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Candidate:
        """Read from plain data as `to_json` writes it."""
        return cls(**data)


_FUTURE: Final = re.compile(r"^from __future__ import [^\n(]*$", re.MULTILINE)


def _with_preamble(preamble: str, program: str) -> str:
    """Put a preamble before a program, behind the program's future imports."""
    if not preamble:
        return program
    # Python demands that future imports stand first.
    future = "".join(f"{line}\n" for line in _FUTURE.findall(program))
    return f"{future}{preamble}\n{_FUTURE.sub('', program) if future else program}"
