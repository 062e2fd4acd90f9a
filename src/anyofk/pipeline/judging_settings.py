"""How candidates are to be judged, and what of it is frozen in the manifest."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from anyofk.judging import Settings, judge_all, judging_facts
from anyofk.judging.levels import checked_level
from anyofk.problems import ProblemSet
from anyofk.records import Candidate, Manifest, Problem, Verdict

Judge = Callable[[Iterable[tuple[Problem, Candidate] | None]], Iterator[Verdict]]

PACKAGES: Final = ("numpy", "pandas", "scipy", "sympy")
"""Packages that tests and candidates commonly use, so that their versions may move a verdict."""


@dataclass(frozen=True)
class JudgingSettings:
    """How candidates are to be judged.

    Attributes
    ----------
    workers
        Candidates judged at a time; none takes one for each core.
    time_limit
        CPU seconds of a candidate, where the problem has no limit of its own.
    memory_mb
        MiB of all processes of a candidate together, likewise.
    allow_inprocess
        Whether problems may be judged in the forgeable mode where the reference needs it.
    allow_weak
        The weakest isolation level to accept, where none as strong as ``fence`` holds.
    level
        The isolation level; none finds the strongest that holds here, by self-test.
    """

    workers: int | None = None
    time_limit: float = 3.0
    memory_mb: int = 1024
    allow_inprocess: bool = False
    allow_weak: str | None = None
    level: str | None = None

    @cached_property
    def held_level(self) -> str:
        """The isolation level that is judged at."""
        return str(checked_level(self.level, self.allow_weak))

    def judge(self, pairs: Iterable[tuple[Problem, Candidate] | None]) -> Iterator[Verdict]:
        """Judge candidates in the sandbox; verdicts come as they are ready."""
        return judge_all(
            pairs,
            workers=self.workers,
            level=self.held_level,
            time_limit=self.time_limit,
            memory_mb=self.memory_mb,
            allow_inprocess=self.allow_inprocess,
            allow_weak=self.allow_weak,
        )

    def manifest(self, problems: ProblemSet) -> Manifest:
        """Freeze everything that can move a verdict; the number of workers cannot."""
        settings = Settings(
            level=self.held_level,
            time_limit=self.time_limit,
            memory_mb=self.memory_mb,
            allow_inprocess=self.allow_inprocess,
        )
        set_facts = {
            "name": problems.name,
            "version": problems.version,
            "content_id": problems.content_id,
            "ids": {problem.id: problem.content_id for problem in problems},
        }
        facts: dict[str, Any] = {**judging_facts(settings), "machine": platform.machine()}
        return Manifest(
            {
                "judging": facts,
                "packages": _packages(),
                "problems": set_facts,
            }
        )


def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found
