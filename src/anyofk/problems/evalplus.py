"""HumanEval+ and MBPP+: many inputs, and the reference says what must come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from anyofk.problems.evalplus_rules import alternatives, comparison
from anyofk.problems.fields import Fields
from anyofk.problems.humaneval import completed
from anyofk.problems.mbpp import split_of
from anyofk.problems.mbpp_inputs import restored
from anyofk.problems.rows import Row
from anyofk.records import Call, Problem, Tests

_Restore = Callable[[list[Any]], tuple[Any, ...]]
_MBPP: Final = "Mbpp"


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has evalplus's inputs."""
    return {"task_id", "entry_point", "base_input", "plus_input"} <= data.keys()


def read_problem(row: Row) -> Problem:
    """Read one problem, with the groups ``base`` and ``plus``."""
    fields = Fields(row)
    identifier = fields.text("task_id")
    prompt = fields.text("prompt")
    reference = completed(fields, prompt)
    if reference is None:
        raise fields.fault("canonical_solution", "without a reference no result is expected")
    groups = [_group(fields, identifier, name) for name in ("base", "plus")]
    if not any(group.calls for group in groups):
        raise fields.fault("base_input", "the problem has no tests")
    return Problem(
        id=identifier,
        prompt=prompt,
        entry_point=fields.text("entry_point"),
        tests=tuple(group for group in groups if group.calls),
        reference=reference,
        prompt_is_code=True,
        metadata=_metadata(identifier),
    )


def _group(fields: Fields, identifier: str, name: str) -> Tests:
    entry_point = fields.text("entry_point")
    data_set, _, number = identifier.partition("/")
    is_mbpp = data_set == _MBPP
    inputs = _inputs(fields, f"{name}_input")
    return Tests(
        name=name,
        calls=tuple(_calls(inputs, entry_point, restored(int(number)) if is_mbpp else tuple)),
        comparison=comparison(entry_point, is_mbpp=is_mbpp),
        tolerance=(fields.number("atol") or 0.0) if fields.data.get("atol") else 0.0,
    )


def _inputs(fields: Fields, name: str) -> list[list[Any]]:
    inputs = fields.items(name) if fields.data.get(name) else []  # one published set writes {}
    for i, arguments in enumerate(inputs):
        if not isinstance(arguments, list):
            raise fields.fault(name, f"field '{name}[{i}]' must be a list of arguments")
    return inputs


def _calls(inputs: list[list[Any]], entry_point: str, restore: _Restore) -> Iterable[Call]:
    for raw in inputs:
        arguments = restore(raw)
        yield Call(arguments, alternatives(entry_point, arguments), oracle=True)


def _metadata(identifier: str) -> dict[str, Any]:
    data_set, _, number = identifier.partition("/")
    return {"split": split_of(int(number))} if data_set == _MBPP and number.isdigit() else {}
