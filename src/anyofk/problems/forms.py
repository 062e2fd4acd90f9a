"""The forms of problem files: recognised by what a record holds, never by a file's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import ProblemError
from anyofk.problems import (
    apps,
    bigcodebench,
    evalplus,
    humaneval,
    livecodebench,
    mbpp,
    own_form,
    sandbox_fusion,
)
from anyofk.problems.fields import Fields
from anyofk.problems.humaneval import refuse_other_languages
from anyofk.problems.rows import Row
from anyofk.records import Problem


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its name for people, how a record shows it, and its reader."""

    name: str
    recognises: Callable[[dict[str, Any]], bool]
    read: Callable[[Row], Problem]


OWN: Final = Form("our own form", own_form.recognises, own_form.read_problem)
# The order decides where a record would fit two forms.
FORMS: Final = (
    Form("evalplus", evalplus.recognises, evalplus.read_problem),
    Form("BigCodeBench", bigcodebench.recognises, bigcodebench.read_problem),
    Form("LiveCodeBench", livecodebench.recognises, livecodebench.read_problem),
    Form("HumanEval", humaneval.recognises, humaneval.read_problem),
    Form("MBPP", mbpp.recognises, mbpp.read_problem),
    Form("SandboxFusion", sandbox_fusion.recognises, sandbox_fusion.read_problem),
    OWN,
    Form("APPS", apps.recognises, apps.read_problem),
)

_ANSWERS: Final = frozenset({"program", "completion", "solution", "generation"})
"""Fields by which a record of a candidate shows itself."""


def form_of(row: Row) -> Form:
    """Recognise the form of a file by its first record.

    Raises
    ------
    ProblemError
        No known form has such fields.
    """
    form = next((form for form in FORMS if form.recognises(row.data)), None)
    if form is None:
        raise _unknown(row)
    return form


def read_all(rows: list[Row], form: Form) -> tuple[Problem, ...]:
    """Read rows that are all in one form."""
    for row in rows:
        if not form.recognises(row.data) and form is not OWN:
            raise Fields(row).fault(
                "", f"the record is not in the form {form.name!r} of the first one"
            )
    return tuple(form.read(row) for row in rows)


def _unknown(row: Row) -> ProblemError:
    fields = Fields(row)
    language = row.data.get("language")
    if isinstance(language, str):
        refuse_other_languages(fields, "language", language)
    if "id" in row.data:
        return fields.fault("hidden", "the problem has no tests: no field 'hidden' or 'public'")
    if not _ANSWERS.isdisjoint(row.data):
        return fields.fault(
            "",
            f"these are candidates and no problems (fields: {_listed(row)})",
            "in 'anyofk verify SAMPLES --problems SET' the candidates come first",
        )
    known = ", ".join(form.name for form in FORMS)
    return fields.fault(
        "", f"no known form of problems has these fields: {_listed(row)}", f"known: {known}"
    )


def _listed(row: Row) -> str:
    return ", ".join(list(row.data)[:12]) or "none"
