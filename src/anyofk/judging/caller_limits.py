"""Limits that the caller of this process has set, and that no child can lift."""

from __future__ import annotations

import resource
from typing import Final

from anyofk.errors import SandboxError
from anyofk.judging.settings import Settings

_INTERPRETER_MB: Final = 512
_MB: Final = 1 << 20


def refuse_narrow_limits(settings: Settings) -> None:
    """Refuse limits of the caller (``ulimit``) under which right programs would fail.

    Raises
    ------
    SandboxError
        Candidates would die of the caller's limit before they reach their own.
    """
    wanted = (
        (resource.RLIMIT_AS, "-v", (settings.memory_mb + _INTERPRETER_MB) * _MB, _MB, "MiB"),
        (resource.RLIMIT_FSIZE, "-f", settings.output_mb * _MB, _MB, "MiB of a file"),
        (resource.RLIMIT_CPU, "-t", int(settings.time_limit) + 1, 1, "CPU seconds"),
    )
    for kind, option, needed, unit, word in wanted:
        limit = resource.getrlimit(kind)[0]
        if limit != resource.RLIM_INFINITY and limit < needed:
            raise SandboxError(
                f"a process may have {limit / unit:.0f} {word} here (ulimit {option}), "
                f"and judging under these settings needs {needed // unit}",
                hint=f"run 'ulimit {option} unlimited' before, or ask for less with "
                "--memory-mb or --time-limit",
                limit=limit,
                needed=needed,
            )
