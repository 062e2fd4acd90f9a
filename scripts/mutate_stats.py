"""Change modules of the statistics one place at a time, and list the changes that no test sees.

python scripts/mutate_stats.py [--quick] [MODULE ...]    such as kernel variance; default: all

The tests of a module are collected once. For each mutant a fork of that process puts the mutant's
functions in place of the module's, wherever they are bound, and runs the tests until the first
fails, those first that failed most often before. A mutant that no test fails is tried again in a
process that has loaded nothing else in its place (unless --quick); if it passes there too, it is
alive. Running out of time or memory is failing. Not changed is what a reader alone sees
(docstrings, annotations, words of errors), and constants that say how much is worked on at once.
docs/statistics/mutation.md lists the survivors with their reasons.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
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
from _pytest.runner import runtestprotocol
from mutants import Mutant, mutants

LOADED = (array_api_compat, array_api_strict, hypothesis, np, scipy.optimize, scipy.special)
"""What the tests need, loaded once, before the forks."""

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "kernel": ("kernel_parts", "kernel", "variance"),
    "passk": ("kernel", "variance"),
    "variance": ("kernel_parts", "variance", "golden"),
    "weight_tables": ("weights_auto", "weights", "golden"),
    "weights": ("weights_auto", "weights", "golden"),
    "arrays": ("weights",),
    "selection": ("selection_doors", "selection", "golden"),
    "thresholds": ("selection", "golden"),
    "means": ("means", "golden"),
}
OWN = ("test_stats_kernel", "test_stats_variance", "enumeration", "simulation")
TUNING = {"BLOCK", "CELLS", "QUICK_GROUPS", "TABLE", "WORTH_A_LOOK"}
SECONDS = 15
REPORT = os.dup(1)
MEMORY = 4 << 30


def main(names: Sequence[str]) -> int:
    """Print each survivor and the count of each module; give 0, for the list is for reading."""
    quick = "--quick" in names
    for name in [name for name in names if name != "--quick"] or TESTS:
        if not survives(name, plain_source(name)):
            raise SystemExit(f"the tests of {name} fail without any change")
        if forked(lambda name=name: run_tests(name, Trial(name, quick=quick))) != 0:
            raise SystemExit(f"the tests of {name} cannot be collected")
    return 0


class Trial:
    """A plug-in of pytest that runs the collected tests once for each mutant of a module."""

    def __init__(self, name: str, *, quick: bool) -> None:
        self.name, self.quick = name, quick
        self.kills: Counter[str] = Counter()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the mutants one by one."""
        alive, count, started = 0, 0, time.monotonic()
        if self.killed(session, Mutant("none", 0, plain_source(self.name))):
            raise RuntimeError("the tests fail without any change when they are run in turn")
        for mutant in changed(self.name):
            count += 1
            if self.killed(session, mutant):
                continue
            if self.quick or survives(self.name, mutant.source):
                alive += 1
                report(f"{self.name}: {mutant.kind}: {difference(self.name, mutant)}")
        seconds = time.monotonic() - started
        report(f"{self.name}: {count} mutants, {alive} alive, {seconds:.0f} s")
        return True

    def killed(self, session: pytest.Session, mutant: Mutant) -> bool:
        """Whether a test fails when the mutant's functions stand where the module's stood."""
        items = sorted(session.items, key=lambda item: -self.kills[item.nodeid])
        reader, writer = os.pipe()
        code = forked(lambda: first_failure(items, self.name, mutant, writer))
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            failed = stream.read().decode()
        self.kills[failed] += bool(failed)
        return code != 0


def first_failure(items: list[Any], name: str, mutant: Mutant, writer: int) -> int:
    """Put a mutant in place and run tests until one fails; write its name and give 1."""
    limit()
    try:
        put_in_place(f"anyofk.stats.{name}", mutant.source)
    except Exception:  # noqa: BLE001 - whatever it is, the mutant can't even be loaded
        return 1
    for item, following in zip_longest(items, items[1:]):
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(each.failed for each in reports):
            os.write(writer, item.nodeid.encode())
            return 1
    return 0


def put_in_place(name: str, source: str) -> None:
    """Load a module anew and rebind, in all modules, what it defined to what it now defines."""
    old = vars(sys.modules[name]).copy()
    new = importlib.util.module_from_spec(Finder(name, source).find_spec(name, None))
    exec(compile(source, name, "exec"), vars(new))  # noqa: S102 - a mutant of our own module
    ours = {
        id(value): vars(new).get(key)
        for key, value in old.items()
        if getattr(value, "__module__", None) == name or key.isupper()
    }
    for module in list(sys.modules.values()):
        for key, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in ours and (key.isupper() or getattr(value, "__module__", None) == name):
                setattr(module, key, ours[id(value)])
    vars(sys.modules[name]).update(vars(new))


def report(line: str) -> None:
    """Write a line where the tests' own output does not go."""
    os.write(REPORT, f"{line}\n".encode())


def path_of(name: str) -> Path:
    """Give the file of a module."""
    return ROOT / "src" / "anyofk" / "stats" / f"{name}.py"


def changed(name: str) -> Iterator[Mutant]:
    """Yield the mutants of a module that a run could tell from it."""
    source = plain_source(name)
    tuned = [line for line in source.splitlines() if line.split(" = ")[0] in TUNING]
    words = {node.value for node in ast.walk(ast.parse(source)) if is_for_readers(node)}
    seen = {source}
    for mutant in mutants(source):
        lost = [w for w in words if repr(w) in source and repr(w) not in mutant.source]
        kept = all(line in mutant.source.splitlines() for line in tuned)
        if mutant.source not in seen and kept and not lost:
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
    """Whether all tests pass in a process that has loaded this source as the module."""

    def tested() -> int:
        limit()
        for loaded in [each for each in sys.modules if each.split(".")[0] in {"anyofk", *OWN}]:
            del sys.modules[loaded]
        sys.meta_path.insert(0, Finder(f"anyofk.stats.{name}", source))
        return run_tests(name)

    return forked(tested) == 0


def forked(work: Callable[[], int]) -> int:
    """Do something in a forked process; give its exit code, or 1 if it was stopped."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def limit() -> None:
    """Bound the CPU time and the memory of this process; a mutant may need any amount."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run_tests(name: str, *plugins: Any) -> int:
    """Run the module's tests, silently, until the first fails; give pytest's exit code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        files = [f"tests/stats/test_stats_{test}.py" for test in ("defaults", *TESTS[name])]
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded
        return int(pytest.main([*options, "--hypothesis-seed=0", *files], plugins=list(plugins)))


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
