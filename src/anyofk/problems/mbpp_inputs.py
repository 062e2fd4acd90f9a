"""The arguments of MBPP+ as Python values: JSON made lists of their tuples and sets.

Each shape is read letter by letter, from outside in: ``T`` a tuple, ``L`` a list, ``D`` the
values of a dict, ``S`` a set, ``A`` tuples all the way down, ``F`` a float, ``C`` a complex
number; an empty shape leaves the value alone. A shape that ends in ``*`` holds for all arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, repeat
from typing import Any, Final

_BY_SHAPE: Final[dict[tuple[str, ...], tuple[int, ...]]] = {
    ("T", "*"): (
        *(2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424),
        *(429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809),
    ),
    ("LT", "*"): (63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780),
    ("LT", ""): (75, 413, 444, 753),
    ("", "T"): (106, 750),
    ("T", ""): (250, 405, 446, 617, 720, 763, 808),
    ("T", "", ""): (307,),
    ("TT", "*"): (259, 278, 401, 445),
    ("DT", "", ""): (722,),
    ("LS",): (115,),
    ("F", "C"): (124,),
    ("C",): (252,),
    ("A", "*"): (580, 615, 791),
}
_SHAPES: Final = {number: shape for shape, numbers in _BY_SHAPE.items() for number in numbers}


def restored(number: int) -> Callable[[list[Any]], tuple[Any, ...]]:
    """Give the function that restores the arguments of one MBPP+ problem.

    Examples
    --------
    >>> restored(2)([[1, 2], [2, 3]]), restored(124)(["0", "1j"]), restored(11)([[1]])
    (((1, 2), (2, 3)), (0.0, 1j), ([1],))
    """
    shape = _SHAPES.get(number, ("", "*"))

    def restore(arguments: list[Any]) -> tuple[Any, ...]:
        rest = shape[0] if shape[-1] == "*" else ""
        shapes = chain(shape[:-1] if shape[-1] == "*" else shape, repeat(rest))
        return tuple(_cast(value, one) for value, one in zip(arguments, shapes, strict=False))

    return restore


def _cast(value: Any, shape: str) -> Any:
    """Restore one value; what is no list where a list is meant stays as it is."""
    if not shape:
        return value
    kind, inner = shape[0], shape[1:]
    if kind == "C":
        return complex(value)
    if kind == "F":
        return float(value)
    if kind == "D":
        return {key: _cast(item, inner) for key, item in value.items()}
    return _cast_list(value, kind, inner) if isinstance(value, list) else _not_a_list(value, kind)


def _cast_list(value: list[Any], kind: str, inner: str) -> Any:
    if kind == "S":
        return set(value) or {}
    items = [_cast(item, kind if kind == "A" else inner) for item in value]
    return items if kind == "L" else tuple(items)


def _not_a_list(value: Any, kind: str) -> Any:
    return {} if kind == "S" else value
