"""Digests of long results: equal results have equal digests, and no one can guess one.

Results of many megabytes are not carried between processes for each candidate: the program's
process sends the digest, which it can only know if it has the value.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict, deque
from typing import Any, Final

from anyofk.judging.codec import CodecError, Json, dumps, encode

LONG: Final = 1 << 18
"""From so many bytes of JSON on, a result is long."""
_BIG: Final = 1 << 62
_EXACT: Final = frozenset({type(None), str, bytes})
_NUMBERS: Final = frozenset({int, bool, float})


def digest(value: Any) -> str:
    """Digest plain data, so that values that compare equal have one digest.

    Raises
    ------
    CodecError
        The value is no plain data, or holds what can equal values of other types, or
        floats that are no integers: those are compared with a tolerance.

    Examples
    --------
    >>> digest([1, 2.0]) == digest([True, 2])
    True
    """
    return hashlib.sha256(dumps(_canonical(value))).hexdigest()


def _canonical(value: Any) -> Json:
    kind = type(value)
    if kind in _NUMBERS:
        return _number(value)
    if kind in (list, tuple, deque):
        return [kind.__name__, _members(value)]
    if kind in (dict, Counter, defaultdict):
        pairs = [[_canonical(key), _canonical(item)] for key, item in value.items()]
        return ["dict", sorted(pairs, key=dumps)]
    if kind in (set, frozenset):
        return ["set", sorted(map(_canonical, value), key=dumps)]
    if kind not in _EXACT:
        raise CodecError(f"{kind.__name__} can equal values of other types")
    return encode(value)


def _members(value: Any) -> list[Json]:
    kinds = set(map(type, value))
    if kinds <= {int} and max(map(abs, value), default=0) < _BIG:
        return list(value)
    return [_canonical(item) for item in value]


def _number(value: Any) -> Json:
    if type(value) is float:
        if not value.is_integer():
            raise CodecError("a float that is no integer")
        value = int(value)
    return encode(int(value))
