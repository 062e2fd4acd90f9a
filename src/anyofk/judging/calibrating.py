"""Calibrating a problem: run its reference alone, and settle how candidates are judged."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final

from anyofk.judging.calibration import Calibration
from anyofk.judging.codec import CodecError, Json, encode
from anyofk.judging.comparison import CALL_RULES, STREAM_RULES
from anyofk.judging.composition import Judged
from anyofk.judging.judgement import judged_program
from anyofk.judging.plan import Plan
from anyofk.judging.retries import retried
from anyofk.judging.settings import REFERENCE_TIME_S, Settings
from anyofk.judging.trial import ORACLE, Program, Ran, Steps, Trial
from anyofk.records import Outcome, Problem, Tests
from anyofk.sandbox import Limits

_UNORDERED: Final = re.compile(r"\bset\(|\bfrozenset|\bhash\(|\bid\(|\{[^{}:]*\bfor\b|[&|^]\s*set")
_SEEDS: Final = (1, 2)
_SEARCHED: Final = range(1, 25)
_HARD: Final = (
    *(Outcome.TIMEOUT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT),
    *(Outcome.CRASHED, Outcome.BROKEN),
)
_ORACLE_MB: Final = 64
_LIMITED: Final = "its reference runs into a limit or dies"


def calibration(problem: Problem, settings: Settings) -> Steps[Calibration]:
    """Run what must be known before any candidate of a problem is judged."""
    start = Calibration(problem.content_id, context=True)
    fault = _fault_of_form(problem)
    if fault:
        return replace(start, fault=fault)
    try:
        return (yield from _in_its_mode(problem, start, settings))
    except CodecError as error:
        return replace(start, fault=f"its calls hold what is no plain data: {error}")


def _in_its_mode(problem: Problem, start: Calibration, settings: Settings) -> Steps[Calibration]:
    if any(group.streams for group in problem.tests):
        start = replace(start, mode="stdio", context=False)
        return (yield from _measured(Plan(problem, start, settings)))
    return (yield from _inspected(Plan(problem, start, settings)))


def _fault_of_form(problem: Problem) -> str:
    """What is wrong with a problem at first sight, else nothing."""
    groups = [group for group in problem.tests if not group.empty]
    if problem.language != "python":
        return f"programs in {problem.language} are not judged yet"
    if not groups:
        return "it has no tests"
    if any(group.streams for group in groups) and any(g.code or g.calls for g in groups):
        return "it mixes tests on standard input with calls of a function"
    if any(group.calls for group in groups) and not problem.entry_point:
        return "its calls need an entry point"
    if any(c.oracle for g in groups for c in g.calls) and problem.reference is None:
        return "its expected values come from a reference, and it has none"
    return next(filter(None, map(_fault_of_rule, groups)), "")


def _fault_of_rule(group: Tests) -> str:
    known = STREAM_RULES if group.streams else CALL_RULES
    if group.comparison in known or (group.streams and group.comparison == "equal"):
        return ""
    return f"no comparison is called {group.comparison!r} (known: {', '.join(known)})"


def _inspected(plan: Plan) -> Steps[Calibration]:
    """Look at the tests: what they take from where, and whether they may meet results."""
    ran = yield from retried(plan.inspection())
    said = ran.said
    if said.get("outcome") != "inspected":
        words = said.get("message") or ran.fault or "inspecting them failed"
        return replace(plan.calibration, fault=f"its tests can't be read: {words}")
    if not said["checks"]:
        return replace(plan.calibration, fault="its tests hold no check")
    entry = [plan.problem.entry_point] if plan.problem.entry_point else []
    plan = plan.with_calibration(
        names=tuple(dict.fromkeys([*entry, *said["free"]])),
        modules=tuple(said["modules"]),
        context=said["context"],
        compiled=said["compiled"],
    )
    return (yield from _chosen(plan, _unfit(plan.problem, said)))


def _unfit(problem: Problem, said: dict[str, Any]) -> str:
    """Why tests can't be run on results from another process, else nothing."""
    if problem.mode == "inprocess":
        return "the data set asks for it"
    if said["unittest"]:
        return "its tests are of unittest"
    return f"its tests call {said['untrusting']}" if said["untrusting"] else ""


def _chosen(plan: Plan, unfit: str) -> Steps[Calibration]:
    """Choose the mode, ``isolated`` where that can be."""
    plan = yield from _expected(plan)
    if plan.calibration.fault:
        return plan.calibration
    if unfit:
        return (yield from _inprocess(plan, unfit))
    found = yield from _measured(plan.with_calibration(mutated=None))
    hopeless = not found.fault or plan.problem.mode == "isolated" or plan.problem.reference is None
    if hopeless or found.fault.startswith(_LIMITED):
        return found
    other = yield from _inprocess(plan, found.fault)
    return found if other.fault and plan.settings.allow_inprocess else other


def _inprocess(plan: Plan, reason: str) -> Steps[Calibration]:
    chosen = plan.with_calibration(mode="inprocess", reason=reason)
    found = yield from _measured(chosen)
    if not found.fault and not plan.settings.allow_inprocess:
        needs = f"it needs mode inprocess, where verdicts can be forged ({reason})"
        return replace(found, fault=needs)
    return found


def _expected(plan: Plan) -> Steps[Plan]:
    """Ask the reference, on arguments that nobody else touches, what must be returned."""
    results: list[list[Json]] = []
    for group in plan.problem.tests:
        if not any(call.oracle for call in group.calls):
            results.append([])
            continue
        ran = yield from retried(_oracle(plan, group))
        kind, found = _oracle_said(ran)
        if kind != "results":
            return plan.with_calibration(fault=f"its reference fails: {found}")
        results.append(found)
    return plan.with_calibration(expected=results)


def _oracle(plan: Plan, group: Tests) -> Trial:
    order = {
        "program": plan.problem.reference,
        "entry": plan.problem.entry_point,
        "calls": [[encode(value) for value in call.arguments] for call in group.calls],
        "seed": plan.seed,
    }
    limits = Limits(REFERENCE_TIME_S, REFERENCE_TIME_S, plan.memory_mb, _ORACLE_MB)
    job = Program(ORACLE, json.dumps(order).encode("ascii"), limits, want_stdout=True)
    return Trial(job, warmth=plan.warmth(plan.problem.reference or ""))


def _oracle_said(ran: Ran) -> tuple[str, Any]:
    end = ran.program
    if end is None or end.kind != "done":
        return "failed", ran.fault or (end.kind if end else "the sandbox died")
    try:
        kind, found = json.loads(end.stdout)
    except ValueError:
        return "failed", "its results could not be read"
    return kind, found


def _measured(plan: Plan) -> Steps[Calibration]:
    """Judge the reference by the plan, also under other hash seeds, and keep what it needed."""
    if plan.problem.reference is None:
        return replace(plan.calibration, mutated={})
    judged, ran = yield from _reference(_unhurried(plan), 0)
    if not judged.passed:
        return replace(plan.calibration, fault=(yield from _blamed(plan, judged)))
    found = _kept(plan.calibration, judged, ran)
    if not _order_matters(plan.problem):
        return found
    settled = _unhurried(Plan(plan.problem, found, plan.settings))
    for hash_seed in _SEEDS:
        other, _ = yield from _reference(settled, hash_seed)
        if not other.passed:
            return replace(found, fault=_flaky(other))
    return found


def _reference(plan: Plan, hash_seed: int) -> Steps[tuple[Judged, Ran]]:
    return (yield from judged_program(plan, plan.problem.reference or "", hash_seed))


def _unhurried(plan: Plan) -> Plan:
    """The plan with the time that a reference may take."""
    return Plan(plan.problem, plan.calibration, replace(plan.settings, time_limit=REFERENCE_TIME_S))


def _kept(before: Calibration, judged: Judged, ran: Ran) -> Calibration:
    said = ran.said
    names = tuple(name for name in before.names if name in said.get("have", before.names))
    return replace(
        before,
        names=names,
        checks_expected=judged.reached,
        checks_failed=judged.reached - judged.held,
        mutated=said.get("mutated", {}),
        foreseen=said.get("foreseen", []),
        telling=said.get("telling", []),
        reference_cpu_s=round(ran.program.cpu_s, 4) if ran.program else 0.0,
        checker_cpu_s=round(ran.check.cpu_s, 4) if ran.check else 0.0,
        referenced=True,
    )


def _blamed(plan: Plan, judged: Judged) -> Steps[str]:
    """Say how the reference failed, and whether it fails under every hash seed."""
    if judged.outcome in _HARD:
        return f"{_LIMITED} ({judged.outcome}: {judged.message})"
    if _order_matters(plan.problem):
        for hash_seed in _SEARCHED:
            other, _ = yield from _reference(_unhurried(plan), hash_seed)
            if other.passed:
                return _flaky(judged)
    return f"its reference fails ({judged.outcome}: {judged.message})"


def _flaky(judged: Judged) -> str:
    return (
        "it is flaky: its reference passes under some PYTHONHASHSEED values and fails under "
        f"others ({judged.message})"
    )


def _order_matters(problem: Problem) -> bool:
    """Whether reference or tests use what depends on the hash seed."""
    texts = [problem.reference or "", *(group.code for group in problem.tests)]
    return any(map(_UNORDERED.search, texts))
