"""SandboxFusion's rows: other sets in its one shape, with the facts in ``labels``."""

from __future__ import annotations

from typing import Any

from anyofk.problems.bigcodebench import unittest_problem
from anyofk.problems.contest import PREAMBLE, contest_tests
from anyofk.problems.fields import Fields
from anyofk.problems.humaneval import refuse_other_languages
from anyofk.problems.pickled_text import packed_text
from anyofk.problems.rows import Row
from anyofk.records import Problem, parse_json


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has SandboxFusion's fields."""
    return {"id", "content", "test", "labels"} <= data.keys()


def read_problem(row: Row) -> Problem:
    """Read one problem of LiveCodeBench or BigCodeBench."""
    fields = Fields(row)
    labels = _table(fields, "labels", fields.data["labels"])
    told = Fields(row, labels, "labels.")
    refuse_other_languages(fields, "labels", str(labels.get("programming_language", "python")))
    if "entry_point" in labels:
        identifier, name = fields.identifier("id"), told.text("entry_point")
        return unittest_problem(fields, identifier, prompt=fields.text("content"), entry_point=name)
    return _contest_problem(fields, labels)


def _contest_problem(fields: Fields, labels: dict[str, Any]) -> Problem:
    """Read packed contest tests; the solution in these rows is a placeholder."""
    cases = _table(fields, "test", _input_output(fields))
    name = cases.get("fn_name")
    return Problem(
        id=_identifier(fields, labels),
        prompt=fields.text("content"),
        entry_point=str(name) if name else None,
        tests=(contest_tests(fields, "hidden", cases),),
        preamble=PREAMBLE,
        mode=None if name else "stdio",
        metadata={k: labels[k] for k in ("category", "difficulty") if k in labels},
    )


def _identifier(fields: Fields, labels: dict[str, Any]) -> str:
    own = labels.get("task_id")
    return (
        Fields(fields.row, labels, "labels.").identifier("task_id")
        if own
        else fields.identifier("id")
    )


def _input_output(fields: Fields) -> Any:
    try:
        content = packed_text(fields.text("test"))
    except ValueError as error:
        raise fields.fault("test", f"field 'test': {error}") from error
    return content.get("input_output", "") if isinstance(content, dict) else content


def _table(fields: Fields, name: str, value: Any) -> dict[str, Any]:
    try:
        table = parse_json(value) if isinstance(value, str) else value
    except ValueError as error:
        raise fields.fault(name, f"field {name!r} is not JSON: {error}") from error
    if not isinstance(table, dict):
        raise fields.fault(name, f"field {name!r} must be a table")
    return table
