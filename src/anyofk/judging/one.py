"""Judging one candidate, in zygotes that stay warm between calls."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any, Final

from anyofk.errors import ProblemError, UsageError
from anyofk.judging.calibrating import calibration
from anyofk.judging.caller_limits import refuse_narrow_limits
from anyofk.judging.judgement import judgement
from anyofk.judging.levels import checked_level
from anyofk.judging.plan import Plan
from anyofk.judging.pool import Pool
from anyofk.judging.settings import Settings
from anyofk.records import Candidate, Mode, Problem, Tests, Verdict

_MODES: Final = ("isolated", "stdio", "inprocess")
_PLANS: Final = 32


class _Bench:
    """The process's own pool of one worker, and the plans of the last problems."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[str, Pool] = {}
        self._plans: dict[tuple[str, Settings], Plan] = {}

    def judge(self, problem: Problem, candidate: Candidate, settings: Settings) -> Verdict:
        """Judge one candidate; calls from several threads take turns."""
        with self._lock:
            pool = self._pool(settings.level)
            plan = self._plan(pool, problem, settings)
            return pool.finish(judgement(plan, candidate), problem.content_id)

    def _pool(self, level: str) -> Pool:
        pool = self._pools.get(level)
        if pool is None or not pool.ours:
            pool = self._pools[level] = Pool(level, 1)
        return pool

    def _plan(self, pool: Pool, problem: Problem, settings: Settings) -> Plan:
        key = (problem.content_id, settings)
        if key not in self._plans:
            found = pool.finish(calibration(problem, settings), problem.content_id)
            if found.fault:
                raise ProblemError(
                    f"the problem can't be judged: {found.fault}",
                    hint="the fault is the test's or the reference's, not the program's",
                    problem=problem.id,
                )
            while len(self._plans) >= _PLANS:
                del self._plans[next(iter(self._plans))]
            self._plans[key] = Plan(problem, found, settings)
        return self._plans[key]

    def unlock(self) -> None:
        """In a forked child: no thread is left that would give the lock back."""
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the zygotes."""
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()


_BENCH: Final = _Bench()
atexit.register(_BENCH.close)
os.register_at_fork(after_in_child=_BENCH.unlock)


def judge(
    program: str,
    test: str | Tests,
    *,
    mode: Mode = "isolated",
    entry_point: str | None = None,
    prompt: str = "",
    time_limit: float = 3.0,
    memory_mb: int = 1024,
    reference: str | None = None,
    level: str | None = None,
    allow_weak: str | None = None,
) -> Verdict:
    r"""Judge one program by a test, in a sandbox.

    Parameters
    ----------
    program
        The whole program.
    test
        Python source with asserts, or one that defines ``check(candidate)``; or `Tests`.
    mode
        ``isolated``, ``stdio`` (for tests with streams) or ``inprocess`` (forgeable).
    entry_point
        The name that ``check`` is given; asserts that call a function need none.
    prompt
        Python that the tests may take names from.
    time_limit, memory_mb
        CPU seconds, and MiB of all its processes together.
    reference
        A program that is right, from which limits and the number of checks are taken.
    level, allow_weak
        The sandbox's level, found by self-test by default, and the weakest to accept.

    Returns
    -------
    Verdict
        Whatever the program did.

    Raises
    ------
    ProblemError
        The test has no check or can't be run, or the reference fails or is flaky.
    SandboxError
        No sandbox of the wanted level works here.

    Examples
    --------
    >>> judge("def f(x):\n    return 2 * x", "assert f(2) == 4").outcome  # doctest: +SKIP
    <Outcome.PASSED: 'passed'>
    """
    if mode not in _MODES:
        raise UsageError(f"no mode called {mode!r}", hint=f"modes: {', '.join(_MODES)}")
    tests = test if isinstance(test, Tests) else Tests(code=test)
    problem = Problem(
        "",
        prompt=prompt,
        entry_point=entry_point,
        tests=(tests,),
        reference=reference,
        prompt_is_code=bool(prompt),
        mode=mode,
    )
    settings = Settings(
        checked_level(level, allow_weak), time_limit, memory_mb, allow_inprocess=mode == "inprocess"
    )
    refuse_narrow_limits(settings)
    return _BENCH.judge(problem, Candidate("", 0, program), settings)


def close_bench(*_: Any) -> None:
    """End the zygotes that `judge` keeps warm; the next call starts new ones."""
    _BENCH.close()
