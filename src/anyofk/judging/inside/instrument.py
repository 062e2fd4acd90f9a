"""Instrumenting a test: every executed check is counted, and a failed one says what it saw.

``assert left == right, note`` becomes

.. code-block:: python

    if not ((_anyofk_left := left) == (_anyofk_right := right)):
        raise _anyofk_failed(7, (_anyofk_right, _anyofk_left), note)
    _anyofk_held()

so that both values are evaluated once, as before, and kept. A statement that calls a function
whose name starts with ``assert`` counts as a check too.
"""

from __future__ import annotations

import ast
import itertools
import marshal
from base64 import b64decode, b64encode
from functools import partial
from types import CodeType
from typing import Any, Final

from anyofk.judging.messages import shown

LEFT, RIGHT, FAILED, HELD = "_anyofk_left", "_anyofk_right", "_anyofk_failed", "_anyofk_held"
_KEEPING_NONE: Final = "()"


_PHRASE: Final = {2: " -- expected {}, got {}", 3: " -- left {}, right {}"}


class CheckFailedError(AssertionError):
    """A check of the test did not hold; tests see an ordinary AssertionError."""


class Checks:
    """The count of executed checks, and the words of the first that failed."""

    def __init__(self) -> None:
        self._counter = itertools.count()
        self.failed = 0

    @property
    def held(self) -> int:
        """How many checks held so far."""
        return int(repr(self._counter)[6:-1])

    @property
    def reached(self) -> int:
        """How many checks were executed so far."""
        return self.held + self.failed

    def names(self, lines: list[str]) -> dict[str, Any]:
        """The names that an instrumented test calls; ``lines`` is its text."""
        return {HELD: self._counter.__next__, FAILED: partial(self._failure, lines)}

    def _failure(
        self, lines: list[str], line: int, values: tuple[Any, ...], note: Any = None
    ) -> CheckFailedError:
        self.failed += 1
        source = lines[line - 1].strip() if line <= len(lines) else ""
        return CheckFailedError(self._words(source, values, note))

    def _words(self, source: str, values: tuple[Any, ...], note: Any) -> str:
        words = f"check failed: {source[:200]}"
        if values:
            words += _PHRASE.get(len(values), "").format(*map(shown, values))
        return words if note is None else f"{words} ({str(note)[:100]})"


def instrumented(source: str, name: str, callees: frozenset[str]) -> CodeType:
    """Compile a test with its checks instrumented.

    Parameters
    ----------
    source, name
        The test's text, and what tracebacks call it.
    callees
        The names that stand for the program: a side that calls one holds what was got.

    Raises
    ------
    SyntaxError
        The test is no Python.
    """
    tree = ast.parse(source, name)
    tree = ast.fix_missing_locations(_Instrument(callees).visit(tree))
    return compile(tree, name, "exec", dont_inherit=True)


def kept_code(source: str, callees: frozenset[str]) -> dict[str, Any]:
    """Instrument a test and write the code as text, so that no process does it again."""
    code = marshal.dumps(instrumented(source, "<test>", callees))
    uncalled = check_is_uncalled(ast.parse(source))
    return {"compiled": b64encode(code).decode("ascii"), "uncalled": uncalled}


def test_code(group: Any, callees: frozenset[str]) -> tuple[CodeType | None, bool]:
    """Take a group's instrumented code, kept or made now; and whether ``check`` is to be called."""
    if not group["code"].strip():
        return None, False
    kept = group["compiled"] or kept_code(group["code"], callees)
    code: CodeType = marshal.loads(b64decode(kept["compiled"]))  # noqa: S302 -- made from the problem's own test
    return code, kept["uncalled"]


class _Instrument(ast.NodeTransformer):
    def __init__(self, callees: frozenset[str]) -> None:
        self._callees = callees

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Turn one assert into a test that keeps its values and is counted."""
        kept = _KEEPING_NONE
        if isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
            kept = self._keep_sides(node.test)
        failure = _expression(f"{FAILED}({node.lineno}, {kept})")
        if node.msg is not None:
            failure.args.append(node.msg)
        raising = ast.Raise(exc=failure, cause=None)
        negated = ast.UnaryOp(op=ast.Not(), operand=node.test)
        guard = ast.If(test=negated, body=[raising], orelse=[])
        return [_placed(guard, node), _placed(ast.Expr(_expression(f"{HELD}()")), node)]

    def _keep_sides(self, compare: ast.Compare) -> str:
        """Bind both sides to names; write the names as (expected, got), or as they stand."""
        left, right = compare.left, compare.comparators[0]
        swapped = self._calls(right) and not self._calls(left)
        compare.left = ast.NamedExpr(target=ast.Name(LEFT, ast.Store()), value=left)
        compare.comparators[0] = ast.NamedExpr(target=ast.Name(RIGHT, ast.Store()), value=right)
        if not isinstance(compare.ops[0], ast.Eq | ast.Is):
            return f"({LEFT}, {RIGHT}, None)"
        return f"({LEFT}, {RIGHT})" if swapped else f"({RIGHT}, {LEFT})"

    def _calls(self, node: ast.expr) -> bool:
        names = (n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        return any(name in self._callees for name in names)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """Count a call of ``assert_allclose`` and the like after it returned."""
        if not _asserting_call(node.value):
            return node
        return [node, _placed(ast.Expr(_expression(f"{HELD}()")), node)]


def _asserting_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called_name(node).startswith("assert")


def called_name(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    return str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))


def _expression(source: str) -> Any:
    return ast.parse(source, mode="eval").body


def _placed(made: ast.stmt, node: ast.stmt) -> ast.stmt:
    """Give a made statement the place of the one it stands for."""
    for part in ast.walk(made):
        if not hasattr(part, "lineno") and isinstance(part, ast.expr | ast.stmt):
            ast.copy_location(part, node)
    return ast.copy_location(made, node)


def check_is_uncalled(tree: ast.Module) -> bool:
    """Whether a test defines ``check`` and nothing at its top level calls it."""
    defines = any(isinstance(n, ast.FunctionDef) and n.name == "check" for n in tree.body)
    return defines and not any(_calls_check(n) for n in tree.body if not _defines(n))


def _defines(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _calls_check(node: ast.stmt) -> bool:
    calls = (n.func for n in ast.walk(node) if isinstance(n, ast.Call))
    return any(isinstance(f, ast.Name) and f.id == "check" for f in calls)
