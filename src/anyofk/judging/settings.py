"""Settings of a judging: what may move a verdict beside the problem and the program."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import UsageError

SCORING_RULES: Final = 5
"""The version of the rules by which outcomes are decided; it goes up when a verdict can move."""
TIME_FACTOR: Final = 4.0
"""The derived time limit is at least this many times the reference's time."""
REFERENCE_TIME_S: Final = 60.0
"""A reference that needs more makes its problem faulty."""


@dataclass(frozen=True)
class Settings:
    """How candidates are judged.

    Attributes
    ----------
    level
        The level of the sandbox, as `anyofk.sandbox.find_level` names it.
    time_limit
        CPU seconds of one candidate (one stream, in mode ``stdio``).
    memory_mb
        MiB of all processes of one candidate together.
    output_mb
        MiB that a candidate may write.
    allow_inprocess
        Whether problems that need mode ``inprocess`` are judged, forgeably.
    """

    level: Any = "jail"
    time_limit: float = 3.0
    memory_mb: int = 1024
    output_mb: int = 16
    allow_inprocess: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.time_limit < float("inf"):
            raise UsageError(
                f"time limit must be a positive number of seconds, not {self.time_limit}",
                hint="the default is 3.0",
            )
        if self.memory_mb < 1:
            raise UsageError(
                f"memory limit must be at least 1 MiB, not {self.memory_mb}",
                hint="the default is 1024",
            )


def judging_facts(settings: Settings | None = None) -> dict[str, Any]:
    """Say all that moves verdicts and belongs in a manifest.

    Examples
    --------
    >>> sorted(judging_facts())[:3]
    ['allow_inprocess', 'interpreter', 'level']
    """
    chosen = settings or Settings()
    return {
        "level": str(chosen.level),
        "interpreter": f"{platform.python_implementation()} {platform.python_version()}",
        "scoring_rules": SCORING_RULES,
        "time_limit": chosen.time_limit,
        "time_factor": TIME_FACTOR,
        "memory_mb": chosen.memory_mb,
        "output_mb": chosen.output_mb,
        "allow_inprocess": chosen.allow_inprocess,
    }
