"""Plain data: Python values as JSON can hold them, tagged where JSON has no word.

Tags are objects with the one key ``$tuple``, ``$set``, ``$frozenset``, ``$dict``,
``$complex``, ``$bytes``, ``$float`` (nan and the infinities) or ``$int`` (too long for the
interpreter's limit on decimal digits). Nothing is evaluated or imported on the way back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from anyofk.errors import DataError, shown
from anyofk.records.canonical import canonical_json

# Decimal conversion is safe below this under every setting of the interpreter's limit (640 digits).
_DECIMAL_BITS: Final = 2048
_DECIMAL_DIGITS: Final = 616


def parse_json(text: str, *, unique: bool = False) -> Any:
    """Read JSON; an integer may have any number of digits.

    ``unique`` refuses an object in which a key stands twice, instead of taking the last.

    Raises
    ------
    ValueError
        The text is not JSON, or nested too deeply to be read.

    Examples
    --------
    >>> parse_json("1" * 5000) % 10
    1
    """
    try:
        pairs = _unique if unique else None
        return json.loads(text, parse_int=_integer, object_pairs_hook=pairs)
    except RecursionError:
        message = "nested too deeply"
        raise ValueError(message) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        message = f"the key {shown(twice)} stands twice in one object"
        raise ValueError(message)
    return found


def identifier(value: str | int) -> str:
    """Write the id of a problem as text; a whole number may have any number of digits.

    Examples
    --------
    >>> identifier(7), len(identifier(10**5000))
    ('7', 5001)
    """
    return str(Decimal(value)) if isinstance(value, int) else value


def to_plain(value: Any) -> Any:
    """Write a Python value as plain data; equal values give equal plain data.

    Raises
    ------
    DataError
        The value, or something in it, is of a type that plain data cannot hold, or it is
        nested too deeply.

    Examples
    --------
    >>> to_plain([(1, 2), {3}, 1j])
    [{'$tuple': [1, 2]}, {'$set': [3]}, {'$complex': [0.0, 1.0]}]
    """
    try:
        return _plain(value)
    except RecursionError:
        raise _too_deep() from None


def from_plain(value: Any) -> Any:
    """Read a Python value from what `to_plain` writes.

    Raises
    ------
    DataError
        A tag is unknown or its content does not fit, or the value is nested too deeply.

    Examples
    --------
    >>> from_plain({"$tuple": [1, {"$float": "inf"}]})
    (1, inf)
    """
    try:
        return _value(value)
    except RecursionError:
        raise _too_deep() from None


def _plain(value: Any) -> Any:
    write = _WRITERS.get(type(value))
    if write is None:
        raise DataError(
            f"a value of type {type(value).__name__!r} is not plain data",
            hint="None, bool, int, float, complex, str, bytes and containers of them are",
        )
    return write(value)


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), "")
    if not (len(value) == 1 and tag.startswith("$")):
        return {key: _value(item) for key, item in value.items()}
    return _read_tagged(tag, value[tag])


def _read_tagged(tag: str, content: Any) -> Any:
    if tag not in _READERS:
        raise DataError(f"unknown tag {tag!r}", hint=f"tags: {', '.join(sorted(_READERS))}")
    try:
        return _READERS[tag](content)
    except (TypeError, ValueError) as error:
        raise DataError(f"the content of {tag!r} does not fit: {error}") from error


def _too_deep() -> DataError:
    return DataError("the value is nested too deeply", hint="flatten it; 100 levels are fine")


def _integer(digits: str) -> int:
    # int() refuses long texts by default; Decimal holds any number of digits exactly.
    return int(digits) if len(digits) <= _DECIMAL_DIGITS else int(Decimal(digits))


def _write_int(value: int) -> Any:
    return value if value.bit_length() <= _DECIMAL_BITS else {"$int": hex(value)}


def _write_float(value: float) -> Any:
    return value if math.isfinite(value) else {"$float": repr(value)}


def _write_dict(value: dict[Any, Any]) -> Any:
    if all(type(key) is str and not key.startswith("$") for key in value):
        return {key: _plain(item) for key, item in value.items()}
    return {"$dict": [[_plain(key), _plain(item)] for key, item in value.items()]}


def _ordered(values: Any) -> list[Any]:
    return sorted((_plain(item) for item in values), key=canonical_json)


def _itself(value: Any) -> Any:
    return value


_WRITERS: Final[dict[type, Callable[[Any], Any]]] = {
    type(None): _itself,
    bool: _itself,
    str: _itself,
    int: _write_int,
    float: _write_float,
    complex: lambda value: {"$complex": [_plain(value.real), _plain(value.imag)]},
    bytes: lambda value: {"$bytes": value.hex()},
    list: lambda value: [_plain(item) for item in value],
    tuple: lambda value: {"$tuple": [_plain(item) for item in value]},
    set: lambda value: {"$set": _ordered(value)},
    frozenset: lambda value: {"$frozenset": _ordered(value)},
    dict: _write_dict,
}
_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "$tuple": lambda items: tuple(_value(items)),
    "$set": lambda items: set(_value(items)),
    "$frozenset": lambda items: frozenset(_value(items)),
    "$dict": lambda pairs: {_value(key): _value(item) for key, item in pairs},
    "$complex": lambda parts: complex(*_value(parts)),
    "$bytes": bytes.fromhex,
    "$float": float,
    "$int": lambda digits: int(digits, 16),
}
