"""Which names a program binds, and which it needs from elsewhere."""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from collections.abc import Iterator

from anyofk.extraction.parsing import Source, silence

BUILT_IN = frozenset(dir(builtins)) | {"__file__", "__builtins__", "__annotations__"}
_SUITES = ("body", "orelse", "finalbody")


def is_main_guard(statement: ast.stmt) -> bool:
    """Whether this is ``if __name__ == "__main__"``, which tests of a function do not run."""
    return isinstance(statement, ast.If) and "__name__" in _loaded(statement.test)


def _loaded(node: ast.AST) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def flat(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Walk the statements of the module's own level, also under ``if``, ``try`` and ``with``."""
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if is_main_guard(statement):
            continue
        inner = [s for suite in _SUITES for s in getattr(statement, suite, ())]
        for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            inner.extend(handler.body)
        waiting.extend(reversed(inner))


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return [statement.target]
    if isinstance(statement, ast.For | ast.AsyncFor):
        return [statement.target]
    return []


def assigned(statement: ast.stmt) -> set[str]:
    """The names that one statement of the module's level defines, imports apart."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    targets = _targets(statement)
    return {
        node.id
        for target in targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def imported(statement: ast.stmt) -> set[str]:
    """The names that one statement imports."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return set()
    return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}


def bound(statements: list[ast.stmt]) -> set[str]:
    """All names that statements of the module's level bind."""
    names: set[str] = set()
    for statement in flat(statements):
        names |= assigned(statement) | imported(statement)
    return names


def defined(source: Source) -> list[str]:
    """The names that a program defines by ``def``, ``class`` or assignment, in order."""
    names: dict[str, None] = {}
    for statement in flat(source.statements):
        names.update(dict.fromkeys(sorted(assigned(statement))))
    return list(names)


def functions(source: Source) -> list[str]:
    """The functions and classes of a program's own level, in order."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return list(
        dict.fromkeys(node.name for node in flat(source.statements) if isinstance(node, kinds))
    )


def takes_from_library(source: Source, name: str) -> bool:
    """Whether the name is imported from the standard library, as in ``from math import gcd``."""
    return any(
        isinstance(node, ast.ImportFrom)
        and name in imported(node)
        and (node.module or "").partition(".")[0] in sys.stdlib_module_names
        for node in flat(source.statements)
    )


def needed(source: Source) -> set[str]:
    """The names that a program reads and nobody in it binds, built-ins apart.

    Scopes are the language's own, so a local variable is no need, and neither is a name that
    stands in a string.
    """
    if source.tree is None:
        return set()
    try:
        with silence():
            top = symtable.symtable(source.text, "<candidate>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return _read_globals(top) - bound(source.statements) - BUILT_IN


def _read_globals(top: symtable.SymbolTable) -> set[str]:
    read: set[str] = set()
    made: set[str] = set()
    waiting = [top]
    while waiting:
        table = waiting.pop()
        for symbol in table.get_symbols():
            outermost = table is top or symbol.is_global()
            if outermost and (symbol.is_assigned() or symbol.is_imported()):
                made.add(symbol.get_name())
            elif outermost and symbol.is_referenced():
                read.add(symbol.get_name())
        waiting.extend(table.get_children())
    return read - made


def is_demo(statement: ast.stmt, entry_point: str | None) -> bool:
    """Whether a statement only shows or tests the answer, and belongs to no program.

    That is a print, an assertion, a main guard, or anything outside ``def`` and ``class``
    that mentions the entry point.
    """
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    if isinstance(statement, ast.Assert) or is_main_guard(statement):
        return True
    names = _loaded(statement)
    called = statement.value if isinstance(statement, ast.Expr) else None
    prints = isinstance(called, ast.Call) and "print" in _loaded(called.func)
    return prints or (entry_point is not None and entry_point in names)


def is_real(statement: ast.stmt) -> bool:
    """Whether a statement does something, unlike a word of prose that happens to parse."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is not None
    if not isinstance(statement, ast.Expr):
        return True
    return isinstance(statement.value, ast.Call | ast.Await | ast.Yield | ast.YieldFrom)
