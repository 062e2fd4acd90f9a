"""Counts out of the results of evalplus, BigCodeBench and LiveCodeBench."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from anyofk.errors import shown
from anyofk.exchange.row_faults import problem_of, row_fault
from anyofk.problems.rows import Row
from anyofk.records import Counts


def is_evalplus(data: dict[str, Any]) -> bool:
    """Whether a file holds evalplus's results."""
    return "base_status" in _first_verdict(data)


def is_bigcodebench(data: dict[str, Any]) -> bool:
    """Whether a file holds BigCodeBench's results."""
    return "status" in _first_verdict(data)


def read_evalplus(rows: Iterable[Row]) -> list[Counts]:
    """Count who passed the base tests, and the plus tests where they were run."""
    rows = list(rows)
    with_plus = any(
        isinstance(verdict, dict) and verdict.get("plus_status") is not None
        for row in rows
        for verdicts in _of_problems(row).values()
        for verdict in (verdicts if isinstance(verdicts, list) else ())
    )
    names = ("base_status", "plus_status") if with_plus else ("base_status",)
    return _counted(rows, names)


def read_bigcodebench(rows: Iterable[Row]) -> list[Counts]:
    """Count who passed."""
    return _counted(rows, ("status",))


def read_livecodebench(rows: Iterable[Row]) -> list[Counts]:
    """Count the true entries of each ``graded_list``."""
    found: dict[str, Counts] = {}
    for row in rows:
        problem, graded = problem_of(row), row.data.get("graded_list")
        if not isinstance(graded, list) or not all(type(one) is bool for one in graded):
            message = "field 'graded_list' must be a list of true and false"
            raise row_fault(row, "graded_list", message)
        if problem in found:
            raise row_fault(row, "question_id", f"problem {problem!r} stands twice")
        found[problem] = Counts(problem, len(graded), sum(graded))
    return list(found.values())


def _first_verdict(data: dict[str, Any]) -> dict[str, Any]:
    problems = data.get("eval")
    values = problems.values() if isinstance(problems, dict) else ()
    lists = (verdicts for verdicts in values if isinstance(verdicts, list) and verdicts)
    first = next(lists, [None])[0]
    return first if isinstance(first, dict) else {}


def _of_problems(row: Row) -> dict[str, Any]:
    problems = row.data.get("eval")
    if not isinstance(problems, dict):
        raise row_fault(row, "eval", "field 'eval' must be a table")
    return problems


def _counted(rows: Iterable[Row], names: tuple[str, ...]) -> list[Counts]:
    """Count the verdicts whose named fields all say ``pass``."""
    counts = []
    for row in rows:
        for problem, verdicts in _of_problems(row).items():
            if not isinstance(verdicts, list) or not verdicts:
                raise row_fault(row, "eval", f"problem {problem!r} must have a list of verdicts")
            good = [all(_status(row, problem, v, name) for name in names) for v in verdicts]
            counts.append(Counts(problem, len(good), sum(good)))
    return counts


def _status(row: Row, problem: str, verdict: Any, name: str) -> bool:
    status = verdict.get(name) if isinstance(verdict, dict) else None
    if status not in ("pass", "fail", "timeout"):
        known = "it is pass, fail or timeout"
        raise row_fault(row, name, f"problem {problem!r} has {name} {shown(status)}", known)
    return bool(status == "pass")
