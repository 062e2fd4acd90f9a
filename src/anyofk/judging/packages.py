"""Which installed packages a program's process must offer beside the standard library."""

from __future__ import annotations

import importlib.util
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from typing import Final

KNOWN: Final = frozenset({"matplotlib", "numpy", "pandas", "scipy", "sklearn", "sympy"})
"""What a candidate may import unasked, where it is installed."""
PRELOADED: Final = frozenset({"numpy", "pandas"})
"""What is imported before the first fork: importing it per candidate would cost too much."""
_IMPORTS: Final = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w[\w., \t]*)", re.MULTILINE)
_ALONE: Final = frozenset({"numpy"})
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def imported(text: str, *, trusted: bool) -> frozenset[str]:
    """Find the installed packages that a text imports, with all that they need.

    Parameters
    ----------
    text
        A program or a test.
    trusted
        Whether any installed package may be named (tests, references), or only `KNOWN` ones.
    """
    if "import" not in text:
        return frozenset()
    found = frozenset(name for names in _IMPORTS.findall(text) for name in _top_level(names))
    if not trusted:
        found &= KNOWN
    return frozenset().union(*map(_with_needs, found - sys.stdlib_module_names))


def _top_level(names: str) -> list[str]:
    """The top-level packages of ``import a.b as c, d`` or ``from a.b import c``."""
    return [part.split()[0].split(".")[0] for part in names.split(",") if part.strip()]


@cache
def _with_needs(name: str) -> frozenset[str]:
    """A package and the packages of the distributions that its own requires."""
    if name == "anyofk" or name.startswith("_") or not importlib.util.find_spec(name):
        return frozenset()
    if name in _ALONE:
        return frozenset({name})
    homes = packages_distributions()
    wanted, seen = set(homes.get(name, ())), set[str]()
    while wanted:
        distribution = wanted.pop()
        seen.add(_normal(distribution))
        wanted |= {need for need in _needs(distribution) if _normal(need) not in seen}
    return frozenset({name}) | {
        package
        for package, distributions in homes.items()
        if any(_normal(d) in seen for d in distributions) and _is_offered(package)
    }


def _is_offered(package: str) -> bool:
    return package.isidentifier() and importlib.util.find_spec(package) is not None


def _needs(distribution: str) -> set[str]:
    try:
        lines = requires(distribution) or []
    except PackageNotFoundError:
        return set()
    found = (_NAME.match(line) for line in lines if "extra ==" not in line)
    return {match.group() for match in found if match}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
