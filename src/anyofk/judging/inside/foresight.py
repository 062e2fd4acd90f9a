"""Which calls may be sent ahead: only those that tell a program nothing about its results.

The calls that a test makes are known from the reference's run. Where a test feeds a result
back (``n = f(n)``), a later argument *is* the expected value of an earlier call, and a program
that is shown all calls at once could read it there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable


def independent(codes: Iterable[str], callees: Iterable[str]) -> bool:
    r"""Whether every call of the program in the tests has its arguments written out.

    Examples
    --------
    >>> independent(["assert f(1, [2]) == 3"], ["f"])
    True
    >>> independent(["n = f(1)\nassert f(n) == 3"], ["f"])
    False
    """
    return all(_is_independent(ast.parse(code), {*callees}) for code in codes)


def _is_independent(tree: ast.Module, callees: set[str]) -> bool:
    """Any use of a name that is no such call may be an alias: then nothing is known."""
    names = callees | _checked(tree)
    known: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known.update(_accounted(node))
    return all(id(use) in known for use in _uses(tree, names))


def _checked(tree: ast.Module) -> set[str]:
    """What a test's own ``check(candidate)`` calls the program."""
    checks = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "check")
    return {argument.arg for check in checks for argument in check.args.args}


def _accounted(call: ast.Call) -> list[int]:
    """The names in a call that are no alias: what it calls, or what it hands to ``check``."""
    if isinstance(call.func, ast.Name) and call.func.id == "check":
        return [id(argument) for argument in call.args]
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [id(call.func)] if all(map(_is_written_out, values)) else []


def _is_written_out(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _uses(tree: ast.Module, names: set[str]) -> Iterable[ast.Name]:
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return (name for name in found if isinstance(name.ctx, ast.Load) and name.id in names)
