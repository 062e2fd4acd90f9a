"""Groups of tests in our own form."""

from __future__ import annotations

from typing import Any, Final

from anyofk.errors import DataError
from anyofk.problems.comparisons import CALLS, STREAMS, TOLERANT
from anyofk.problems.fields import Fields
from anyofk.problems.source_code import defined, syntax_fault
from anyofk.records import Call, Stream, Tests, from_plain

_FIELDS: Final = (
    "name",
    "setup",
    "code",
    "calls",
    "streams",
    "comparison",
    "tolerance",
    "checker",
)


def read_tests(problem: Fields, value: Any, path: str, name: str) -> Tests:
    """Read one group of tests: its source text, or a table.

    Parameters
    ----------
    problem
        The fields of the problem that they belong to.
    value
        What the file says.
    path
        How it is reached inside the problem, for messages.
    name
        ``public`` or ``hidden``.
    """
    if isinstance(value, str):
        value = {"code": value}
    if not isinstance(value, dict):
        raise problem.fault(path, f"field {path!r} must be source text or a table")
    fields = Fields(problem.row, value, f"{path}.")
    fields.only(_FIELDS)
    group = _group(fields, name)
    if group.empty:
        raise problem.fault(path, f"field {path!r} holds no tests")
    return group


def _group(fields: Fields, name: str) -> Tests:
    streams = tuple(_streams(fields))
    calls = tuple(_calls(fields))
    _check_alone(fields, streams)
    tolerance = fields.number("tolerance") or 0.0
    return Tests(
        name=fields.text("name", name),
        public=name == "public",
        setup=_source(fields, "setup"),
        code=_source(fields, "code"),
        calls=calls,
        streams=streams,
        comparison=_comparison(fields, tolerance, of_streams=bool(streams)),
        tolerance=tolerance,
        checker=_checker(fields, streams),
    )


def _comparison(fields: Fields, tolerance: float, *, of_streams: bool) -> str:
    """Read the rule; a tolerance without a rule means ``floats``."""
    exact, known = ("tokens", STREAMS) if of_streams else ("equal", CALLS)
    if tolerance and not (of_streams or fields.data.get("calls")):
        raise fields.fault("tolerance", "asserts know no tolerance", "write it into the assert")
    rule = fields.one_of("comparison", known, "floats" if tolerance else exact)
    if tolerance and rule not in TOLERANT:
        raise fields.fault("tolerance", f"comparison {rule!r} knows no tolerance")
    return rule


def _check_alone(fields: Fields, streams: tuple[Stream, ...]) -> None:
    for name in ("setup", "code", "calls"):
        if streams and fields.data.get(name):
            raise fields.fault(name, f"field {name!r} stands beside streams in {fields.path[:-1]}")


def _source(fields: Fields, name: str) -> str:
    source = fields.text(name, "")
    fault = syntax_fault(source)
    if fault:
        raise fields.fault(name, f"field {fields.path + name!r} does not parse: {fault}")
    return source


def _checker(fields: Fields, streams: tuple[Stream, ...]) -> str:
    source = _source(fields, "checker")
    if source and not streams:
        raise fields.fault("checker", "a checker needs streams")
    if source and "check" not in defined(source):
        raise fields.fault("checker", "the checker defines no check(stdin, stdout, expected)")
    return source


def _calls(fields: Fields) -> list[Call]:
    return [
        _call(Fields(fields.row, _table(fields, "calls", i, item), f"{fields.path}calls[{i}]."))
        for i, item in enumerate(fields.items("calls", []))
    ]


def _call(fields: Fields) -> Call:
    fields.only(("args", "expected", "oracle"))
    oracle = fields.flag("oracle")
    if oracle is ("expected" in fields.data):
        raise fields.fault("expected", f"{fields.path[:-1]} needs 'expected', or 'oracle = true'")
    if oracle and not fields.row.data.get("reference"):
        raise fields.fault("oracle", f"{fields.path[:-1]} needs the problem's reference")
    try:
        arguments = tuple(from_plain(item) for item in fields.items("args"))
        return Call(arguments, from_plain(fields.data.get("expected")), oracle)
    except DataError as error:
        raise fields.fault("args", f"{fields.path[:-1]}: {error}", error.hint) from error


def _streams(fields: Fields) -> list[Stream]:
    streams = []
    for i, item in enumerate(fields.items("streams", [])):
        table = Fields(
            fields.row, _table(fields, "streams", i, item), f"{fields.path}streams[{i}]."
        )
        table.only(("stdin", "stdout"))
        streams.append(Stream(table.text("stdin", ""), table.text("stdout")))
    return streams


def _table(fields: Fields, name: str, index: int, item: Any) -> dict[str, Any]:
    if isinstance(item, dict):
        return item
    raise fields.fault(name, f"{fields.path}{name}[{index}] must be a table")
