"""Every program that differs from a given one at a single place: what tests should notice."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SWAPPED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
REMOVED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue)


@dataclass(frozen=True)
class Mutant:
    """A program with one change, and what the change is."""

    kind: str
    line: int
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    r"""Yield every single-place mutant of a program, in the order of its syntax tree.

    Examples
    --------
    >>> [m.source for m in mutants("def f(a):\n    return a < 2") if m.kind == "operator"]
    ['def f(a):\n    return a <= 2']
    """
    tree = ast.parse(source)
    places = list(ast.walk(tree))
    ignored = {id(part) for node in places for part in _not_run(node)}
    for index, node in enumerate(places):
        if id(node) in ignored:
            continue
        for kind, change in _changes(node):
            changed = copy.deepcopy(tree)
            _apply(changed, list(ast.walk(changed))[index], change)
            text = ast.unparse(ast.fix_missing_locations(changed))
            yield Mutant(kind, getattr(node, "lineno", 0), text)


def _not_run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that no run depends on: annotations, formats, docstrings."""
    for name in ("annotation", "returns"):
        if isinstance(getattr(node, name, None), ast.AST):
            yield from ast.walk(getattr(node, name))
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in ast.walk(node) if isinstance(part, ast.Constant))


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield what may be done to one node: a new node, or new values of its fields."""
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPPED:
        yield "operator", {"op": SWAPPED[type(node.op)]()}
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            swapped = [*node.ops[:i], SWAPPED[type(operator)](), *node.ops[i + 1 :]]
            yield "operator", {"ops": swapped}
    if isinstance(node, ast.UnaryOp):
        yield "operator", node.operand
    if isinstance(node, ast.Constant):
        yield from (("constant", {"value": value}) for value in _neighbours(node.value))
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "condition", {"test": ast.UnaryOp(ast.Not(), node.test)}
    if isinstance(node, ast.Return) and node.value is not None:
        yield "return", {"value": ast.Constant(None)}
    if isinstance(node, REMOVED):
        yield "removed", ast.Pass()


def _neighbours(value: Any) -> list[Any]:
    """List the values beside a constant."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [value + "x", *([""] if value else [])]
    return []


def _apply(tree: ast.AST, node: ast.AST, change: Any) -> None:
    """Do one change to a copy of the tree."""
    if isinstance(change, dict):
        for name, value in change.items():
            setattr(node, name, copy.deepcopy(value))
        return
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, copy.deepcopy(change))
            elif isinstance(value, list) and any(item is node for item in value):
                value[value.index(node)] = copy.deepcopy(change)
