"""Problems by name, by file, or in memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from anyofk.problems import ProblemSet, read_problems
from anyofk.records import Problem


def problem_set(given: str | Path | ProblemSet | Iterable[Problem]) -> ProblemSet:
    """Give a problem set from its name, its file, or problems in memory."""
    if isinstance(given, ProblemSet):
        return given
    if isinstance(given, str | Path):
        return read_problems(given)
    return ProblemSet("problems", "", tuple(given))
