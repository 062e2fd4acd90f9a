"""Where equality with the reference is not the question: the special problems of evalplus.

Some MBPP problems can be read in more than one way. evalplus accepts each reading; for
``are_equivalent`` it accepts any answer at all, which would let every program pass: here that
problem accepts the two readings of *sum of the divisors*, with and without the number itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

_ORDERLESS: Final = frozenset(
    {
        "Diff",
        "common_in_nested_lists",
        "extract_singly",
        "find_char_long",
        "find_dissimilar",
        "intersection_array",
        "larg_nnum",
        "similar_elements",
    }
)
_MATCHERS: Final = frozenset({"check_str", "text_match_three", "text_starta_endb"})
_LARGEST: Final = 10**12


def comparison(entry_point: str, *, is_mbpp: bool) -> str:
    """Name the rule by which a problem's results are compared.

    Examples
    --------
    >>> comparison("Diff", is_mbpp=True), comparison("Diff", is_mbpp=False)
    ('set', 'evalplus')
    """
    if not is_mbpp:
        return "evalplus:find_zero" if entry_point == "find_zero" else "evalplus"
    if entry_point in _ORDERLESS:
        return "set"
    if entry_point in _MATCHERS:
        return "not_none"
    return "one_of" if entry_point in _READINGS else "evalplus"


def alternatives(entry_point: str, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Compute what else is right beside the reference's result; none where nothing is.

    Examples
    --------
    >>> alternatives("digit_distance_nums", (23, 4))
    (3,)
    """
    reading = _READINGS.get(entry_point)
    try:
        return (reading(*arguments),) if reading else None
    except (TypeError, ValueError, OverflowError):  # an input outside the problem's contract
        return None


def _pyramid_surface(base: float, height: float) -> int:
    """The surface of a square pyramid where the height is that of the apex."""
    slant = math.hypot(base / 2, height)
    return round(base * base + 2 * base * slant)


def _digit_distance(first: int, second: int) -> int:
    """The sum of differences of digits at equal places, counted from the right."""
    a, b = str(first), str(second)
    width = max(len(a), len(b))
    pairs = zip(a.zfill(width), b.zfill(width), strict=True)
    return sum(abs(int(x) - int(y)) for x, y in pairs)


def _nothing(_: int) -> int:
    """The sum of the proper divisors where none is counted."""
    return 0


def _equal_divisor_sums(first: int, second: int) -> bool:
    """Whether the sums of all divisors, the numbers themselves among them, agree."""
    return _divisor_sum(first) == _divisor_sum(second)


def _divisor_sum(number: int) -> int:
    if number > _LARGEST:
        message = "too many candidates for divisors"
        raise ValueError(message)
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    return sum({*small, *(number // d for d in small)})


_READINGS: Final[dict[str, Callable[..., Any]]] = {
    "are_equivalent": _equal_divisor_sums,
    "digit_distance_nums": _digit_distance,
    "sum_div": _nothing,
    "surface_Area": _pyramid_surface,
}
