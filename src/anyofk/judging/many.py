"""Judging many candidates: a stream of pairs in, a stream of verdicts out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

from anyofk.judging.calibrating import calibration
from anyofk.judging.calibration import Calibration
from anyofk.judging.calibrations import Calibrations
from anyofk.judging.caller_limits import refuse_narrow_limits
from anyofk.judging.judgement import judgement
from anyofk.judging.levels import checked_level
from anyofk.judging.plan import Plan
from anyofk.judging.pool import Pool
from anyofk.judging.settings import Settings
from anyofk.judging.trial import Task
from anyofk.records import Candidate, Problem, Verdict

Pair = tuple[Problem, Candidate]
_Found = Literal["more", "nothing", "end"]
_AHEAD: Final = 64
_PATIENCE_S: Final = 0.05
_PLANS_SIZE: Final = 16 << 20


def judge_all(
    pairs: Iterable[Pair | None],
    *,
    workers: int | None = None,
    level: str | None = None,
    time_limit: float = 3.0,
    memory_mb: int = 1024,
    allow_inprocess: bool = False,
    allow_weak: str | None = None,
    calibrations: Calibrations | None = None,
) -> Iterator[Verdict]:
    """Judge candidates, and yield verdicts as they come.

    Pairs are taken lazily, a bounded number ahead, so memory does not grow with their
    number. Closing the iterator ends everything that it started.

    Parameters
    ----------
    pairs
        Problems with candidates; fastest when a problem's candidates stand together. None
        says that there is nothing at the moment, so that what runs goes on meanwhile.
    workers
        Programs that run at once; all cores by default.
    level, allow_weak
        The level of the sandbox, found by self-test by default, and the weakest to accept.
    time_limit, memory_mb
        CPU seconds and MiB of one candidate, where the problem has no limits of its own.
    allow_inprocess
        Whether problems that need mode ``inprocess`` are judged, forgeably.
    calibrations
        Where calibrations are kept; the user's cache directory by default.

    Yields
    ------
    Verdict
        In the order of completion. Candidates of a faulty problem are ``broken``.

    Raises
    ------
    SandboxError
        No sandbox of the wanted level works here; nothing was run.
    """
    settings = Settings(
        level=checked_level(level, allow_weak),
        time_limit=time_limit,
        memory_mb=memory_mb,
        allow_inprocess=allow_inprocess,
    )
    refuse_narrow_limits(settings)
    count = workers or _cores()
    flow = Flow(Pool(settings.level, count), settings, calibrations or Calibrations())
    return flow.verdicts(iter(pairs), _AHEAD * count)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Flow:
    """From pairs to verdicts over one pool: each problem is calibrated before it is judged."""

    def __init__(self, pool: Pool, settings: Settings, kept: Calibrations) -> None:
        self._pool = pool
        self._settings = settings
        self._kept = kept
        self._plans: dict[str, Plan] = {}
        self._held: dict[str, list[Pair]] = {}
        self._plans_size = 0
        self._open = 0

    def verdicts(self, pairs: Iterator[Pair | None], ahead: int) -> Iterator[Verdict]:
        """Judge all pairs, at most so many ahead of what was yielded."""
        try:
            found: _Found = "more"
            while found != "end" or self._open:
                while found != "end" and self._open < ahead:
                    found = self._take(pairs)
                    if found == "nothing":
                        break
                for task in self._pool.step(_PATIENCE_S if found == "nothing" else None):
                    yield from self._finished(task)
        finally:
            self._pool.close()

    def _take(self, pairs: Iterator[Pair | None]) -> _Found:
        try:
            pair = next(pairs)
        except StopIteration:
            return "end"
        if pair is None:
            return "nothing"
        self._open += 1
        self._begin(pair)
        return "more"

    def _begin(self, pair: Pair) -> None:
        """Judge by a plan that is there, or calibrate the problem first."""
        problem, candidate = pair
        key = problem.content_id
        if key in self._held:
            self._held[key].append(pair)
        elif (plan := self._plan(problem)) is not None:
            self._pool.begin(Task(key, judgement(plan, candidate)))
        else:
            self._held[key] = [pair]
            self._pool.begin(Task(key, calibration(problem, self._settings), label=problem))

    def _plan(self, problem: Problem) -> Plan | None:
        plan = self._plans.get(problem.content_id)
        if plan is None:
            found = self._kept.find(problem, self._settings)
            plan = self._planned(problem, found) if found else None
        return plan

    def _planned(self, problem: Problem, found: Calibration) -> Plan:
        plan = self._plans[problem.content_id] = Plan(problem, found, self._settings)
        self._plans_size += plan.size
        while self._plans_size > _PLANS_SIZE and len(self._plans) > 1:
            self._plans_size -= self._plans.pop(next(iter(self._plans))).size
        return plan

    def _finished(self, task: Task) -> Iterator[Verdict]:
        if task.failure is not None:
            raise task.failure
        if isinstance(task.result, Verdict):
            self._open -= 1
            yield task.result
        else:
            self._calibrated(task.label, task.result)

    def _calibrated(self, problem: Problem, found: Calibration) -> None:
        self._kept.keep(problem, self._settings, found)
        self._planned(problem, found)
        for pair in self._held.pop(problem.content_id):
            self._begin(pair)


def calibrate(problem: Problem, **settings: Any) -> Calibration:
    """Run a problem's reference alone, and say how its candidates are judged.

    Parameters
    ----------
    problem
        The problem. A faulty one is told by ``.fault``, not by an exception.
    **settings
        The fields of `Settings`; the level is found by self-test by default.

    Returns
    -------
    Calibration
        Fresh: nothing kept is read or written.
    """
    chosen = Settings(**{**settings, "level": checked_level(settings.get("level"), None)})
    refuse_narrow_limits(chosen)
    pool = Pool(chosen.level, 1)
    try:
        return pool.finish(calibration(problem, chosen), problem.content_id)
    finally:
        pool.close()
