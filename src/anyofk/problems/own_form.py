"""Our own form of problems, for private sets: see docs/problem-format.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, cast

from anyofk.errors import DataError
from anyofk.problems.fields import Fields
from anyofk.problems.own_tests import read_tests
from anyofk.problems.rows import Row, decoded, open_data
from anyofk.problems.source_code import defined, syntax_fault
from anyofk.records import Mode, Problem, Tests, from_plain

_FIELDS: Final = (
    "id",
    "prompt",
    "entry_point",
    "reference",
    "public",
    "hidden",
    "cluster",
    "time_limit",
    "memory_mb",
    "language",
    "prompt_is_code",
    "preamble",
    "mode",
    "metadata",
)
_MODES: Final = ("", "isolated", "stdio", "inprocess")
_NAME: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)?")


def recognises(data: dict[str, Any]) -> bool:
    """Whether a record is written in our own form."""
    return "id" in data and bool({"hidden", "public"} & data.keys())


def read_problem(row: Row) -> Problem:
    """Read one problem.

    Raises
    ------
    ProblemError
        A field is unknown, of a wrong type or value, or there are no tests.
    """
    fields = Fields(row)
    fields.only(_FIELDS)
    _check_language(fields)
    tests = (*_groups(fields, "public"), *_groups(fields, "hidden"))
    memory = fields.number("memory_mb", whole=True)
    return Problem(
        id=_identifier(fields),
        prompt=fields.text("prompt", ""),
        entry_point=_entry_point(fields, tests),
        tests=tests,
        reference=_reference(fields),
        prompt_is_code=fields.flag("prompt_is_code", default=_defines_entry_point(fields)),
        preamble=fields.text("preamble", ""),
        cluster=fields.text("cluster", "") or None,
        time_limit=fields.number("time_limit"),
        memory_mb=int(memory) if memory is not None else None,
        mode=_mode(fields, tests),
        metadata=_metadata(fields),
    )


def read_toml(path: Path) -> tuple[dict[str, Any], list[Row]]:
    """Read a TOML file of ``[[problem]]`` tables; give its head and its rows."""
    import tomllib  # noqa: PLC0415  # most calls read no TOML

    with open_data(path) as stream:
        raw = decoded(stream.read(), path.name).removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        content = tomllib.loads(raw)
    except (ValueError, RecursionError) as error:  # a long integer is a plain ValueError
        raise DataError(
            f"{path.name}: not TOML: {error}", hint="see docs/problem-format.md", file=path.name
        ) from error
    tables = content.pop("problem", [])
    Fields(Row(content, path.name)).only(("name", "version"))
    return content, _placed(path.name, raw, tables)


def _placed(file: str, raw: str, tables: Any) -> list[Row]:
    """Give each table its line, where the headers tell it beyond doubt."""
    if not isinstance(tables, list):
        raise DataError(f"{file}: write [[problem]], not [problem]", hint="see docs", file=file)
    heads = [
        number
        for number, line in enumerate(raw.split("\n"), start=1)
        if re.match(r"\s*\[\[\s*problem\s*\]\]", line)
    ]
    lines = heads if len(heads) == len(tables) else [None] * len(tables)
    return [Row(table, file, lines[i], i) for i, table in enumerate(tables)]


def _identifier(fields: Fields) -> str:
    identifier = fields.text("id")
    if not identifier.strip():
        raise fields.fault("id", "field 'id' is empty")
    return identifier


def _check_language(fields: Fields) -> None:
    language = fields.text("language", "python")
    if language != "python":
        raise fields.fault(
            "language",
            f"language {language!r} cannot be judged",
            "only 'python' is judged for now",
        )


def _groups(fields: Fields, name: str) -> tuple[Tests, ...]:
    """Read the groups of tests under one name: source text, one table, or a list of tables."""
    value = fields.data.get(name)
    tables = value if isinstance(value, list) else [] if value is None else [value]
    groups = [
        read_tests(fields, table, f"{name}[{i}]" if isinstance(value, list) else name, name)
        for i, table in enumerate(tables)
    ]
    if value is not None and not groups:
        raise fields.fault(name, f"field {name!r} holds no tests")
    return tuple(groups)


def _entry_point(fields: Fields, tests: tuple[Tests, ...]) -> str | None:
    name = fields.text("entry_point", "")
    if name and not _NAME.fullmatch(name):
        raise fields.fault("entry_point", f"entry point {name!r} is not a name")
    needed = any(group.calls or "check" in defined(group.code) for group in tests)
    if needed and not name:
        raise fields.fault("entry_point", "tests that call it need field 'entry_point'")
    return name or None


def _defines_entry_point(fields: Fields) -> bool:
    """Whether the prompt is Python that defines the entry point, with or without a body."""
    prompt, name = fields.text("prompt", ""), fields.text("entry_point", "")
    return name in defined(prompt) or name in defined(f"{prompt}\n    pass\n")


def _reference(fields: Fields) -> str | None:
    source = fields.text("reference", "")
    fault = syntax_fault(source)
    if fault:
        raise fields.fault("reference", f"the reference does not parse: {fault}")
    return source if source.strip() else None


def _mode(fields: Fields, tests: tuple[Tests, ...]) -> Mode | None:
    """Read the mode; programs that read standard input know no other than ``stdio``."""
    if not tests:
        raise fields.fault("hidden", "the problem has no tests", "write 'hidden' or 'public' tests")
    mode = fields.one_of("mode", _MODES, "")
    streams = {bool(group.streams) for group in tests}
    if len(streams) > 1:
        raise fields.fault("hidden", "streams stand beside other tests", "split the problem in two")
    if mode and (mode == "stdio") is not streams.pop():
        raise fields.fault("mode", f"mode {mode!r} does not fit its tests")
    by_streams = "stdio" if any(group.streams for group in tests) else None
    return cast("Mode | None", mode or by_streams)


def _metadata(fields: Fields) -> dict[str, Any]:
    try:
        return dict(from_plain(fields.table("metadata")))
    except (DataError, TypeError) as error:
        raise fields.fault("metadata", f"field 'metadata': {error}") from error
