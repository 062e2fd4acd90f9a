"""Running programs where they can do no harm: a program goes in, an `Exit` comes out.

This layer knows nothing of judging. What a child runs is a body, ``body(job)``, named as
``"package.module:function"`` and imported in the zygote before its level closes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyofk.sandbox.client import Zygote, ZygoteLost
    from anyofk.sandbox.job import Job
    from anyofk.sandbox.levels import Protection, Survey, find_level, probe_levels
    from anyofk.sandbox.records import Exit, Hello, Kind, Level, Limits, ZygoteSpec

# A zygote imports this package too, and must stay small: names load on first use.
_HOMES = {
    "Exit": "records",
    "Hello": "records",
    "Job": "job",
    "Kind": "records",
    "Level": "records",
    "Limits": "records",
    "Protection": "levels",
    "Survey": "levels",
    "Zygote": "client",
    "ZygoteLost": "client",
    "ZygoteSpec": "records",
    "find_level": "levels",
    "probe_levels": "levels",
}

__all__ = [
    "Exit",
    "Hello",
    "Job",
    "Kind",
    "Level",
    "Limits",
    "Protection",
    "Survey",
    "Zygote",
    "ZygoteLost",
    "ZygoteSpec",
    "find_level",
    "probe_levels",
]


def __getattr__(name: str) -> Any:
    """Load a name from its home on first use."""
    if name not in _HOMES:
        message = f"module 'anyofk.sandbox' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"anyofk.sandbox.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
