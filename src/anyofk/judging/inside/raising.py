"""The exceptions of a program, as tests see them: builtin kinds with plain arguments."""

from __future__ import annotations

import builtins
from typing import Any, Final

MAX_MEMBERS: Final = 100
_MASKED: Final = ("StopIteration", "StopAsyncIteration", "GeneratorExit")
_RAISABLE: Final[dict[str, type[BaseException]]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and name not in _MASKED
}


def known_kind(names: list[Any]) -> type[BaseException]:
    """Find the first builtin exception among the names of a class and its bases."""
    return next((_RAISABLE[name] for name in names if name in _RAISABLE), RuntimeError)


def made_exception(kind: type[BaseException], values: list[Any]) -> BaseException:
    """Build an exception as the program built it, or one of its kind without arguments."""
    try:
        return _group(kind, *values) if _is_group(kind) else kind(*values)
    except Exception:  # noqa: BLE001 -- arguments that this kind does not take
        return kind.__new__(kind, *(("", [Exception()]) if _is_group(kind) else ()))


def _group(kind: Any, text: str, names: list[str]) -> BaseException:
    """Build a group of exceptions of the kinds that the program's group has."""
    members = [_RAISABLE.get(name, Exception) for name in names[:MAX_MEMBERS]]
    made = [made_exception(member, [""]) for member in members if not _is_group(member)]
    group: BaseException = kind(text, made)
    return group


def _is_group(kind: type[BaseException]) -> bool:
    return issubclass(kind, BaseExceptionGroup)
