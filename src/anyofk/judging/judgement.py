"""Judging one candidate: the steps from its text to its verdict."""

from __future__ import annotations

from typing import Final

from anyofk.judging import composition
from anyofk.judging.composition import Judged
from anyofk.judging.plan import Plan
from anyofk.judging.retries import retried, worth_a_retry
from anyofk.judging.streams import stream_steps
from anyofk.judging.trial import Ran, Steps
from anyofk.records import Candidate, Outcome, Verdict

_CUT: Final = (Outcome.SYNTAX_ERROR, Outcome.MISSING_ENTRY_POINT, Outcome.NO_CODE)


def judgement(plan: Plan, candidate: Candidate) -> Steps[Verdict]:
    """Judge one candidate by its problem's plan."""
    program = candidate.program(plan.problem)
    if plan.calibration.fault:
        judged, usage = Judged(Outcome.BROKEN, f"faulty problem: {plan.calibration.fault}"), Ran()
    elif candidate.extraction not in {"", "ok"}:
        judged, usage = _without_program(candidate), Ran()
    elif not candidate.text.strip():
        judged, usage = Judged(Outcome.NO_CODE, "the answer is empty"), Ran()
    else:
        judged, usage = yield from judged_program(plan, program)
    if judged.outcome in _CUT and candidate.finish_reason == "length":
        judged = Judged(Outcome.TRUNCATED, "the answer was cut at its length limit")
    return _verdict(plan, candidate, judged, usage)


def _without_program(candidate: Candidate) -> Judged:
    """Give the outcome of a reply out of which no program could be taken."""
    outcome = Outcome(candidate.extraction)
    return Judged(outcome, f"no program could be taken out of the reply: {outcome.value}")


def judged_program(plan: Plan, program: str, hash_seed: int = 0) -> Steps[tuple[Judged, Ran]]:
    """Run a whole program in the plan's mode, and say how it did."""
    if plan.calibration.mode == "stdio":
        return (yield from stream_steps(plan, program, hash_seed))
    if plan.calibration.mode == "inprocess":
        ran = yield from retried(plan.together(program, hash_seed))
        return composition.together(ran, plan.calibration), ran
    ran = yield from _isolated(plan, program, hash_seed)
    return composition.isolated(ran, plan.calibration), ran


def _isolated(plan: Plan, program: str, hash_seed: int) -> Steps[Ran]:
    """Run with calls that travel together; where that could move the outcome, with each apart."""
    trial = plan.isolated(program, hash_seed)
    ran = yield trial
    if worth_a_retry(ran) and not composition.undecided(ran):
        ran = yield trial.again()
    if composition.undecided(ran):
        ran = yield from retried(plan.isolated(program, hash_seed, apart=True))
    return ran


def _verdict(plan: Plan, candidate: Candidate, judged: Judged, ran: Ran) -> Verdict:
    end = ran.program
    return Verdict(
        problem=candidate.problem,
        draw=candidate.draw,
        outcome=judged.outcome,
        message=judged.message,
        checks_passed=judged.held,
        checks_expected=plan.calibration.checks_expected,
        cpu_s=round(end.cpu_s, 6) if end else 0.0,
        wall_s=round(end.wall_s, 6) if end else 0.0,
        peak_mb=round(end.peak_mb, 3) if end else 0.0,
        time_limit=plan.time_limit,
        memory_mb=plan.memory_mb,
        mode=plan.calibration.mode,
        level=str(plan.settings.level),
        forgeable=plan.calibration.mode == "inprocess",
        adapter=judged.adapter or candidate.adapter,
        group=judged.group,
    )
