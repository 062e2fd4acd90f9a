"""Problem sets that have a name: brought by plug-ins, or fetched into the cache."""

from __future__ import annotations

from typing import Any

from anyofk import plugins
from anyofk.errors import PluginError
from anyofk.problems.cache import cached_file, cached_names
from anyofk.problems.fetch import fetchable
from anyofk.problems.problem_set import ProblemSet


def known_names() -> list[str]:
    """List the names that `read_problems` can read on this machine now, sorted.

    Sets that must be fetched first are in `fetchable` and not here.
    """
    cached = set(cached_names())
    return sorted((set(plugins.names("problems")) - set(fetchable())) | cached)


def named_set(name: str) -> ProblemSet | None:
    """Read the set of a name, or give none where no set is called so.

    Raises
    ------
    PluginError
        The plug-in does not load, or gives something else than a problem set.
    UnavailableError
        The set must be fetched first.
    """
    if name in plugins.names("problems"):
        return _from_plugin(name, plugins.load("problems", name))
    path = cached_file(name)
    if path is None:
        return None
    from anyofk.problems.read import read_file  # noqa: PLC0415  # the door itself stands above us

    return read_file(path, name=name)


def _from_plugin(name: str, make: Any) -> ProblemSet:
    problems = make() if callable(make) else make
    if isinstance(problems, ProblemSet):
        return problems
    raise PluginError(
        f"problems plug-in {name!r} gave {type(problems).__name__!r}, not a ProblemSet",
        hint="its entry point must name a function that takes nothing and returns a ProblemSet",
        door="problems",
        name=name,
    )
