"""Composing a verdict from how both sides of a trial ended: the parent decides, alone.

What the candidate's process says can choose among the candidate's failures, never make a
pass and never ``broken``: that is only what failed without the candidate.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from anyofk.judging.calibration import Calibration
from anyofk.judging.messages import one_line
from anyofk.judging.trial import Ran
from anyofk.records import Outcome
from anyofk.sandbox import Exit

_KILLED: Final[dict[str, tuple[Outcome, str]]] = {
    "cpu": (Outcome.TIMEOUT, "the CPU time limit was reached"),
    "wall": (Outcome.TIMEOUT, "the wall time limit was reached"),
    "overload": (Outcome.TIMEOUT, "ten times the wall time limit passed"),
    "memory": (Outcome.MEMORY_LIMIT, "the memory limit was reached"),
    "output": (Outcome.OUTPUT_LIMIT, "the output limit was reached"),
    "forbidden": (Outcome.FORBIDDEN, "a forbidden system call"),
}
_SAID: Final = frozenset(
    {
        *("wrong_answer", "exception", "syntax_error", "missing_entry_point"),
        *("memory_limit", "exited", "forbidden"),
    }
)


@dataclass(frozen=True)
class Judged:
    """An outcome with its words and counts."""

    outcome: Outcome
    message: str = ""
    held: int = 0
    reached: int = 0
    group: str = ""
    adapter: str = ""

    @property
    def passed(self) -> bool:
        """Whether it is a pass."""
        return self.outcome is Outcome.PASSED


def isolated(ran: Ran, calibration: Calibration) -> Judged:
    """Compose from a trial of mode ``isolated``."""
    unrun = _unrun(ran)
    if unrun is not None:
        return unrun
    said = ran.said
    outcome = said.get("outcome", "")
    if ran.check is None or ran.check.kind != "done" or not outcome:
        return _without_checker(ran)
    if outcome == "fault":
        return Judged(Outcome.BROKEN, f"the tests failed before the program ran: {said['message']}")
    if outcome in ("gone", "unfit"):
        return _gone(ran, said)
    if outcome == "passed":
        return _passed(said, calibration)
    return _judged(Outcome(outcome), said["message"], said)


def undecided(ran: Ran) -> bool:
    """Whether calls that travelled together may have moved the outcome of a trial.

    The test went another way than was foreseen, or the program ended when it had answered
    some calls of a message, of which the checker never heard. The report says so and may be
    forged: that costs a second trial, no more.
    """
    outcome = ran.said.get("outcome", "")
    if outcome == "deviated":
        return True
    begun = len(ran.program.report) if ran.program else 0
    return outcome in ("gone", "") and begun > _count(ran.said, "answered")


def together(ran: Ran, calibration: Calibration) -> Judged:
    """Compose from a trial of mode ``inprocess``: what it says can be forged."""
    unrun = _unrun(ran)
    if unrun is not None:
        return unrun
    killed = _killed(ran.program)
    said = ran.told if isinstance(ran.told, dict) else {}
    if killed is not None:
        return killed
    if said.get("outcome") == "passed":
        return _passed(said, calibration)
    if type(said.get("outcome")) is str and said["outcome"] in _SAID:
        return _judged(Outcome(said["outcome"]), str(said.get("message", "")), said)
    return Judged(Outcome.EXITED, "the program ended before the last check")


def _unrun(ran: Ran) -> Judged | None:
    if ran.fault:
        return Judged(Outcome.BROKEN, one_line(f"the sandbox did not start: {ran.fault}"))
    if ran.lost:
        return Judged(Outcome.CRASHED, "the sandbox around the program died, twice")
    return None


def _passed(said: dict[str, Any], calibration: Calibration) -> Judged:
    """A pass needs a completed call, and as many executed checks as the reference had."""
    held, reached = _count(said, "held"), _count(said, "reached")
    expected = calibration.checks_expected
    wanted = 1 if expected is None else expected
    if reached - held > calibration.checks_failed:
        return _judged(Outcome.WRONG_ANSWER, "a check failed, and the test went on", said)
    if not _count(said, "calls") and not reached:
        return _judged(Outcome.WRONG_ANSWER, "no call was completed", said)
    if reached < wanted:
        return _judged(Outcome.WRONG_ANSWER, f"{reached} of {wanted} checks were reached", said)
    if not _count(said, "calls"):
        return _judged(Outcome.WRONG_ANSWER, "no call was completed", said)
    return _judged(Outcome.PASSED, "", said)


def _without_checker(ran: Ran) -> Judged:
    """The checker was killed: by the candidate's data, unless the candidate died first."""
    killed = _killed(ran.program) or _killed(ran.check)
    if killed is not None:
        return killed
    return Judged(Outcome.CRASHED, "the checker died of the program's data")


def _gone(ran: Ran, said: dict[str, Any]) -> Judged:
    killed = _killed(ran.program)
    if killed is not None:
        return replace(killed, held=_count(said, "held"), group=said["group"])
    if said["outcome"] == "unfit":
        return _judged(Outcome.WRONG_ANSWER, said["message"], said)
    return _judged(Outcome.EXITED, "the program ended before the last check", said)


def _killed(end: Exit | None) -> Judged | None:
    """The outcome of a process that was killed, or none."""
    if end is None or end.kind == "done":
        return None
    if end.kind == "signal":
        return Judged(Outcome.CRASHED, f"killed by signal {end.signal}")
    outcome, words = _KILLED[end.kind]
    return Judged(outcome, words)


def _judged(outcome: Outcome, message: str, said: dict[str, Any]) -> Judged:
    return Judged(
        outcome,
        one_line(message),
        _count(said, "held"),
        _count(said, "reached"),
        one_line(str(said.get("group", "")), 80),
        one_line(str(said.get("adapter", "")), 80),
    )


def _count(said: dict[str, Any], name: str) -> int:
    value = said.get(name, 0)
    return value if type(value) is int else 0


def script(ran: Ran) -> Judged | None:
    """Compose from a run of a whole program; none where its output decides."""
    failed = _unrun(ran) or _killed(ran.program)
    if failed is not None:
        return failed
    told = ran.told
    kind = told[0] if isinstance(told, list) and told else ""
    if kind == "done" or (kind == "" and ran.program is not None and ran.program.code == 0):
        return None
    if kind == "syntax":
        return Judged(Outcome.SYNTAX_ERROR, one_line("".join(map(str, told[1:]))))
    if kind == "x":
        return _raised(told)
    return Judged(Outcome.EXITED, f"the program ended with exit status {ran.program.code}")  # type: ignore[union-attr]  # _killed saw it


def _raised(told: Any) -> Judged:
    try:
        _, kinds, _, text = told
        name = str(kinds[0])
    except (ValueError, TypeError, LookupError):
        return Judged(Outcome.EXCEPTION, "an exception")
    named = {"MemoryError": Outcome.MEMORY_LIMIT, "PermissionError": Outcome.FORBIDDEN}
    return Judged(named.get(name, Outcome.EXCEPTION), one_line(f"{name}: {text}"))


def output(ran: Ran) -> Judged:
    """Compose from what the problem's own checker says about an output."""
    failed = _unrun(ran) or _killed(ran.check)
    if failed is not None:
        return failed
    try:
        kind, words = json.loads(ran.check.report if ran.check else b"")
    except (ValueError, TypeError):
        kind, words = "stopped", "the checker said nothing"
    if kind == "right":
        return Judged(Outcome.PASSED)
    stopped = f"the problem's checker stopped: {words}" if kind == "stopped" else ""
    return Judged(Outcome.WRONG_ANSWER, one_line(stopped or "the problem's checker says wrong"))
