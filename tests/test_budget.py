"""The size budget: small rooms, and a reason for each that is larger."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "anyofk"
FILES = sorted(SOURCE.rglob("*.py"))

MAX_FILE, MAX_BODY, MAX_POSITIONAL = 300, 25, 5
BARRED_NAMES = {"utils", "util", "helpers", "common", "manager", "misc"}

# What may be larger, and why.
LARGE_FILES: dict[str, str] = {}
LONG_BODIES: dict[str, str] = {}


def functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(node):
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (node.end_lineno - body[0].lineno + 1) if body else 0


def positional(node):
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    return len([name for name in names if name not in {"self", "cls"}])


def named(path, node=None):
    place = path.relative_to(SOURCE).as_posix()
    return f"{place}:{node.name}" if node else place


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_file_fits_the_budget(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MAX_FILE or named(path) in LARGE_FILES, f"{named(path)} has {lines} lines"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_function_fits_the_budget(path):
    long = {named(path, f): body_lines(f) for f in functions(path) if body_lines(f) > MAX_BODY}
    wide = {
        named(path, f): positional(f) for f in functions(path) if positional(f) > MAX_POSITIONAL
    }
    assert not long.keys() - LONG_BODIES.keys(), long
    assert not wide, wide


def test_no_exception_outlives_its_reason():
    files = {named(path) for path in FILES if path.read_text("utf-8").count("\n") > MAX_FILE}
    bodies = {named(p, f) for p in FILES for f in functions(p) if body_lines(f) > MAX_BODY}
    assert LARGE_FILES.keys() <= files
    assert LONG_BODIES.keys() <= bodies


def test_no_room_is_called_by_a_name_that_says_nothing():
    names = {part.removesuffix(".py") for p in FILES for part in p.relative_to(SOURCE).parts}
    assert not names & BARRED_NAMES
