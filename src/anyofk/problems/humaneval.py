"""HumanEval, and the Python part of HumanEval-X, which took over its form."""

from __future__ import annotations

from typing import Any, Final

from anyofk.problems.fields import Fields
from anyofk.problems.rows import Row
from anyofk.problems.source_code import defined, syntax_fault
from anyofk.records import Problem, Tests

_LANGUAGES: Final = {
    "CPP": "cpp",
    "Go": "go",
    "Java": "java",
    "JavaScript": "javascript",
    "Python": "python",
    "Rust": "rust",
}


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record has HumanEval's fields."""
    return {"task_id", "prompt", "test"} <= data.keys() and bool(
        {"entry_point", "declaration"} & data.keys()
    )


def read_problem(row: Row) -> Problem:
    """Read one problem; its reference is the prompt with the canonical solution behind it."""
    fields = Fields(row)
    identifier = fields.text("task_id")
    _check_language(fields, identifier)
    prompt = fields.text("prompt")
    return Problem(
        id=identifier,
        prompt=prompt,
        entry_point=_entry_point(fields, prompt),
        tests=(Tests(code=_test(fields)),),
        reference=completed(fields, prompt),
        prompt_is_code=True,
    )


def completed(fields: Fields, prompt: str) -> str | None:
    """Assemble the reference from the prompt and the field ``canonical_solution``."""
    solution = fields.text("canonical_solution", "")
    return prompt + solution if solution.strip() else None


def _test(fields: Fields) -> str:
    code = fields.text("test")
    fault = syntax_fault(code)
    if fault or not code.strip():
        raise fields.fault("test", f"field 'test' holds no tests: {fault or 'it is empty'}")
    return code


def _entry_point(fields: Fields, prompt: str) -> str:
    if "entry_point" in fields.data:
        return fields.text("entry_point")
    names = defined(fields.text("declaration") + "    pass\n") or defined(prompt)
    if not names:
        raise fields.fault("declaration", "no function is declared")
    return names[-1]


def _check_language(fields: Fields, identifier: str) -> None:
    """HumanEval-X names the language before the slash of its ids, and has ``declaration``."""
    prefix = identifier.partition("/")[0]
    language = _LANGUAGES.get(prefix, "python") if "declaration" in fields.data else "python"
    refuse_other_languages(fields, "task_id", language)


def refuse_other_languages(fields: Fields, name: str, language: str) -> None:
    """Refuse a problem in another language than Python by name."""
    if language.lower() not in {"python", "python3", "py"}:
        raise fields.fault(
            name, f"language {language!r} cannot be judged", "only 'python' is judged for now"
        )
