"""APPS, and other sets that took over its ``input_output``."""

from __future__ import annotations

from typing import Any

from anyofk.problems.contest import PREAMBLE, contest_tests
from anyofk.problems.fields import Fields
from anyofk.problems.rows import Row
from anyofk.problems.source_code import tree
from anyofk.records import Problem, parse_json

_IDS = ("problem_id", "id", "task_id", "question_id")
_PROMPTS = ("question", "prompt", "content", "question_content")


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has ``input_output``, or ``inputs`` and ``outputs`` of its own."""
    return "input_output" in data or {"inputs", "outputs"} <= data.keys()


def read_problem(row: Row) -> Problem:
    """Read one problem; its reference is the first solution that parses."""
    fields = Fields(row)
    cases = _cases(fields)
    name = cases.get("fn_name")
    return Problem(
        id=_identifier(fields),
        prompt=_prompt(fields),
        entry_point=str(name) if name else None,
        tests=(contest_tests(fields, "hidden", cases),),
        reference=_reference(fields),
        preamble=PREAMBLE,
        mode=None if name else "stdio",
        metadata={k: fields.data[k] for k in ("difficulty", "url") if fields.data.get(k)},
    )


def _cases(fields: Fields) -> dict[str, Any]:
    cases = _unpacked(fields, "input_output") if "input_output" in fields.data else fields.data
    if not isinstance(cases, dict):
        raise fields.fault("input_output", "field 'input_output' must be a table")
    return cases


def _unpacked(fields: Fields, name: str) -> Any:
    """APPS keeps tables and lists as JSON text inside JSON."""
    value = fields.data.get(name)
    if not isinstance(value, str) or not value.strip():
        return value
    try:
        return parse_json(value)
    except ValueError as error:
        raise fields.fault(name, f"field {name!r} is not JSON: {error}") from error


def _identifier(fields: Fields) -> str:
    name = next((name for name in _IDS if fields.data.get(name) is not None), None)
    return fields.identifier(name) if name else str(fields.row.index)


def _prompt(fields: Fields) -> str:
    text = next((fields.text(name) for name in _PROMPTS if fields.data.get(name)), "")
    starter = fields.text("starter_code", "")
    return f"{text}\n\n{starter}" if starter.strip() else text


def _reference(fields: Fields) -> str | None:
    solutions = _unpacked(fields, "solutions") or []
    if not isinstance(solutions, list):
        raise fields.fault("solutions", "field 'solutions' must be a list")
    sources = [source for source in solutions if isinstance(source, str) and source.strip()]
    return next((source for source in sources if tree(source)), None)
