"""Which calls may travel in one message: those that do not tell each other's results.

A program that receives several calls at once can read the later ones while it answers the
first. Where tests ask for both ways of a conversion (``f(2) == 3`` and ``f(3) == 2``), or walk
along a chain, a later argument *is* the expected value of an earlier call.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from anyofk.judging.codec import Json


def telling(calls: list[list[Json]], results: list[list[Json]]) -> bool:
    """Whether later calls hold the results of half of the calls, or of more.

    A result of true, false or none is not counted: it can be found anywhere. One that is a
    part of a later argument is counted as one that is the argument.

    Parameters
    ----------
    calls
        The arguments of each call in the order of the message, as tagged JSON.
    results
        What each may return, one value or one of several, as tagged JSON.

    Examples
    --------
    >>> telling([[2], [3]], [[3], [2]]), telling([[2], [3]], [[5], [2]])
    (True, False)
    >>> telling([["ab"], [["ba", 1]], ["x"]], [["ba"], [True], ["y"]])
    True
    """
    last = {part: place for place, call in enumerate(calls) for part in _parts(call)}
    counted = [(place, right) for place, right in enumerate(results) if any(map(_counts, right))]
    told = sum(max(last.get(_key(r), 0) for r in right) > place for place, right in counted)
    return told > 0 and 2 * told >= len(counted)


def _counts(result: Json) -> bool:
    return result is not None and type(result) is not bool


def _parts(data: Json) -> Iterator[Hashable]:
    """Name all values in a value, the value itself too."""
    yield _key(data)
    for part in _inner(data):
        yield from _parts(part)


def _inner(data: Json) -> list[Json]:
    """The members of a list, a tuple, a mapping or another collection."""
    if type(data) is not dict:
        return data if type(data) is list else []
    (content,) = data.values()
    return [*content, *content.values()] if type(content) is dict else _inner(content)


def _key(data: Json) -> Hashable:
    """Name a value, so that tuples and lists of equal members have one name."""
    if type(data) is list:
        return tuple(map(_key, data))
    if type(data) is dict:
        ((tag, content),) = data.items()
        if type(content) is dict:
            return tag, tuple((key, _key(value)) for key, value in content.items())
        return _key(content) if tag == "t" else (tag, _key(content))
    return str(data) if type(data) is bool else data
