"""Make a file of candidates for a HumanEval file: references and seeded mutants of them.

    python benchmarks/candidates.py HumanEval.jsonl.gz -n 20 --seed 0 > candidates.jsonl

The kinds: the reference itself, a wrong operator, an off-by-one constant, an exception, a
syntax error, a wrong return value, and about one in a hundred an endless loop.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SWAPPED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
WEIGHTS = {
    "reference": 0.34,
    "wrong_operator": 0.17,
    "off_by_one": 0.15,
    "exception": 0.10,
    "syntax_error": 0.07,
    "wrong_return": 0.16,
    "endless_loop": 0.01,
}


def read_problems(path: Path) -> list[dict[str, Any]]:
    """Read a HumanEval file, compressed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def make_candidates(
    problems: list[dict[str, Any]], n: int, seed: int, *, loops: bool = True
) -> Iterator[dict[str, str]]:
    """Yield n candidates for each problem in HumanEval's form, with their ``kind`` beside."""
    weights = {k: w for k, w in WEIGHTS.items() if loops or k != "endless_loop"}
    for problem in problems:
        rng = random.Random(f"{seed}/{problem['task_id']}")  # noqa: S311 - reproducible, no secret
        for kind in rng.choices(list(weights), list(weights.values()), k=n):
            completion = complete(problem, kind, rng)
            yield {"task_id": problem["task_id"], "completion": completion, "kind": kind}


def complete(problem: dict[str, Any], kind: str, rng: random.Random) -> str:
    """Write the completion of one kind; a mutant redefines the function after the prompt."""
    if kind == "reference":
        return str(problem["canonical_solution"])
    tree = ast.parse(problem["prompt"] + problem["canonical_solution"])
    mutated = MUTATORS[kind](tree, problem["entry_point"], rng)
    return "\n\n" + mutated + "\n"


def wrong_operator(tree: ast.Module, entry: str, rng: random.Random) -> str:
    """Swap one operator or comparison for its neighbour."""
    places: list[Callable[[], None]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPPED:
            places.append(lambda n=node: setattr(n, "op", SWAPPED[type(n.op)]()))
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
            places.append(lambda n=node: n.ops.__setitem__(0, SWAPPED[type(n.ops[0])]()))
    return apply_one(tree, places, entry, rng)


def off_by_one(tree: ast.Module, entry: str, rng: random.Random) -> str:
    """Move one whole number by one."""
    places = [
        lambda n=node: setattr(n, "value", n.value + rng.choice((-1, 1)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]
    return apply_one(tree, places, entry, rng)


def wrong_return(tree: ast.Module, entry: str, rng: random.Random) -> str:
    """Return nothing, the negation, or the value in a list."""
    shapes: tuple[Callable[[ast.expr], ast.expr], ...] = (
        lambda _: ast.Constant(None),
        lambda value: ast.UnaryOp(ast.Not(), value),
        lambda value: ast.List([value], ast.Load()),
    )
    places = [
        lambda n=node: setattr(n, "value", rng.choice(shapes)(n.value))
        for node in ast.walk(tree)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    return apply_one(tree, places, entry, rng)


def exception(tree: ast.Module, entry: str, rng: random.Random) -> str:
    """Begin the body with a statement that raises."""
    raised = rng.choice(("1 / 0", "[][1]", "undefined_name", "int('x')", "{}['missing']"))
    return begin_body(tree, entry, ast.parse(raised).body)


def endless_loop(tree: ast.Module, entry: str, rng: random.Random) -> str:
    """Begin the body with a loop that never ends."""
    loop = rng.choice(("while True: pass", "i = 0\nwhile i >= 0: i += 1"))
    return begin_body(tree, entry, ast.parse(loop).body)


def syntax_error(tree: ast.Module, _entry: str, rng: random.Random) -> str:
    """Leave a bracket, a colon or an indent wrong."""
    broken = rng.choice(("\nx = (1,\n", "\nif True\n    pass\n", "\n  y = 1\n z = 2\n"))
    return ast.unparse(tree) + broken


def apply_one(
    tree: ast.Module, places: list[Callable[[], None]], entry: str, rng: random.Random
) -> str:
    """Change one place; a program without any returns nothing instead."""
    if not places:
        return begin_body(tree, entry, [ast.Return(ast.Constant(None))])
    rng.choice(places)()
    return ast.unparse(ast.fix_missing_locations(tree))


def begin_body(tree: ast.Module, entry: str, statements: list[ast.stmt]) -> str:
    """Put statements at the start of the entry point's body."""
    changed = copy.deepcopy(tree)
    for node in ast.walk(changed):
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            node.body = [*statements, *node.body]
    return ast.unparse(ast.fix_missing_locations(changed))


MUTATORS: dict[str, Callable[[ast.Module, str, random.Random], str]] = {
    "wrong_operator": wrong_operator,
    "off_by_one": off_by_one,
    "exception": exception,
    "syntax_error": syntax_error,
    "wrong_return": wrong_return,
    "endless_loop": endless_loop,
}


def main() -> None:
    """Write the candidates to standard output, one JSON line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", type=Path)
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-loops", action="store_true")
    options = parser.parse_args()
    problems = read_problems(options.problems)
    for row in make_candidates(problems, options.n, options.seed, loops=not options.no_loops):
        sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
