"""What is done once in a zygote so that no child has to: imports, the compiler, caches."""

from __future__ import annotations

import importlib
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# Modules that judged programs often import: one import here instead of one per child.
_COMMON: Final = """
    bisect collections copy dataclasses datetime decimal enum fractions functools hashlib heapq
    io itertools json math operator random re statistics string typing
"""

# A little of everything: the first use of each costs page faults in the one who does it.
_SAMPLE: Final = """
from typing import List, Dict
import math
class Thing:
    def __init__(self, x: int) -> None:
        self.x = x
    def values(self) -> List[int]:
        return [i * 2 for i in range(self.x) if i % 2]
def total(xs: List[int], *, start: int = 0) -> Dict[str, float]:
    out = {}
    for i, x in enumerate(sorted(xs, key=lambda v: -v)):
        out[f"{i}:{x!r}"] = x / 2 + start
    while xs and not xs[0] > 3:
        xs = xs[1:]
    return out
try:
    assert total([1, 2, 3]) == {"0:3": 1.5, "1:2": 1.0, "2:1": 0.5}, "sum"
    assert Thing(4).values() == [2, 6]
    1 / 0
except (ZeroDivisionError, AssertionError) as error:
    str(error), type(error).__name__
"""


def preload(names: list[str]) -> None:
    """Import modules for all children."""
    for name in [*_COMMON.split(), *names]:
        importlib.import_module(name)


def warm(bodies: list[Callable[[Any], None]]) -> None:
    """Run the compiler, the error path, and what the bodies' modules ask to warm.

    A module that defines ``warm_up`` has it called once, before the first fork.
    """
    for _ in range(3):
        exec(compile(_SAMPLE, "<warm>", "exec"), {"__name__": "warm"})  # noqa: S102 - our own text
        _fail()
    for module in {body.__module__ for body in bodies}:
        warm_up = getattr(sys.modules[module], "warm_up", None)
        if warm_up is not None:
            warm_up()


# Of the interpreter's allocator of small objects: the size of its pools, what their headers
# take, and the largest object.
_POOL: Final = 1 << 14
_HEADER: Final = 48
_LARGEST: Final = 512
_EMPTY: Final = sys.getsizeof(b"")
_WIDE: Final = 1 << 40
_SMALL: Final = 32
_MOST: Final = 10_000
_kept: list[bytes | int] = []


def fill_gaps() -> None:
    """Take all small gaps between objects, so that what children make stands close together.

    The allocator serves small objects from the gaps of pages that are used already, each of
    which a child would have to copy; from untouched pages they come densely.
    """
    for size in range(_SMALL, _LARGEST + 1, 16):
        _kept.extend(_fillers(size))


def _fillers(size: int) -> list[bytes | int]:
    """Make objects of a size until a whole pool holds nothing else; give all the others.

    Where that does not come to pass the allocator is another one: then none are kept.
    """
    full, pool, row = (_POOL - _HEADER) // size - 1, -1, 0
    made: list[bytes | int] = []
    for number in range(_MOST):
        made.append(bytes(size - _EMPTY) if size > _SMALL else _WIDE + number)
        own = id(made[-1]) // _POOL
        row, pool = (row + 1 if own == pool else 1), own
        if row == full:
            return made[:-row]
    return []


def _fail() -> None:
    """Go the way of a syntax error and of a traceback."""
    try:
        compile("def f(:", "<warm>", "exec")
    except SyntaxError as error:
        "".join(traceback.format_exception(error))
