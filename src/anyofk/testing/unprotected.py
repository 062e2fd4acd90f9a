"""A harness as many are written, to show what it lets pass: program and test joined in one file.

It believes the exit code, or the last line of the output. It runs inside our sandbox and in
no other place, and serves only to prove that the attacks of the corpus are real.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from anyofk.records import Problem
from anyofk.sandbox import Exit, Job, Limits, Zygote, ZygoteSpec

if TYPE_CHECKING:
    from anyofk.testing.hostile import HostileProgram

SUCCESS: Final = "all tests passed"
"""The line that the joined file prints at its end."""

_BODY: Final = "anyofk.testing.unprotected:joined_body"
_LIMITS: Final = Limits(cpu_s=2.0, wall_s=3.0, memory_mb=512)


def joined_body(job: Job) -> None:
    """Become a fresh interpreter that runs the posted file; runs inside the sandbox."""
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", job.payload.decode()])  # noqa: S606 - no shell is the point


def start(level: str) -> Zygote:
    """Start the sandbox in which the unprotected harness runs."""
    return Zygote.start(ZygoteSpec(level=level, bodies=(_BODY,)))  # type: ignore[arg-type]  # checked by the sandbox


def fooled(zygote: Zygote, program: HostileProgram) -> bool:
    """Say whether the harness takes a hostile program for a right one, by its stated proof."""
    ended = _run(zygote, joined(program.problem, program.candidate.text))
    if program.proof == "printed":
        return ended.stdout.decode("utf-8", "replace").rstrip().endswith(SUCCESS)
    return (ended.kind, ended.code) == ("done", 0)


def joined(problem: Problem, text: str) -> str:
    r"""Join a program with its tests into one file, as plain text.

    Examples
    --------
    >>> from anyofk.records import Tests
    >>> problem = Problem("p", entry_point="f", tests=(Tests(code="def check(f): ..."),))
    >>> joined(problem, "f = abs").splitlines()[-2:]
    ['check(f)', "print('all tests passed')"]
    """
    tests = problem.tests[0]
    parts = [text, tests.setup, tests.code, f"check({problem.entry_point})", f"print({SUCCESS!r})"]
    return "\n".join(parts) + "\n"


def _run(zygote: Zygote, source: str) -> Exit:
    zygote.post(1, _BODY, source.encode(), _LIMITS, stdin=b"", want_stdout=True)
    return zygote.receive()
