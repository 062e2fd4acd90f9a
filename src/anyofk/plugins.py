"""Plug-in doors: plain entry points, loaded by name on use."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from anyofk.errors import PluginError, UsageError

DOORS: Final = ("problems", "providers", "verifiers", "sandboxes", "selectors")


def names(door: str) -> list[str]:
    """List what stands behind a door, sorted; nothing is loaded.

    Examples
    --------
    >>> "basics" in names("problems")
    True
    """
    return sorted(_entries(door))


def load(door: str, name: str) -> Any:
    """Load one plug-in by its name.

    Raises
    ------
    PluginError
        The name is unknown, or its distribution does not load.
    """
    entries = _entries(door)
    if name not in entries:
        raise _unknown(door, name, sorted(entries))
    entry = entries[name]
    try:
        return entry.load()
    except Exception as error:
        raise PluginError(
            f"{door} plug-in {name!r} of {_owner(entry)} does not load: {error}",
            hint="reinstall or remove that distribution; the other plug-ins still work",
            door=door,
            name=name,
        ) from error


def _entries(door: str) -> dict[str, EntryPoint]:
    if door not in DOORS:
        raise UsageError(f"no plug-in door called {door!r}", hint=f"doors: {', '.join(DOORS)}")
    return {entry.name: entry for entry in entry_points(group=f"anyofk.{door}")}


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value


def _unknown(door: str, name: str, known: list[str]) -> PluginError:
    close = get_close_matches(name, known, n=1)
    return PluginError(
        f"no {door} called {name!r} (known: {', '.join(known) or 'none'})",
        hint=f"did you mean {close[0]!r}?" if close else f"install a package that brings {name!r}",
        door=door,
        name=name,
    )
