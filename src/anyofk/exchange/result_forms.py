"""The forms of results: how each is recognised, and how its n and c are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import DataError, shown
from anyofk.exchange.row_faults import IDS, problem_of, row_fault
from anyofk.exchange.tool_results import (
    is_bigcodebench,
    is_evalplus,
    read_bigcodebench,
    read_evalplus,
    read_livecodebench,
)
from anyofk.problems.rows import Row
from anyofk.records import Counts, Outcome, Verdict, identifier
from anyofk.tallying import tally

_TRUST: Final = (
    "these verdicts are taken on trust: the tool runs a candidate in one process with its tests"
)
_ELSEWHERE: Final = (
    ({"eval", "hash"}, "evalplus results of an old form, which cannot be read yet"),
    ({"doc_id", "filtered_resps"}, "lm-eval samples, which hold no verdicts"),
    ({"resps", "filter"}, "lm-eval samples, which hold no verdicts"),
    ({"eval", "plan", "samples"}, "an inspect log, which cannot be read yet"),
    ({"problem_idx", "reward"}, "NeMo Evaluator results, which cannot be read yet"),
    ({"example_id", "reward"}, "verifiers results, which cannot be read yet"),
    ({"gts", "score"}, "verl rollouts, which cannot be read yet"),
    ({"completion"}, "candidates without verdicts: judge them with 'anyofk verify'"),
    ({"solution"}, "candidates without verdicts: judge them with 'anyofk verify'"),
)


@dataclass(frozen=True, slots=True)
class ResultForm:
    """One form: its name for people, how a row shows it, its reader, what to know."""

    name: str
    recognises: Callable[[dict[str, Any]], bool]
    read: Callable[[Iterable[Row]], list[Counts]]
    notes: tuple[str, ...] = ()


def known_elsewhere(data: dict[str, Any]) -> str:
    """Say what a row is that cannot be read here; empty where that is unknown."""
    return next((what for keys, what in _ELSEWHERE if keys <= data.keys()), "")


def _named(*columns: str) -> Callable[[dict[str, Any]], bool]:
    return lambda data: set(columns) <= data.keys() and any(name in data for name in IDS)


def _reader(n: str, c: str) -> Callable[[Iterable[Row]], list[Counts]]:
    """Read rows that hold counts."""

    def read(rows: Iterable[Row]) -> list[Counts]:
        found: dict[str, Counts] = {}
        places: dict[str, Row] = {}
        for row in rows:
            counts = _counts(row, n, c)
            if counts.problem in found:
                raise _twice(row, places[counts.problem], counts.problem)
            found[counts.problem], places[counts.problem] = counts, row
        return list(found.values())

    return read


def _counts(row: Row, n: str, c: str) -> Counts:
    problem = problem_of(row)
    numbers = {"n": _whole(row, n), "c": _whole(row, c)}
    broken = _whole(row, "broken") if row.data.get("broken") not in (None, "") else 0
    try:
        return Counts(problem, **numbers, broken=broken, cluster=_cluster(row))
    except DataError as error:
        raise row_fault(row, c, str(error), error.hint) from error


def _cluster(row: Row) -> str | None:
    value = row.data.get("cluster")
    if value is None or value == "":
        return None
    if type(value) not in {str, int}:
        raise row_fault(row, "cluster", f"field 'cluster' must be text, not {shown(value)}")
    return identifier(value)


def _whole(row: Row, name: str) -> int:
    """Read a count: a whole number, or in a table its digits."""
    value = row.data.get(name)
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:  # noqa: PLR2004  # 64 bits
        value = int(value)
    if type(value) is not int or value < 0:
        raise row_fault(
            row, name, f"field {name!r} must be a whole number from 0, not {shown(value)}"
        )
    return value


def _read_human_eval(rows: Iterable[Row]) -> list[Counts]:
    n: Counter[str] = Counter()
    c: Counter[str] = Counter()
    for row in rows:
        passed = row.data.get("passed")
        if type(passed) is not bool:
            raise row_fault(
                row, "passed", f"field 'passed' must be true or false, not {shown(passed)}"
            )
        problem = problem_of(row)
        n[problem] += 1
        c[problem] += passed
    return [Counts(problem, n[problem], c[problem]) for problem in n]


def _read_verdicts(rows: Iterable[Row]) -> list[Counts]:
    return tally(_verdict(row) for row in rows)


def _verdict(row: Row) -> Verdict:
    outcome, draw = row.data.get("outcome"), row.data.get("draw")
    if outcome not in list(Outcome):
        raise row_fault(row, "outcome", f"unknown outcome {shown(outcome)}", ", ".join(Outcome))
    if type(draw) is not int:
        raise row_fault(row, "draw", f"field 'draw' must be a whole number, not {shown(draw)}")
    return Verdict(problem_of(row), draw, Outcome(outcome))


def _twice(row: Row, first: Row, problem: str) -> DataError:
    several = row.data.get("model") != first.data.get("model")
    hint = "split the file by 'model'" if several else "give each problem one row"
    return row_fault(
        row, "problem", f"problem {problem!r} stands twice, first at {first.place}", hint
    )


FORMS: Final = (
    ResultForm("plain counts", _named("n", "c"), _reader("n", "c")),
    ResultForm("eval-arena counts", _named("count", "correct"), _reader("count", "correct")),
    ResultForm("anyofk verdicts", _named("outcome", "draw"), _read_verdicts),
    ResultForm(
        "human-eval results",
        _named("passed", "result"),
        _read_human_eval,
        (_TRUST,),
    ),
    ResultForm(
        "evalplus results",
        is_evalplus,
        read_evalplus,
        ("passed means the base tests, and the plus tests where the file has them", _TRUST),
    ),
    ResultForm("BigCodeBench results", is_bigcodebench, read_bigcodebench, (_TRUST,)),
    ResultForm("LiveCodeBench results", _named("graded_list"), read_livecodebench, (_TRUST,)),
)
