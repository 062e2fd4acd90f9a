"""Comparison of results with what is expected, by the rule that the problem declares.

A rule takes the expected value, what came back and the arguments of the call. Values are of
exact builtin types (or proxies, equal to themselves alone), so no rule runs code of a program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

Rule: TypeAlias = Callable[[Any, Any, Any], bool]

_RELATIVE: Final = 1e-7
_ABSOLUTE: Final = 1e-6
_SEQUENCES: Final = (list, tuple)
_FLOAT: Final = re.compile(rb"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?")
_NUMBER: Final = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_MAX_DIGITS: Final = 400


def rule(name: str, tolerance: float = 0.0) -> Rule:
    """Find the rule of a comparison of calls by its name.

    Raises
    ------
    KeyError
        There is no such rule.

    Examples
    --------
    >>> rule("floats", 1e-6)([1.0], [1.0000001], ())
    True
    >>> rule("set")([2, 1], [1, 1, 2], ())
    True
    """
    return _RULES[name](tolerance)


def _equal(_tolerance: float) -> Rule:
    return lambda expected, got, _arguments: bool(expected == got)


def _sequence(_tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, _arguments: Any) -> bool:
        if type(expected) in _SEQUENCES and type(got) in _SEQUENCES:
            return list(expected) == list(got)
        return bool(expected == got)

    return compare


def _set(_tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, _arguments: Any) -> bool:
        if expected is None or got is None:
            return expected is got
        return frozenset(map(_hashable, expected)) == frozenset(map(_hashable, got))

    return compare


def _hashable(value: Any) -> Any:
    """Freeze lists and the like inside a value, so that sets can hold it."""
    if type(value) in _SEQUENCES:
        return tuple(map(_hashable, value))
    if type(value) is set:
        return frozenset(value)
    return value


def _one_of(_tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, _arguments: Any) -> bool:
        listed = list(got) if type(got) is tuple else got
        return any(_is_true(value == got) or _is_true(value == listed) for value in expected)

    return compare


def _not_none(_tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, _arguments: Any) -> bool:
        truth = got if type(got) is bool else got is not None
        return truth == (expected if type(expected) is bool else expected is not None)

    return compare


def _floats(tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, arguments: Any) -> bool:
        if type(expected) in _SEQUENCES and type(got) is type(expected):
            pairs = zip(expected, got, strict=False)
            return len(expected) == len(got) and all(compare(e, g, arguments) for e, g in pairs)
        if type(expected) is dict and type(got) is dict:
            same = expected.keys() == got.keys()
            return same and all(compare(e, got[k], arguments) for k, e in expected.items())
        if type(expected) is float and type(got) in (int, float):
            return _near(expected, got, tolerance, tolerance)
        return bool(expected == got)

    return compare


def _evalplus(tolerance: float) -> Rule:
    def compare(expected: Any, got: Any, _arguments: Any) -> bool:
        if _is_true(expected == got):
            return True
        absolute = tolerance or (_ABSOLUTE if _is_floats(expected) else 0.0)
        return absolute > 0 and type(got) is type(expected) and _close(expected, got, absolute)

    return compare


def _is_floats(value: Any) -> bool:
    if type(value) in _SEQUENCES:
        return bool(value) and all(type(item) is float for item in value)
    return type(value) is float


def _close(expected: Any, got: Any, absolute: float) -> bool:
    """Whether numbers, also nested ones of one shape, are close as numpy.allclose says."""
    if type(expected) in _SEQUENCES:
        same = type(got) in _SEQUENCES and len(got) == len(expected)
        pairs = zip(expected, got, strict=False) if same else ()
        return same and all(_close(e, g, absolute) for e, g in pairs)
    numbers = (bool, int, float)
    return (
        type(expected) in numbers
        and type(got) in numbers
        and _near(expected, got, absolute, _RELATIVE)
    )


def _near(expected: Any, got: Any, absolute: float, relative: float) -> bool:
    if expected == got:
        return True
    try:
        if math.isinf(expected) or math.isinf(got):
            return False
        if math.isnan(expected) or math.isnan(got):
            return math.isnan(expected) and math.isnan(got)
        return bool(abs(expected - got) <= absolute + relative * abs(expected))
    except OverflowError:
        return False


def _find_zero(tolerance: float) -> Rule:
    """HumanEval/32: any root of the polynomial whose coefficients were given is right."""

    def compare(_expected: Any, got: Any, arguments: Any) -> bool:
        if type(got) not in (int, float):
            return False
        value = sum(c * math.pow(got, i) for i, c in enumerate(arguments[0]))
        return bool(abs(value) <= (tolerance or 1e-4))

    return compare


def _is_true(value: Any) -> bool:
    return value is True


_RULES: Final[dict[str, Callable[[float], Rule]]] = {
    "equal": _equal,
    "sequence": _sequence,
    "floats": _floats,
    "set": _set,
    "one_of": _one_of,
    "not_none": _not_none,
    "evalplus": _evalplus,
    "evalplus:find_zero": _find_zero,
}
CALL_RULES: Final = tuple(_RULES)
STREAM_RULES: Final = ("tokens", "floats", "exact")


def same_output(name: str, expected: bytes, got: bytes, tolerance: float = 0.0) -> bool:
    r"""Compare what a program wrote with what it must write.

    Parameters
    ----------
    name
        ``tokens``: the same words, whatever the white space. ``floats``: the same, but a
        word that is *expected* as a float may differ by the tolerance, absolute or
        relative; integers stay exact. ``exact``: the same text but for white space at the
        ends of lines and of the text.

    Examples
    --------
    >>> same_output("floats", b"0.333333333333\n7\n", b"0.333333 \n7", 1e-6)
    True
    """
    if name == "exact":
        return _trimmed(expected) == _trimmed(got)
    wanted = expected.split()
    written = got.split(None, len(wanted))  # a program may write millions of words
    if name in ("tokens", "equal"):
        return wanted == written
    return len(wanted) == len(written) and all(
        w == g or _near_words(w, g, tolerance) for w, g in zip(wanted, written, strict=True)
    )


def first_difference(expected: bytes, got: bytes) -> tuple[bytes, bytes]:
    """Find the first words that differ; empty where one text ends."""
    wanted = expected.split()
    written = got.split(None, len(wanted))
    for position in range(max(len(wanted), len(written))):
        pair = _word(wanted, position), _word(written, position)
        if pair[0] != pair[1]:
            return pair[0], pair[1].split(None, 1)[0] if pair[1] else b""
    return b"", b""


def _word(words: list[bytes], position: int) -> bytes:
    return words[position] if position < len(words) else b""


def _near_words(expected: bytes, got: bytes, tolerance: float) -> bool:
    short = max(len(expected), len(got)) <= _MAX_DIGITS
    if not (short and _FLOAT.fullmatch(expected) and _NUMBER.fullmatch(got)):
        return False
    wanted, written = float(expected), float(got)
    return abs(wanted - written) <= tolerance * max(1.0, abs(wanted))


def _trimmed(text: bytes) -> list[bytes]:
    lines: Iterable[bytes] = text.rstrip().splitlines()
    return [line.rstrip() for line in lines]
