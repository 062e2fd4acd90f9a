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


def _fail() -> None:
    """Go the way of a syntax error and of a traceback."""
    try:
        compile("def f(:", "<warm>", "exec")
    except SyntaxError as error:
        "".join(traceback.format_exception(error))
