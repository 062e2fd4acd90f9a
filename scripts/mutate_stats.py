"""Change modules of the statistics one place at a time, and list the changes that no test sees.

python scripts/mutate_stats.py [MODULE ...]      such as kernel variance; all of them by default

Each mutant is loaded in a forked process in the module's place, and that module's tests run on
it until the first fails; a mutant that neither fails a test nor runs out of time is alive. What
a reader alone sees is not changed: docstrings, annotations, words of errors. Survivors and their
reasons are listed in docs/statistics/mutation.md.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import array_api_compat
import array_api_strict
import hypothesis
import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats
from mutants import Mutant, mutants

LOADED = (array_api_compat, array_api_strict, hypothesis, np, scipy.optimize, scipy.special)
"""What the tests need, loaded once, before the forks."""

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "kernel": ("kernel", "variance"),
    "passk": ("kernel", "variance"),
    "variance": ("variance", "golden"),
    "weight_tables": ("weights", "golden"),
    "weights": ("weights", "golden"),
    "arrays": ("weights",),
    "selection": ("selection", "golden"),
    "thresholds": ("selection", "golden"),
    "means": ("means", "golden"),
}
SECONDS = 60
MEMORY = 4 << 30


def main(names: Sequence[str]) -> int:
    """Print each survivor and the count of each module; give 0, for the list is for reading."""
    for name in names or TESTS:
        alive, count, started = 0, 0, time.monotonic()
        if not survives(name, plain_source(name)):
            raise SystemExit(f"the tests of {name} fail without any change")
        for mutant in changed(name):
            count += 1
            if survives(name, mutant.source):
                alive += 1
                print(f"{name}: {mutant.kind}: {difference(name, mutant)}", flush=True)
        seconds = time.monotonic() - started
        print(f"{name}: {count} mutants, {alive} alive, {seconds:.0f} s", flush=True)
    return 0


def path_of(name: str) -> Path:
    """Give the file of a module."""
    return ROOT / "src" / "anyofk" / "stats" / f"{name}.py"


def changed(name: str) -> Iterator[Mutant]:
    """Yield the mutants of a module that a run could tell from it."""
    source = plain_source(name)
    words = {node.value for node in ast.walk(ast.parse(source)) if is_for_readers(node)}
    seen = {source}
    for mutant in mutants(source):
        lost = [w for w in words if repr(w) in source and repr(w) not in mutant.source]
        if mutant.source not in seen and not lost:
            seen.add(mutant.source)
            yield mutant


def plain_source(name: str) -> str:
    """Give the source without docstrings, imports for types, and type aliases."""
    tree = ast.parse(path_of(name).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [kept for kept in body if not is_idle(kept)] or [ast.Pass()]  # type: ignore[attr-defined]  # those with a body
    return ast.unparse(ast.fix_missing_locations(tree))


def is_idle(node: ast.AST) -> bool:
    """Whether a statement does nothing when it runs."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return is_text or for_types


def is_for_readers(node: ast.AST) -> Any:
    """Whether a node is text in sentences: the words of an error."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def survives(name: str, source: str) -> bool:
    """Whether all tests pass with this source in the module's place."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = tested(name, source)
        finally:
            os._exit(code)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def tested(name: str, source: str) -> int:
    """Run the module's tests on this source; give pytest's exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.meta_path.insert(0, Finder(f"anyofk.stats.{name}", source))
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        files = [f"tests/stats/test_stats_{test}.py" for test in TESTS[name]]
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded
        return int(pytest.main([*options, "--hypothesis-seed=0", *files]))


class Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one module from a source of its own."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """Know this module alone."""
        del path, target
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def get_source(self, fullname: str) -> str:
        """Give the mutant."""
        del fullname
        return self.source


def difference(name: str, mutant: Mutant) -> str:
    """Show the first line that the mutant has and the module has not."""
    before, after = plain_source(name).splitlines(), mutant.source.splitlines()
    pairs = zip(before, after, strict=False)
    old, new = next(((a, b) for a, b in pairs if a != b), (before[-1], after[-1]))
    return f"{old.strip()}  ->  {new.strip()}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
