"""LiveCodeBench: public and private tests, on standard input or of a method."""

from __future__ import annotations

from typing import Any

from anyofk.problems.contest import PREAMBLE, contest_tests
from anyofk.problems.fields import Fields
from anyofk.problems.pickled_text import packed_text
from anyofk.problems.rows import Row
from anyofk.records import Problem, Tests, parse_json

_FACTS = ("platform", "contest_id", "contest_date", "difficulty", "question_title")


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has LiveCodeBench's fields."""
    return {"question_id", "question_content", "private_test_cases"} <= data.keys()


def read_problem(row: Row) -> Problem:
    """Read one problem; it has no reference."""
    fields = Fields(row)
    name = _function(fields)
    groups = (
        _group(fields, "public_test_cases", "public", name),
        _group(fields, "private_test_cases", "hidden", name),
    )
    starter = fields.text("starter_code", "")
    content = fields.text("question_content")
    return Problem(
        id=fields.text("question_id"),
        prompt=f"{content}\n\n{starter}" if starter.strip() else content,
        entry_point=name,
        tests=_some(fields, groups),
        preamble=PREAMBLE,
        mode=None if name else "stdio",
        metadata={fact: fields.data[fact] for fact in _FACTS if fields.data.get(fact)},
    )


def _some(fields: Fields, groups: tuple[Tests | None, ...]) -> tuple[Tests, ...]:
    found = tuple(group for group in groups if group)
    if not found:
        raise fields.fault("private_test_cases", "the problem has no tests")
    return found


def _function(fields: Fields) -> str | None:
    """Find the method that tests call, where they call one."""
    metadata = _json(fields, "metadata", fields.data.get("metadata") or "{}")
    name = metadata.get("func_name") if isinstance(metadata, dict) else None
    return str(name) if name else None


def _group(fields: Fields, field: str, name: str, function: str | None) -> Tests | None:
    cases = _cases(fields, field)
    for case in cases:
        if not isinstance(case, dict) or not {"input", "output"} <= case.keys():
            raise fields.fault(field, f"a test in {field!r} has no 'input' or 'output'")
        if (case.get("testtype") == "functional") is not bool(function):
            raise fields.fault(field, f"test type {case.get('testtype')!r} does not fit 'metadata'")
    if not cases:
        return None
    columns = {f"{key}s": [case[key] for case in cases] for key in ("input", "output")}
    return contest_tests(fields, name, {**columns, "fn_name": function}, public=name == "public")


def _cases(fields: Fields, name: str) -> list[Any]:
    """Read tests: a list, its JSON text, or that text packed."""
    value = fields.data.get(name) or []
    if isinstance(value, str):
        value = _json(
            fields, name, value if value.lstrip().startswith("[") else _packed(fields, name)
        )
    if not isinstance(value, list):
        raise fields.fault(name, f"field {name!r} must be a list")
    return value


def _packed(fields: Fields, name: str) -> str:
    try:
        text = packed_text(fields.text(name))
    except ValueError as error:
        raise fields.fault(name, f"field {name!r}: {error}") from error
    if not isinstance(text, str):
        raise fields.fault(name, f"field {name!r} holds a table where a list belongs")
    return text


def _json(fields: Fields, name: str, text: Any) -> Any:
    try:
        return parse_json(text) if isinstance(text, str) else text
    except ValueError as error:
        raise fields.fault(name, f"field {name!r} is not JSON: {error}") from error
