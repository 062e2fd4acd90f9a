"""Run the tests of a problem of `basics` on a program of our own, in a forked child with limits.

This is no sandbox: it is for references, their mutants and answers written by hand.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import sys
from collections.abc import Callable

from anyofk.records import Problem, Tests

MEMORY = 1 << 30


def passes(problem: Problem, program: str, seconds: float) -> bool:
    """Whether a program passes all tests of a problem in so many seconds of CPU time."""
    return fate(problem, program, seconds) == "passed"


def fate(problem: Problem, program: str, seconds: float) -> str:
    """Tell whether a program ``passed``, ``failed`` or ran out of ``time``."""
    child = os.fork()
    if child == 0:
        _limit(seconds)
        with contextlib.suppress(BaseException), contextlib.redirect_stdout(io.StringIO()):
            _run(problem, program)
            os._exit(0)
        os._exit(1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return "time"
    return "failed" if status else "passed"


def _limit(seconds: float) -> None:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _run(problem: Problem, program: str) -> None:
    for group in problem.tests:
        if group.streams:
            _run_streams(group, program)
        else:
            _run_calls(problem, group, program)


def _run_calls(problem: Problem, group: Tests, program: str) -> None:
    names: dict[str, object] = {"__name__": "candidate"}
    exec(program, names)  # noqa: S102  # a program of ours, in a child with limits
    exec(group.setup + "\n" + group.code, names)  # noqa: S102  # as above
    function: Callable[..., object] = names[problem.entry_point or ""]  # type: ignore[assignment]  # the entry point
    for call in group.calls:
        got = function(*call.arguments)
        if not _equal(got, call.expected, group.tolerance):
            raise AssertionError


def _equal(got: object, expected: object, tolerance: float) -> bool:
    if isinstance(got, list) and isinstance(expected, list):
        pairs = zip(got, expected, strict=True)
        return all(_equal(one, other, tolerance) for one, other in pairs)
    if isinstance(got, float) and isinstance(expected, float):
        return abs(got - expected) <= tolerance
    return got == expected


def _run_streams(group: Tests, program: str) -> None:
    for stream in group.streams:
        sys.stdin = io.StringIO(stream.stdin)
        with contextlib.redirect_stdout(io.StringIO()) as written:
            exec(program, {"__name__": "__main__"})  # noqa: S102  # as above
        got, wanted = written.getvalue(), stream.stdout
        same = got == wanted if group.comparison == "exact" else got.split() == wanted.split()
        if not same:
            raise AssertionError
