"""The level of the sandbox to judge at."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from anyofk.errors import SandboxError, UsageError

_FROM_STRONG_TO_WEAK: Final = ("vm", "jail", "fence", "limits", "none")
_LEAST: Final = "fence"


def checked_level(level: Any, allow_weak: Any) -> Any:
    """Find the level that holds here, or check that a wanted one is no weaker than allowed.

    Raises
    ------
    SandboxError
        No sandbox of the wanted level works on this machine, or it is weaker than allowed.
    """
    for name in (level, allow_weak):
        if name is not None and name not in _FROM_STRONG_TO_WEAK:
            known = ", ".join(_FROM_STRONG_TO_WEAK)
            raise UsageError(f"no level called {name!r}", hint=f"levels: {known}")
    if level is None:
        return _found(allow_weak)
    if _FROM_STRONG_TO_WEAK.index(level) > _FROM_STRONG_TO_WEAK.index(allow_weak or _LEAST):
        raise SandboxError(
            f"level {level} is weaker than {allow_weak or _LEAST}",
            hint=f"allow it by name: --allow-weak {level}",
            level=level,
        )
    return level


@cache
def _found(allow_weak: Any) -> Any:
    from anyofk.sandbox import find_level  # noqa: PLC0415 -- its self-test is for this path alone

    return find_level(allow_weak=allow_weak)


def survey() -> Any:
    """Say which level holds on this machine, what was probed, and why stronger ones do not hold."""
    from anyofk.sandbox import probe_levels  # noqa: PLC0415 -- as above

    return probe_levels()
