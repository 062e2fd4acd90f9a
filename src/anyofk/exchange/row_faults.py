"""The faults of rows of results, and their fields that every form has."""

from __future__ import annotations

from typing import Any, Final

from anyofk.errors import DataError, shown
from anyofk.problems.rows import Row
from anyofk.records import identifier

IDS: Final = ("problem", "problem_id", "task_id", "example_id", "question_id")
_HINT: Final = "n is the number of judged candidates, c the number that passed"


def problem_of(row: Row) -> str:
    """Read which problem a row is about."""
    name = next((name for name in IDS if name in row.data), IDS[0])
    value: Any = row.data.get(name)
    if type(value) not in {str, int} or value == "":
        raise row_fault(row, name, f"field {name!r} must name a problem, not {shown(value)}")
    return identifier(value)


def row_fault(row: Row, name: str, message: str, hint: str = "") -> DataError:
    """Make the error for one field of a row: with file, line and field."""
    return DataError(f"{row.place}: {message}", hint=hint or _HINT, field=name, **row.facts)
