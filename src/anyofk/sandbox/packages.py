"""Finding installed packages, and what they need, for programs to import.

For the parent alone: a zygote is told what was found.
"""

from __future__ import annotations

import contextlib
import importlib.util
import re
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anyofk.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Mapping

_REQUIREMENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def package_paths(names: tuple[str, ...]) -> dict[str, str]:
    """Find the files of packages, and of all that they need, in the running environment.

    Parameters
    ----------
    names : tuple of str
        Names as they are imported.

    Returns
    -------
    dict
        The path of each file or directory to show, by its name.

    Raises
    ------
    SandboxError
        If a named package is not installed; one that a package merely may need is left out.
    """
    found: dict[str, str] = {}
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        found |= _files(name, needed=name in names)
        waiting += _requirements(name)
    return found


def _files(name: str, *, needed: bool) -> dict[str, str]:
    """One package's directory or file, and its libraries: ``<name>.libs`` beside it."""
    try:
        path = _package_path(name)
    except SandboxError:
        if needed:
            raise
        return {}
    return {file.name: str(file) for file in (path, *path.parent.glob(f"{name}.libs"))}


def _requirements(name: str) -> list[str]:
    """What a package's distribution requires, by the names to import."""
    found = []
    for line in _metadata(name) or ():
        words = _REQUIREMENT.match(line)
        if words and "extra ==" not in line:
            found += _import_names(words.group())
    return found


def _metadata(name: str) -> list[str] | None:
    """The requirement lines of the distribution that a name is imported from."""
    owners = [name, *_distributions().get(name, ())]
    for owner in owners:
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.requires(owner)
    return None


def _import_names(distribution: str) -> list[str]:
    """The names to import from a distribution, if it is installed."""
    wanted = _normal(distribution)
    every = _distributions().items()
    return [name for name, owners in every if wanted in map(_normal, owners)]


def _normal(distribution: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Which distributions each top-level name comes from."""
    return metadata.packages_distributions()


def _package_path(name: str) -> Path:
    """Find one package's directory, or a module's file."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise SandboxError(
            f"package {name!r} is not installed here, so a sandbox cannot offer it",
            hint=f"pip install {name}",
            package=name,
        )
    places = list(spec.submodule_search_locations or ())
    return Path(places[0] if places else str(spec.origin)).resolve()
