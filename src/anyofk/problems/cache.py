"""The user's cache of fetched problem sets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from anyofk.fetching import cache_directory as fetched_files

_ENDINGS: Final = (".jsonl.gz", ".jsonl")


def cache_directory() -> Path:
    """Give the directory of fetched problem sets; it need not exist."""
    return fetched_files("problems")


def cached_file(name: str) -> Path | None:
    """Find the file of a fetched problem set."""
    paths = (cache_directory() / f"{name}{ending}" for ending in _ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def cached_names() -> list[str]:
    """List the problem sets in the cache, sorted."""
    directory = cache_directory()
    files = directory.iterdir() if directory.is_dir() else ()
    names = {file.name for file in files if file.name.endswith(_ENDINGS)}
    return sorted({name.removesuffix(".gz").removesuffix(".jsonl") for name in names})
