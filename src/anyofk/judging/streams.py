"""Mode ``stdio``: one run of the program per stream, compared outside by the problem's rule."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

from anyofk.judging import composition
from anyofk.judging.comparison import first_difference, same_output
from anyofk.judging.composition import Judged
from anyofk.judging.messages import one_line
from anyofk.judging.plan import Plan
from anyofk.judging.retries import retried
from anyofk.judging.trial import OUTPUT, SCRIPT, Check, Program, Ran, Steps, Trial
from anyofk.records import Outcome, Stream, Tests

_SHOWN: Final = 80


def stream_steps(plan: Plan, program: str, hash_seed: int = 0) -> Steps[tuple[Judged, Ran]]:
    """Run all streams until one fails; the time and memory are those of the dearest run."""
    held, dearest = 0, Ran()
    for group in plan.problem.tests:
        for index, stream in enumerate(group.streams):
            ran = yield from retried(_trial(plan, program, stream, hash_seed))
            dearest = max(dearest, ran, key=_seconds)
            judged = yield from _judged(plan, group, stream, ran)
            if not judged.passed:
                words = one_line(f"test {index + 1} of {len(group.streams)}: {judged.message}")
                failed = replace(judged, message=words, held=held, group=group.name)
                return failed, dearest
            held += 1
    return Judged(Outcome.PASSED, held=held), dearest


def _seconds(ran: Ran) -> float:
    return ran.program.cpu_s if ran.program else -1.0


def _trial(plan: Plan, program: str, stream: Stream, hash_seed: int) -> Trial:
    order = json.dumps({"program": program, "seed": plan.seed}).encode("ascii")
    stdin = stream.stdin.encode("utf-8", "surrogatepass")
    job = Program(SCRIPT, order, plan.limits(), stdin=stdin, want_stdout=True)
    return Trial(job, warmth=plan.warmth(program, hash_seed))


def _judged(plan: Plan, group: Tests, stream: Stream, ran: Ran) -> Steps[Judged]:
    failed = composition.script(ran)
    if failed is not None or ran.program is None:
        return failed or Judged(Outcome.CRASHED, "the program did not run")
    if group.checker:
        return (yield from _by_checker(plan, group, stream, ran.program.stdout))
    expected = stream.stdout.encode("utf-8", "surrogatepass")
    if same_output(group.comparison, expected, ran.program.stdout, group.tolerance):
        return Judged(Outcome.PASSED)
    return Judged(Outcome.WRONG_ANSWER, _difference(expected, ran.program.stdout))


def _by_checker(plan: Plan, group: Tests, stream: Stream, stdout: bytes) -> Steps[Judged]:
    """Ask the problem's own checker; what stops it is the output that it was given."""
    order = {
        "checker": group.checker,
        "stdin": stream.stdin,
        "stdout": stdout.decode("utf-8", "replace"),
        "expected": stream.stdout,
    }
    payload = json.dumps(order).encode("ascii")
    check = Check(OUTPUT, f"{plan.problem.content_id} output", plan.checker_limits(), b"", payload)
    return composition.output((yield from retried(Trial(None, check))))


def _difference(expected: bytes, got: bytes) -> str:
    wanted, written = first_difference(expected, got)
    return f"expected {_word(wanted)}, got {_word(written)}"


def _word(word: bytes) -> str:
    return repr(word[:_SHOWN].decode("utf-8", "replace")) if word else "the end"
