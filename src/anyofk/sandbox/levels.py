"""Finding out which level holds on this machine, by trying."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass, field
from typing import Any, Final

from anyofk.errors import SandboxError
from anyofk.sandbox import kernel
from anyofk.sandbox.client import ELSEWHERE, Zygote
from anyofk.sandbox.records import Level, ZygoteSpec

_STRENGTH: Final[tuple[Level, ...]] = ("vm", "jail", "fence", "limits", "none")
_TRIED: Final[tuple[Level, ...]] = ("jail", "fence", "limits")
_LEAST: Final[Level] = "fence"
HINT: Final = (
    f"{ELSEWHERE}; or accept a weaker level with --allow-weak LEVEL; "
    "'anyofk doctor' shows what is missing"
)


@dataclass(frozen=True)
class Protection:
    """One row of the doctor's table."""

    name: str
    how: str
    holds: bool | None
    remedy: str = ""


@dataclass(frozen=True)
class Survey:
    """What this machine offers.

    ``refused`` says for each stronger level why it does not work here.
    """

    level: Level
    probes: dict[str, bool]
    refused: dict[str, str]
    facts: dict[str, Any] = field(default_factory=dict)
    rows: tuple[Protection, ...] = ()


_HOW: Final[dict[str, tuple[str, str]]] = {
    "network": ("network namespace, seccomp", "seccomp"),
    "host files": ("root of its own on tmpfs, Landlock", "Landlock"),
    "runtime read-only": ("read-only mounts, Landlock", "Landlock"),
    "packages": ("empty mounts over site-packages", "Landlock"),
    "privileges": ("throw-away user or user namespace, no_new_privs", "no_new_privs"),
    "signals": ("pid namespace", "seccomp filter of each child"),
    "ipc": ("ipc namespace, seccomp", "seccomp"),
    "descriptors": ("close_range", "close_range"),
    "memory": ("RLIMIT_AS; a watchdog over all processes", "RLIMIT_AS; no processes"),
    "processes": ("RLIMIT_NPROC of a user of its own; pid namespace swept", "seccomp: none"),
    "ptrace": ("seccomp kills", "seccomp kills"),
    "namespaces": ("seccomp kills", "seccomp kills"),
    "cpu time": ("clock of all processes; RLIMIT_CPU", "process clock; RLIMIT_CPU"),
    "wall time": ("killed through a pidfd", "killed through a pidfd"),
    "output": ("RLIMIT_FSIZE", "RLIMIT_FSIZE"),
    "leftovers": ("tmpfs emptied, all processes killed", "directory emptied"),
}


def _try(level: Level) -> dict[str, bool]:
    """Start a zygote of a level, which probes itself; give what held."""
    with Zygote.start(ZygoteSpec(level=level)) as zygote:
        return zygote.hello.held


def probe_levels() -> Survey:
    """Find the strongest level that passes its self-test here.

    ``vm`` can't be seen from inside: whoever runs us in a virtual machine made for it
    (gVisor, Kata) says so with ``ANYOFK_VM=1``, and is believed.
    """
    refused: dict[str, str] = {}
    for level in _TRIED:
        try:
            held = _try(level)
        except SandboxError as fault:
            refused[level] = fault.message
            continue
        stated: Level = "vm" if os.environ.get("ANYOFK_VM") == "1" else level
        return Survey(stated, held, refused, _facts(level), _rows(level, held))
    return Survey("none", {}, refused, _facts("none"), _rows("none", {}))


def find_level(*, allow_weak: Level | None = None) -> Level:
    """The level to run at: the strongest that holds, if that is enough.

    Parameters
    ----------
    allow_weak : str, optional
        The weakest level that is acceptable; without it ``fence``.

    Raises
    ------
    SandboxError
        If only weaker levels hold here.
    """
    survey, least = probe_levels(), allow_weak or _LEAST
    if _STRENGTH.index(survey.level) <= _STRENGTH.index(least):
        return survey.level
    reasons = "; ".join(f"{level}: {reason}" for level, reason in survey.refused.items())
    raise SandboxError(
        f"no sandbox of level {least} or better works here ({reasons})",
        hint=HINT,
        level=survey.level,
        refused=survey.refused,
    )


def _rows(level: Level, held: dict[str, bool]) -> tuple[Protection, ...]:
    """The table: each protection, how it is made, whether the probe showed it."""
    rows = []
    for name, (jailed, fenced) in _HOW.items():
        how = {"jail": jailed, "fence": fenced}.get(level, "")
        rows.append(
            Protection(name, how or "not at this level", held.get(name), "" if how else HINT)
        )
    return tuple(rows)


def _facts(level: Level) -> dict[str, Any]:
    """What the level rests on."""
    linux = sys.platform == "linux"
    return {
        "inner": level,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "user": os.geteuid(),
        "landlock_abi": kernel.landlock_abi() if linux else 0,
        "user_namespaces": _read("/proc/sys/user/max_user_namespaces"),
        "apparmor_userns_limit": _read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
    }


def _read(path: str) -> int | None:
    """Read a number that the kernel tells, if it does."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
