"""MBPP in both forms of its field names: the full set and the sanitized one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

from anyofk.problems.fields import Fields
from anyofk.problems.rows import Row
from anyofk.problems.source_code import called, defined, syntax_fault
from anyofk.records import Problem, Tests

_SPLITS: Final = ((10, "prompt"), (510, "test"), (600, "validation"), (974, "train"))


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has MBPP's fields, under either of their names."""
    return {"task_id", "code", "test_list"} <= data.keys() and bool(
        {"text", "prompt"} & data.keys()
    )


def split_of(number: int) -> str:
    """Name the split of an MBPP problem by its number.

    Examples
    --------
    >>> split_of(10), split_of(11), split_of(601)
    ('prompt', 'test', 'train')
    """
    return next((split for last, split in _SPLITS if number <= last), "unknown")


def read_problem(row: Row) -> Problem:
    """Read one problem; the challenge tests are kept in the metadata and judge nothing."""
    fields = Fields(row)
    number = fields.data["task_id"]
    reference = fields.text("code").replace("\r\n", "\n")
    test = "\n".join(_lines(fields, "test_list"))
    return Problem(
        id=fields.identifier("task_id"),
        prompt=fields.text("text" if "text" in fields.data else "prompt"),
        entry_point=_entry_point(fields, reference, test),
        tests=_groups(fields, test),
        reference=reference,
        metadata=_metadata(fields, number),
    )


def _groups(fields: Fields, test: str) -> tuple[Tests, ...]:
    """Make the group of MBPP's own tests, and evalplus's, where a copy of MBPP+ holds them."""
    setup = "\n".join(_lines(fields, "test_imports"))
    base = Tests(code=_with_setup(fields, _parsing(fields, "test_list", test)), setup=setup)
    more = fields.text("test", "")
    if not more.strip():
        return (base,)
    plus = Tests("plus", code=_parsing(fields, "test", more), setup=setup)
    return (replace(base, name="base"), plus)


def _with_setup(fields: Fields, test: str) -> str:
    """Put the set-up before the tests: it builds trees from classes that the candidate defines."""
    setup = fields.text("test_setup_code", "").replace("\r\n", "\n")
    return _parsing(fields, "test_setup_code", f"{setup}\n{test}") if setup.strip() else test


def _lines(fields: Fields, name: str) -> list[str]:
    lines = fields.items(name, [])
    for i, line in enumerate(lines):
        if not isinstance(line, str):
            raise fields.fault(name, f"field '{name}[{i}]' must be text")
    return [line.replace("\r\n", "\n") for line in lines]


def _parsing(fields: Fields, name: str, test: str) -> str:
    fault = syntax_fault(test)
    if fault or not test.strip():
        raise fields.fault(name, f"field {name!r} holds no tests: {fault or 'it is empty'}")
    return test


def _entry_point(fields: Fields, reference: str, test: str) -> str:
    """Find what the tests call and the reference defines."""
    own = set(defined(reference))
    calls = Counter(name for line in test.split("\n") for name in called(line) if name in own)
    names = [name for name in called(test) if name in own]
    if not names:
        raise fields.fault("test_list", "no test calls what field 'code' defines")
    return max(names, key=lambda name: calls[name])


def _metadata(fields: Fields, number: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"split": split_of(number)} if type(number) is int else {}
    challenge = _lines(fields, "challenge_test_list")
    return {**facts, "challenge_test_list": challenge} if challenge else facts
