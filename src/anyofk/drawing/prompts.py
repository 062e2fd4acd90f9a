"""Prompt templates: files with names, whose whole text is part of what is frozen."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from anyofk.errors import DataError, UsageError
from anyofk.records import Problem, content_id

_SHIPPED: Final = ("chat", "complete")
_KINDS: Final = ("code", "function", "program")
_TEXTS: Final = ("system", "feedback", *_KINDS)
_FEEDBACK: Final = (
    "That does not work yet: {feedback}\n\n"
    "Answer with the whole corrected program in one code block."
)


@dataclass(frozen=True)
class PromptTemplate:
    """How problems become prompts.

    Attributes
    ----------
    name
        What it is called.
    code
        For problems whose prompt is Python.
    function
        For problems in prose that want a function.
    program
        For problems that want a program on standard input.
    system
        What is said before, in a chat; may be empty.
    feedback
        What a model is told about a program that failed, where it may repair it.
    """

    name: str
    code: str
    function: str
    program: str
    system: str = ""
    feedback: str = _FEEDBACK

    def render(self, problem: Problem) -> str:
        """Put a problem into its template.

        Examples
        --------
        >>> template = PromptTemplate("mine", "{prompt}", "Write {entry_point}: {prompt}", "")
        >>> template.render(Problem("p", prompt="Double {x}.", entry_point="double"))
        'Write double: Double {x}.'
        """
        if problem.entry_point is None:
            text = self.program
        else:
            text = self.code if problem.prompt_is_code else self.function
        # one pass over the template: what a problem's prompt holds is never read as a place
        values = {"{prompt}": problem.prompt, "{entry_point}": problem.entry_point or ""}
        return _filled(text, values)

    def facts(self) -> dict[str, Any]:
        """Say all of it, for a manifest."""
        return {**asdict(self), "content_id": content_id(asdict(self))}


def read_template(source: str) -> PromptTemplate:
    """Read a template: a shipped one by its name, or a file.

    A ``.toml`` file has ``code``, ``function``, ``program`` and perhaps ``system``; any other
    file is one text for all kinds of problems.

    Raises
    ------
    DataError
        The file is not there, or not as it must be.
    UsageError
        No template has this name.
    """
    if source in _SHIPPED:
        text = (files("anyofk.drawing") / "prompts" / f"{source}.toml").read_text("utf-8")
        return _from_toml(source, text)
    path = Path(source)
    if not path.is_file():
        raise UsageError(
            f"no prompt template called {source!r}",
            hint=f"templates: {', '.join(_SHIPPED)}, or the path of a file",
        )
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{source} is not UTF-8: {error}", file=source) from error
    if path.suffix == ".toml":
        return _from_toml(path.stem, text)
    _check_place(text, source)
    return PromptTemplate(path.stem, text, text, text)


def _from_toml(name: str, text: str) -> PromptTemplate:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"prompt template {name!r}: {error}", file=name) from error
    if set(read) - set(_TEXTS) or not all(isinstance(value, str) for value in read.values()):
        raise DataError(
            f"prompt template {name!r} must hold texts called {', '.join(_TEXTS)}",
            hint="see docs/drawing.md",
            file=name,
        )
    for kind in _KINDS:
        _check_place(read.get(kind, ""), f"{name}, {kind}")
    return PromptTemplate(name, **read)


def _check_place(text: str, where: str) -> None:
    if "{prompt}" not in text:
        raise DataError(
            f"prompt template {where}: nothing says {{prompt}}, so no problem would be asked",
            hint="put {prompt} where the problem's own text belongs",
        )


def _filled(text: str, values: dict[str, str]) -> str:
    parts = [text]
    for place, value in values.items():
        parts = [
            piece
            for i, part in enumerate(parts)
            for piece in ([part] if i % 2 else _split(part, place, value))
        ]
    return "".join(parts)


def _split(part: str, place: str, value: str) -> list[str]:
    """Alternate text of the template with values that are not read again."""
    first, *rest = part.split(place)
    return [first, *(piece for other in rest for piece in (value, other))]
