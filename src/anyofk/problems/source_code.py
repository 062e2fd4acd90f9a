"""What Python source says about itself: whether it parses, what it defines and calls."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache


@lru_cache(maxsize=64)
def tree(source: str) -> ast.Module | None:
    """Parse source silently; none where it does not parse."""
    try:
        return _parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def syntax_fault(source: str) -> str:
    """Say why source does not parse, or nothing where it does.

    Examples
    --------
    >>> syntax_fault("x = 1"), syntax_fault("x = = 1")
    ('', 'line 1: invalid syntax')
    """
    try:
        _parse(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""


def defined(source: str) -> list[str]:
    """List the functions and classes that source defines at its top level, in order."""
    parsed = tree(source)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in parsed.body if isinstance(node, kinds)] if parsed else []


def called(source: str) -> list[str]:
    """List the plain names that source calls, each once, in order.

    Examples
    --------
    >>> called("assert set(f(1)) == set(g(2, f(3)))")
    ['set', 'f', 'g']
    """
    parsed = tree(source)
    calls = (node.func for node in ast.walk(parsed) if isinstance(node, ast.Call)) if parsed else ()
    return list(dict.fromkeys(func.id for func in calls if isinstance(func, ast.Name)))


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a stray backslash in foreign code is not our affair
        return ast.parse(source)
