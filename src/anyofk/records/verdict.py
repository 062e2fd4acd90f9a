"""Verdicts: the judgement of one candidate, and the closed list of its kinds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The kind of a verdict: a closed list.

    All but `PASSED` and `BROKEN` are failures of the candidate and count in n.
    `BROKEN` is our own failure: in neither n nor c.
    """

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    EXCEPTION = "exception"
    SYNTAX_ERROR = "syntax_error"
    MISSING_ENTRY_POINT = "missing_entry_point"
    NO_CODE = "no_code"
    TRUNCATED = "truncated"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    EXITED = "exited"
    FORBIDDEN = "forbidden"
    BROKEN = "broken"


@dataclass(frozen=True)
class Verdict:
    """The judgement of one candidate.

    Attributes
    ----------
    problem, draw
        Whose it is.
    outcome
        Its kind.
    message
        One line for people: which check, expected and got; at most 500 characters,
        control characters escaped.
    checks_passed, checks_expected
        Executed checks, and how many the reference had (none where that varies).
    cpu_s, wall_s
        Seconds of the candidate's processes together; wall without the time that the
        scheduler kept them waiting.
    peak_mb
        Peak memory, MiB.
    time_limit, memory_mb
        The limits that were in force (seconds, MiB).
    mode, level
        How it was judged and what the sandbox held.
    forgeable
        Whether candidate and test shared a process.
    adapter
        How the entry point was found when not by its name, else empty.
    group
        The group of tests that failed first, else empty.
    """

    problem: str
    draw: int
    outcome: Outcome
    message: str = ""
    checks_passed: int = 0
    checks_expected: int | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mb: float = 0.0
    time_limit: float = 0.0
    memory_mb: int = 0
    mode: str = "isolated"
    level: str = "none"
    forgeable: bool = False
    adapter: str = ""
    group: str = ""

    @property
    def passed(self) -> bool:
        """Whether the candidate solves its problem."""
        return self.outcome is Outcome.PASSED

    @property
    def judged(self) -> bool:
        """Whether it counts in n."""
        return self.outcome is not Outcome.BROKEN

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {**asdict(self), "outcome": self.outcome.value}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """Read from plain data as `to_json` writes it."""
        return cls(**{**data, "outcome": Outcome(data["outcome"])})
