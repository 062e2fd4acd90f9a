"""The codec between a program and its checker: tagged JSON of exact builtin types.

A value becomes JSON that says its exact type; reading builds nothing but the types of the
table below, and neither imports, evaluates nor unpickles anything. What is no data (an
object, a function, an iterator) goes through the ``opaque`` hook, which names it by a
handle or refuses it. JSON scalars and lists stand for themselves; every other type is an
object with one key, its tag:

``t`` tuple, ``s`` set, ``z`` frozenset, ``d`` dict with plain text keys, ``D`` dict,
``o`` OrderedDict, ``f`` defaultdict, ``n`` Counter, ``q`` deque, ``I`` large int, ``W`` text
with surrogates, ``B`` bytes, ``Y`` bytearray, ``C`` complex, ``E`` Decimal, ``F`` Fraction,
``R`` range, ``V`` a named builtin, ``G`` and ``N`` scalars and arrays of numpy, ``H`` handle.
"""

from __future__ import annotations

import collections
import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias

from anyofk.judging import arrays

Json: TypeAlias = Any
Opaque: TypeAlias = Callable[[Any], Json]

MAX_DEPTH: Final = 100
_BIG: Final = 1 << 62
_LEAVES: Final = frozenset({type(None), bool, int, str, float})
_BUILTINS: Final = {
    kind.__name__: kind
    for kind in (
        *(bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict),
        *(object, type, type(None), range, len, sum, min, max, abs, sorted, any, all, repr),
    )
}
_BUILTIN_NAMES: Final = {kind: name for name, kind in _BUILTINS.items()}


class CodecError(ValueError):
    """Bytes that no honest writer makes, or a value that is no data."""


def refuse(value: Any) -> Json:
    """Take nothing that is no data: the ``opaque`` hook of pure data."""
    raise CodecError(f"{type(value).__name__} is no plain data")


def encode(value: Any, opaque: Opaque = refuse, depth: int = MAX_DEPTH) -> Json:
    """Write a value as tagged JSON.

    Raises
    ------
    CodecError
        It nests deeper than `MAX_DEPTH` or refers to itself, or ``opaque`` refuses a part.

    Examples
    --------
    >>> encode([1, (2, "x"), {3}])
    [1, {'t': [2, 'x']}, {'s': [3]}]
    """
    kind = type(value)
    if kind is bool or value is None or kind is float:
        return value
    if kind is int:
        return value if -_BIG < value < _BIG else {"I": hex(value)}
    if kind is str:
        return value if value.isascii() else _text(value)
    if depth <= 0:
        raise CodecError(f"data nests deeper than {MAX_DEPTH}")
    writer = _WRITERS.get(kind)
    return writer(value, opaque, depth - 1) if writer else _other(value, opaque, depth - 1)


def _text(value: str) -> Json:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return {"W": value.encode("utf-8", "surrogatepass").hex()}
    return value


def _items(values: Any, opaque: Opaque, depth: int) -> list[Json]:
    """Write the members of a sequence; those of plain scalars go in one piece."""
    kinds = set(map(type, values))
    if kinds <= _LEAVES and _fit_as_they_are(values, kinds):
        return list(values)
    return [encode(value, opaque, depth) for value in values]


def _fit_as_they_are(values: Any, kinds: set[type]) -> bool:
    if len(kinds) > 1:
        return not kinds & {int, str}
    if int in kinds:
        return bool(max(map(abs, values)) < _BIG)
    return str not in kinds or all(map(str.isascii, values))


def _pairs(value: dict[Any, Any], opaque: Opaque, depth: int) -> list[Json]:
    return [[encode(k, opaque, depth), encode(v, opaque, depth)] for k, v in value.items()]


def _dict(value: dict[Any, Any], opaque: Opaque, depth: int) -> Json:
    if all(type(key) is str and key.isascii() for key in value):
        return {"d": {key: encode(v, opaque, depth) for key, v in value.items()}}
    return {"D": _pairs(value, opaque, depth)}


def _other(value: Any, opaque: Opaque, depth: int) -> Json:
    """Write what is not in the table: numpy, subclasses that compare as their base, handles."""
    if type(value).__module__ == "numpy":
        written = arrays.written(value)
        return opaque(value) if written is None else written
    name = _builtin_name(value)
    if name is not None:
        return {"V": name}
    base = _plain_base(type(value))
    return opaque(value) if base is None else encode(base(value), opaque, depth)


def _builtin_name(value: Any) -> str | None:
    if isinstance(value, type) or type(value) is type(len):
        return next((n for kind, n in _BUILTIN_NAMES.items() if kind is value), None)
    return None


def _plain_base(kind: Any) -> Callable[[Any], Any] | None:
    """Find the builtin as which instances of a subclass compare, or none."""
    for base in (int, str, float, tuple, list, dict, set, frozenset):
        if base in type.mro(kind):
            own: Any = base
            return _CONTENT[base] if kind.__eq__ is own.__eq__ else None
    return None


_CONTENT: Final[dict[type, Callable[[Any], Any]]] = {
    int: int.__pos__,
    str: str.__str__,
    float: float.__pos__,
    tuple: lambda value: tuple(tuple.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}


_WRITERS: Final[dict[type, Callable[[Any, Opaque, int], Json]]] = {
    list: _items,
    tuple: lambda v, opaque, depth: {"t": _items(v, opaque, depth)},
    dict: _dict,
    set: lambda v, opaque, depth: {"s": _items(v, opaque, depth)},
    frozenset: lambda v, opaque, depth: {"z": _items(v, opaque, depth)},
    collections.OrderedDict: lambda v, opaque, depth: {"o": _pairs(v, opaque, depth)},
    collections.defaultdict: lambda v, opaque, depth: {"f": _pairs(v, opaque, depth)},
    collections.Counter: lambda v, opaque, depth: {"n": _pairs(v, opaque, depth)},
    collections.deque: lambda v, opaque, depth: {"q": [v.maxlen, _items(v, opaque, depth)]},
    bytes: lambda v, _o, _d: {"B": v.hex()},
    bytearray: lambda v, _o, _d: {"Y": v.hex()},
    complex: lambda v, _o, _d: {"C": [v.real, v.imag]},
    Decimal: lambda v, _o, _d: {"E": str(v)},
    Fraction: lambda v, _o, _d: {"F": [hex(v.numerator), hex(v.denominator)]},
    range: lambda v, _o, _d: {"R": [hex(v.start), hex(v.stop), hex(v.step)]},
}


_NOT_OUR_FORM: Final = (
    *(TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError),
)


def decode(data: Json, handle: Callable[[Json], Any] | None = None) -> Any:
    """Build the value that tagged JSON describes.

    Parameters
    ----------
    data
        What `encode` wrote, or anything that a hostile writer sent instead.
    handle
        Builds what stands for a handle; without it handles are refused.

    Raises
    ------
    CodecError
        The data is not of the form that `encode` writes.

    Examples
    --------
    >>> decode([1, {"t": [2, "x"]}, {"s": [3]}])
    [1, (2, 'x'), {3}]
    """
    try:
        return _read(data, handle)
    except CodecError:
        raise
    except _NOT_OUR_FORM as error:
        raise CodecError(f"no data: {type(error).__name__}: {str(error)[:200]}") from None


def _read(data: Json, handle: Callable[[Json], Any] | None) -> Any:
    kind = type(data)
    if kind is list:
        return _members(data, handle)
    if kind is not dict:
        return data
    ((tag, content),) = data.items()
    if tag == "H" and handle is not None:
        return handle(content)
    return _READERS[tag](content, handle)


def _members(data: list[Json], handle: Callable[[Json], Any] | None) -> list[Any]:
    if type(data) is not list:
        raise CodecError("a list is missing")
    if set(map(type, data)) <= _LEAVES:
        return data
    return [_read(item, handle) for item in data]


def _entries(data: list[Json], handle: Callable[[Json], Any] | None) -> list[tuple[Any, Any]]:
    return [(_read(key, handle), _read(value, handle)) for key, value in data]


def _deque(content: Json, handle: Any) -> collections.deque[Any]:
    bound, members = content
    return collections.deque(_members(members, handle), bound)


def _hexadecimal(texts: Iterable[str]) -> list[int]:
    return [int(text, 16) for text in texts]


_READERS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "t": lambda c, handle: tuple(_members(c, handle)),
    "d": lambda c, handle: {key: _read(value, handle) for key, value in c.items()},
    "D": lambda c, handle: dict(_entries(c, handle)),
    "s": lambda c, handle: set(_members(c, handle)),
    "z": lambda c, handle: frozenset(_members(c, handle)),
    "o": lambda c, handle: collections.OrderedDict(_entries(c, handle)),
    "f": lambda c, handle: collections.defaultdict(None, _entries(c, handle)),
    "n": lambda c, handle: collections.Counter(dict(_entries(c, handle))),
    "q": _deque,
    "I": lambda c, _h: int(c, 16),
    "W": lambda c, _h: bytes.fromhex(c).decode("utf-8", "surrogatepass"),
    "B": lambda c, _h: bytes.fromhex(c),
    "Y": lambda c, _h: bytearray.fromhex(c),
    "C": lambda c, _h: complex(*map(float, c)),
    "E": lambda c, _h: Decimal(str(c)),
    "F": lambda c, _h: Fraction(*_hexadecimal(c)),
    "R": lambda c, _h: range(*_hexadecimal(c)),
    "V": lambda c, _h: _BUILTINS[c],
    "G": arrays.scalar,
    "N": arrays.array,
}

# The parts of json that do the work, made once: a fresh process touches fewer pages by them.
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_MAKE: Final[Any] = vars(json.encoder).get("c_make_encoder")
_CHUNKS: Final[Any] = _MAKE and _MAKE(
    *(None, _ENCODER.default, json.encoder.encode_basestring_ascii, None),
    *(":", ",", False, False, True),
)
_SCAN: Final[Any] = vars(json.JSONDecoder())["scan_once"]


def dumps(data: Json) -> bytes:
    """Write tagged JSON as bytes, all ASCII."""
    if _CHUNKS is None:
        return _ENCODER.encode(data).encode("ascii")
    return "".join(_CHUNKS(data, 0)).encode("ascii")


def loads(data: bytes) -> Json:
    """Read JSON from bytes.

    Raises
    ------
    CodecError
        The bytes are no JSON, or hold more than one value.
    """
    try:
        value, end = _SCAN(data.decode("ascii"), 0)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"no JSON: {str(error)[:100]}") from None
    except StopIteration:
        raise CodecError("no JSON: nothing where a value is due") from None
    if end != len(data):
        raise CodecError("no JSON: more than one value")
    return value
