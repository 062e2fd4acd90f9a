"""Contest tests in the form that APPS began: ``inputs``, ``outputs`` and perhaps ``fn_name``."""

from __future__ import annotations

from typing import Any, Final

from anyofk.problems.fields import Fields
from anyofk.records import Call, Stream, Tests, parse_json

_STARRED: Final = (
    "collections",
    "copy",
    "datetime",
    "functools",
    "heapq",
    "itertools",
    "math",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "typing",
    "bisect",
    # last, since operator and its like hide pow and others
    "builtins",
)
_NAMED: Final = (
    *("bisect", "collections", "copy", "datetime", "functools", "heapq", "io", "itertools"),
    *("json", "math", "operator", "random", "re", "statistics", "string", "sys"),
)

PREAMBLE: Final = "".join(f"from {name} import *\n" for name in _STARRED) + (
    f"import {', '.join(_NAMED)}\n"
)
"""What contest sites import before a program, and what answers therefore lean on."""


def contest_tests(
    fields: Fields, name: str, cases: dict[str, Any], *, public: bool = False
) -> Tests:
    """Make a group of tests from ``inputs``, ``outputs`` and ``fn_name``.

    Parameters
    ----------
    fields
        The problem's fields, for the place in messages.
    name
        The name of the group, and the field that a message blames.
    cases
        What the data set says.
    public
        Whether the prompt may show them.
    """
    inputs, outputs = cases.get("inputs"), cases.get("outputs")
    if not (isinstance(inputs, list) and isinstance(outputs, list)):
        raise fields.fault(name, "'inputs' and 'outputs' must be lists")
    if not inputs or len(inputs) != len(outputs):
        raise fields.fault(name, f"{len(inputs)} inputs stand against {len(outputs)} outputs")
    pairs = list(zip(inputs, outputs, strict=True))
    if not cases.get("fn_name"):
        streams = tuple(Stream(_text(i), _text(o)) for i, o in pairs)
        return Tests(name, public, streams=streams, comparison="floats", tolerance=1e-6)
    calls = tuple(_call(fields, name, i, o) for i, o in pairs)
    return Tests(name, public, calls=calls, comparison="one_of")


def _text(value: Any) -> str:
    """Some sets keep a stream as a list of its lines."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _call(fields: Fields, name: str, given: Any, expected: Any) -> Call:
    """Make a call: from JSON text, one argument a line, or from lists as APPS has them."""
    if isinstance(given, list):
        return Call(tuple(given), _either(expected))
    try:
        arguments = tuple(parse_json(line) for line in str(given).split("\n"))
        return Call(arguments, (parse_json(str(expected)),))
    except ValueError as error:
        raise fields.fault(name, f"the arguments or the result are not JSON: {error}") from error


def _either(expected: Any) -> tuple[Any, ...]:
    """APPS wraps some results in a list of one, and accepts both."""
    wrapped = isinstance(expected, list) and len(expected) == 1
    return (expected, expected[0]) if wrapped else (expected,)
