"""From the rows of candidate files to candidates: the words of each tool are translated here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from anyofk.errors import CandidateFileError, shown
from anyofk.problems.rows import Row
from anyofk.records import Candidate, identifier
from anyofk.records.candidate import Form

_IDS: Final = ("problem", "task_id", "question_id", "problem_id")
_DRAWS: Final = ("draw", "sample", "completion_id")
# The first that is there and not null wins: evalplus writes both, and means the solution.
_TEXTS: Final[dict[str, Form]] = {
    "solution": "program",
    "program": "program",
    "completion": "completion",
    "generation": "completion",
    "text": "program",
}
# Where raw replies are wanted, they go before what another tool has taken out of them.
_RAW_TEXTS: Final = ("reply", "raw", "response", "raw_solution", *_TEXTS)
_RAW_LISTS: Final = ("output_list", "code_list")
_SETTINGS: Final = (
    *("model", "temperature", "top_p", "top_k", "min_p", "do_sample", "num_beams"),
    *("max_tokens", "max_new_tokens", "greedy"),
)
_RESULTS: Final = ("eval", "graded_list", "base_status", "n", "c")


@dataclass(frozen=True, slots=True)
class Entry:
    """One candidate as a file has it: the draw may still have to be counted.

    Attributes
    ----------
    row
        Where it stands.
    problem, draw, text, form, finish_reason, settings
        As in a `Candidate`; ``draw`` is none where the file gives none.
    """

    row: Row
    problem: str
    draw: int | None
    text: str
    form: Form = "program"
    finish_reason: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    def candidate(self, draw: int) -> Candidate:
        """Make the candidate, under its final draw."""
        return Candidate(
            self.problem, draw, self.text, self.form, self.finish_reason, self.settings
        )


def entries(row: Row, *, raw: bool = False) -> Iterator[Entry]:
    """Read one row: one candidate, or as many as LiveCodeBench's ``code_list`` holds.

    ``raw`` reads what the model said, in whatever field, as the form ``reply``.

    Raises
    ------
    CandidateFileError
        A field is missing or of a wrong type.
    """
    problem = _problem(row)
    lists = [name for name in (_RAW_LISTS if raw else ("code_list",)) if name in row.data]
    if lists:
        yield from _listed(row, problem, lists[0], "reply" if raw else "program")
        return
    name = _text_field(row, _RAW_TEXTS if raw else tuple(_TEXTS))
    form = "reply" if raw else _form(row, name)
    yield Entry(
        row,
        problem,
        _draw(row),
        _text(row, name, row.data[name]),
        form,
        _reason(row),
        _settings(row),
    )


def fault(row: Row, name: str, message: str, hint: str = "", **facts: Any) -> CandidateFileError:
    """Make the error for one field of a row: with file, line and field."""
    return CandidateFileError(
        f"{row.place}: {message}",
        hint=hint or "see docs/candidate-files.md",
        field=name,
        **row.facts,
        **facts,
    )


def _problem(row: Row) -> str:
    name = next((name for name in _IDS if name in row.data), None)
    if name is None:
        raise _no_candidate(row, "task_id", "no field says which problem it answers")
    value = row.data[name]
    if type(value) not in {str, int}:
        raise fault(row, name, f"field {name!r} must be text, not {type(value).__name__}")
    return identifier(value)


def _form(row: Row, name: str) -> Form:
    form = cast("Form", row.data.get("form", _TEXTS[name])) if name == "text" else _TEXTS[name]
    if form not in ("completion", "program"):
        raise fault(
            row, "form", f"field 'form' is {shown(form)}", "it is 'completion' or 'program'"
        )
    return form


def _text_field(row: Row, names: tuple[str, ...]) -> str:
    present = [name for name in names if name in row.data]
    if not present:
        raise _no_candidate(row, "completion", "no field holds the answer")
    return next((name for name in present if row.data[name] is not None), present[0])


def _no_candidate(row: Row, name: str, message: str) -> CandidateFileError:
    found = ", ".join(list(row.data)[:12]) or "none"
    if any(mark in row.data for mark in _RESULTS):
        hint = "this looks like results; 'anyofk estimate' reads those"
    elif any(mark in row.data for mark in _RAW_TEXTS):
        hint = "this looks like raw replies; --extract takes the programs out of those"
    else:
        hint = 'a line is like {"task_id": "p1", "completion": "..."} or has "solution"'
    return fault(row, name, f"{message} (fields: {found})", hint)


def _text(row: Row, name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise fault(
        row,
        name,
        f"field {name!r} must be text, not {_word(value)}",
        "write one line for each candidate, and repeat the id of its problem",
    )


def _word(value: Any) -> str:
    words = {list: "a list", dict: "a table", bool: "true or false", str: "text"}
    return words.get(type(value), "a number")


def _draw(row: Row) -> int | None:
    name = next((name for name in _DRAWS if row.data.get(name) is not None), None)
    if name is None:
        return None
    value = row.data[name]
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise fault(row, name, f"field {name!r} must be a whole number from 0, not {shown(value)}")
    return int(value)


def _reason(row: Row) -> str:
    value = row.data.get("finish_reason")
    return value if isinstance(value, str) else ""


def _settings(row: Row) -> dict[str, Any]:
    own = row.data.get("settings")
    if own is not None and not isinstance(own, dict):
        raise fault(row, "settings", f"field 'settings' must be a table, not {_word(own)}")
    flat = {name: row.data[name] for name in _SETTINGS if name in row.data}
    return {**flat, **(own or {})}


def _listed(row: Row, problem: str, name: str, form: Form) -> Iterator[Entry]:
    programs = row.data[name]
    if not isinstance(programs, list):
        raise fault(row, name, f"field {name!r} must be a list, not {_word(programs)}")
    settings = _settings(row)
    for i, program in enumerate(programs):
        text = _text(row, f"{name}[{i}]", program)
        yield Entry(row, problem, None, text, form, settings=settings)
