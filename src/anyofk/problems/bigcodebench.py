"""BigCodeBench: unittests that patch the candidate's module, so only ``inprocess`` can run them."""

from __future__ import annotations

from typing import Any

from anyofk.problems.fields import Fields
from anyofk.problems.humaneval import completed
from anyofk.problems.rows import Row
from anyofk.problems.source_code import syntax_fault
from anyofk.records import Problem, Tests


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has BigCodeBench's fields."""
    return {"task_id", "complete_prompt", "test", "entry_point"} <= data.keys()


def read_problem(row: Row) -> Problem:
    """Read one problem."""
    fields = Fields(row)
    prompt = fields.text("complete_prompt")
    return unittest_problem(
        fields, fields.text("task_id"), prompt=prompt, entry_point=fields.text("entry_point")
    )


def unittest_problem(fields: Fields, identifier: str, *, prompt: str, entry_point: str) -> Problem:
    """Make a problem whose tests are a unittest module."""
    test = fields.text("test")
    fault = syntax_fault(test)
    if fault or "TestCase" not in test:
        raise fields.fault("test", f"field 'test' is no unittest module: {fault or 'no TestCase'}")
    return Problem(
        id=identifier,
        prompt=prompt,
        entry_point=entry_point,
        tests=(Tests(code=test),),
        reference=completed(fields, prompt),
        prompt_is_code=True,
        mode="inprocess",
    )
