"""Tables of reported pass@k: what other tools, and people, write beside their results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from anyofk.errors import DataError, UsageError, shown
from anyofk.problems.rows import decoded, open_data

Table = dict[int, dict[str, str]]
"""For each k its ``value``, and perhaps ``se``, ``low`` and ``high``, as they were written."""

_K: Final = "([1-9][0-9]{0,14})"
_NAMED: Final = re.compile(rf"pass[@_](?:at_)?{_K}(_stderr)?(?:,.*)?")
_ITEM: Final = re.compile(
    rf"\s*(?:pass@)?{_K}\s*=\s*([0-9.eE%-]+)(?:\s*(?:±|\+-|\+/-)\s*([0-9.eE%-]+))?\s*"
)
_OF_K: Final = ("pass_at_k", "pass@k", "estimates")
_PARTS: Final = {
    "value": ("value",),
    "se": ("se", "stderr"),
    "low": ("low", "ci_lower"),
    "high": ("high", "ci_upper"),
}


def read_reported(given: str, table: str | None = None) -> Table:
    """Read reported numbers from words or from a JSON file.

    Parameters
    ----------
    given
        ``1=0.31,10=0.60``, each perhaps with a standard error (``1=0.31±0.02``) or as percent;
        or the path of a JSON file in which some object has keys such as ``pass@1``: results
        of evalplus, BigCodeBench, lm-eval and others, and what ``anyofk ... --json`` prints.
    table
        Which of a file's tables: the end of its place, such as ``plus``.

    Raises
    ------
    UsageError
        The words are no such list, or the file has several tables and none was chosen.
    DataError
        The file can't be read, or has no such table.
    """
    if "=" in given and not Path(given).is_file():
        return _inline(given)
    with open_data(Path(given)) as stream:
        text = decoded(stream.read(), given)
    found = _tables(_parsed(text, given))
    fitting = {place: rows for place, rows in found.items() if _is_chosen(place, table)}
    if not found or not fitting:
        raise _none(given, table, list(found))
    if len(fitting) > 1:
        raise UsageError(
            f"{given} has several tables of pass@k: {', '.join(map(repr, fitting))}",
            hint="choose one by the end of its place",
        )
    return next(iter(fitting.values()))


def _inline(given: str) -> Table:
    found: Table = {}
    for item in given.split(","):
        match = _ITEM.fullmatch(item)
        if match is None:
            raise UsageError(
                f"{shown(item)} is no reported number such as 10=0.60", hint="1=0.31,10=0.60±0.03"
            )
        if int(match[1]) in found:
            raise UsageError(f"pass@{match[1]} is reported twice")
        error = {"se": match[3]} if match[3] else {}
        found[int(match[1])] = {"value": match[2], **error}
    return found


def _parsed(text: str, file: str) -> Any:
    """Parse JSON; numbers stay text, so that no digit is lost."""
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{file} is not JSON: {error}", hint="or write the numbers: 1=0.31,10=0.60", file=file
        ) from error


def _tables(whole: Any) -> dict[str, Table]:
    """Find every object with numbers of pass@k, by its place in the whole."""
    found = {}
    waiting: list[tuple[str, Any]] = [("", whole)] if isinstance(whole, Mapping | list) else []
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, Mapping):
            if rows := _rows(place, value):
                found[place] = rows
            inner: Iterator[tuple[Any, Any]] = iter(value.items())
        else:
            inner = enumerate(value)
        deeper = [(_joined(place, n), v) for n, v in inner if isinstance(v, Mapping | list)]
        waiting += reversed(deeper)
    return found


def _joined(place: str, name: Any) -> str:
    return f"{place}.{name}" if place else str(name)


def _rows(place: str, value: Mapping[str, Any]) -> Table:
    """Read the numbers of one object; keys that are mere numbers count below ``pass_at_k``."""
    bare = place.rpartition(".")[2] in _OF_K
    found: Table = {}
    for name, entry in value.items():
        match = re.fullmatch(_K, name) if bare else None
        match = match or _NAMED.fullmatch(name)
        if match is None or not (parts := _parts(entry)):
            continue
        is_error = match.re is _NAMED and match[2] is not None
        named = {"se": parts["value"]} if is_error else parts
        found.setdefault(int(match[1]), {}).update(named)
    return {k: row for k, row in found.items() if "value" in row}


def _parts(entry: Any) -> dict[str, str]:
    if isinstance(entry, str):
        return {"value": entry}
    if not isinstance(entry, Mapping):
        return {}
    found = {
        part: next((entry[name] for name in names if isinstance(entry.get(name), str)), None)
        for part, names in _PARTS.items()
    }
    return {part: text for part, text in found.items() if text is not None}


def _is_chosen(place: str, table: str | None) -> bool:
    return table is None or place == table or place.endswith(f".{table}")


def _none(file: str, table: str | None, places: list[str]) -> DataError:
    which = f" at {table!r}" if table else ""
    return DataError(
        f"{file} has no table of pass@k{which}",
        hint=f"it has {', '.join(map(repr, places))}"
        if places
        else "some object must have keys such as pass@1",
        file=file,
    )
