"""The level of the sandbox to judge at."""

from __future__ import annotations

from typing import Any


def checked_level(level: str | None, allow_weak: str | None) -> Any:
    """Find the level that holds here, or check that a wanted one is no weaker than allowed.

    Raises
    ------
    SandboxError
        No sandbox of the wanted level works on this machine.
    """
    if level is not None:
        return level
    from anyofk.sandbox import find_level  # noqa: PLC0415 -- its self-test is for this path alone

    return find_level(allow_weak=allow_weak)


def survey() -> Any:
    """Say which level holds on this machine, what was probed, and why stronger ones do not hold."""
    from anyofk.sandbox import probe_levels  # noqa: PLC0415 -- as above

    return probe_levels()
