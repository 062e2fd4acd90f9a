"""Loading a program: compile and execute it as a module, and find what the tests call."""

from __future__ import annotations

import random
import sys
import types
from typing import Any, Final

_MODULE: Final = "program"
_BYTE_ORDER_MARK: Final = "\ufeff"
_COMPILER_FAILURES: Final = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


class Uncompilable(Exception):  # noqa: N818 -- the candidate's failure, no error of ours
    """The text is no program; the message says why."""


def compiled(source: str, name: str = "<program>") -> types.CodeType:
    """Compile a program's text.

    Raises
    ------
    Uncompilable
        It is no Python, or more than the compiler can take.
    """
    try:
        return compile(source.removeprefix(_BYTE_ORDER_MARK), name, "exec", dont_inherit=True)
    except _COMPILER_FAILURES as error:
        raise Uncompilable(f"{type(error).__name__}: {error}") from None


def module(name: str = _MODULE) -> types.ModuleType:
    """Make an empty module that dataclasses and picklers can find by its name."""
    made = types.ModuleType(name)
    sys.modules[name] = made
    return made


def seed(number: int) -> None:
    """Seed the generators that programs and tests use without seeding them."""
    random.seed(number)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % (1 << 32))


def adapted(names: dict[str, Any], wanted: list[str]) -> str:
    """Find the entry point, the first wanted name, as a method of ``class Solution``.

    Says how it was found, or nothing. The one adapter that exists: an answer in the form of
    contest sites to a plain function's problem. A function of another name is never taken.
    """
    solution = names.get("Solution")
    name = wanted[0] if wanted else ""
    if not name or name in names:
        return ""
    if not isinstance(solution, type) or not hasattr(solution, name):
        return ""
    names[name] = getattr(solution(), name)
    return f"Solution().{name}"
