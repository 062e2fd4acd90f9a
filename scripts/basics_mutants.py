"""Count the mutants of the references of `basics` that its tests kill; see check-basics.

python scripts/basics_mutants.py [--survivors] [PART OF AN ID ...]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable

from mutants import Mutant, mutants

from anyofk.problems import read_problems
from anyofk.records import Problem, Tests

LEAST_SECONDS = 0.25
MEMORY = 1 << 30


def main() -> int:
    """Print what was killed, problem by problem and in all."""
    arguments = _arguments()
    if os.getpid() != 1:
        print("run scripts/check-basics: mutants need a process namespace", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    total: Counter[str] = Counter()
    for problem in read_problems("basics"):
        if not arguments.ids or any(part in problem.id for part in arguments.ids):
            total += _one(problem, survivors=arguments.survivors)
    share = total["killed"] / (total["killed"] + total["alive"])
    print(f"{total['killed']} killed, {total['alive']} alive: {share:.1%}")
    print(", ".join(f"{k} {v}" for k, v in sorted(total.items()) if k not in {"killed", "alive"}))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--survivors", action="store_true", help="show each mutant that passes")
    parser.add_argument("ids", nargs="*")
    return parser.parse_args()


def _one(problem: Problem, *, survivors: bool) -> Counter[str]:
    """Count the fates of all mutants of one problem."""
    started = time.process_time()
    reference = problem.reference or ""
    if not _passes(problem, reference, 60):
        raise SystemExit(f"the reference of {problem.id} fails")
    seconds = max(LEAST_SECONDS, 4 * (time.process_time() - started))
    counts: Counter[str] = Counter()
    for mutant in mutants(reference):
        alive = _passes(problem, mutant.source, seconds)
        counts["alive" if alive else "killed"] += 1
        counts[f"{mutant.kind} alive" if alive else f"{mutant.kind} killed"] += 1
        if alive and survivors:
            _show(problem, mutant)
    print(f"{problem.id:32} {counts['killed']:4} killed {counts['alive']:3} alive", flush=True)
    return counts


def _show(problem: Problem, mutant: Mutant) -> None:
    plain = set(map(str.strip, (problem.reference or "").splitlines()))
    changed = [line for line in mutant.source.splitlines() if line.strip() not in plain]
    print(f"    {problem.id} line {mutant.line} {mutant.kind}: {' / '.join(changed)}")


def _passes(problem: Problem, program: str, seconds: float) -> bool:
    """Run all tests of a problem on a program in a forked child with limits."""
    child = os.fork()
    if child == 0:
        _limit(seconds)
        with contextlib.suppress(BaseException):
            _run(problem, program)
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


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


if __name__ == "__main__":
    sys.exit(main())
