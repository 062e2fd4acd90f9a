"""What goes into a sandbox and what comes out of it: plain data, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["vm", "jail", "fence", "limits", "none"]
"""From strong to weak: how far a program is kept from its host."""

Role = Literal["candidate", "checker"]
"""A checker runs our code on hostile data: it may not start processes."""

Kind = Literal["done", "signal", "cpu", "wall", "memory", "output", "forbidden", "overload"]
"""How a job ended; the list is closed.

``done``: the body returned or left by itself. ``signal``: killed by a signal that is not
one of the limits below. ``cpu``, ``wall``, ``memory``, ``output``: a limit. ``forbidden``:
a system call that kills. ``overload``: ten times the wall limit passed while the machine
kept the program waiting, so that the time says nothing about the program.
"""

KINDS: tuple[Kind, ...] = (
    "done",
    "signal",
    "cpu",
    "wall",
    "memory",
    "output",
    "forbidden",
    "overload",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may use, all its processes together.

    Parameters
    ----------
    cpu_s : float
        CPU seconds, user and system, of all processes.
    wall_s : float
        Wall seconds, less the time that the scheduler kept the program waiting.
    memory_mb : int
        MiB on top of what the warmed interpreter already maps.
    output_mb : int
        MiB that any one file may grow to, standard output and error included.
    processes : int
        Processes and threads at one time.
    files : int
        Open descriptors of one process.
    """

    cpu_s: float = 5.0
    wall_s: float = 5.0
    memory_mb: int = 1024
    output_mb: int = 16
    processes: int = 64
    files: int = 128


@dataclass(frozen=True, slots=True)
class ZygoteSpec:
    """What a zygote is: its level, its role and what is warm in it.

    Parameters
    ----------
    level : str
        ``jail``, ``fence``, ``limits`` or ``none``; find it with `find_level`.
    role : str
        ``candidate`` for hostile programs, ``checker`` for ours on hostile data.
    bodies : tuple of str
        Functions that jobs may name, as ``"package.module:function"``.
    sources : tuple of str
        More directories to import bodies from; programs can't import from them.
    preload : tuple of str
        Modules imported before the first fork.
    packages : tuple of str
        Top-level packages of the running environment that programs may import;
        nothing else of any site-packages directory can be seen.
    scratch_mb : int
        MiB of ``/tmp``, and as much again of ``/dev/shm``.
    inodes : int
        Files and directories in each of the two.
    jobs : int
        After so many jobs `Zygote.spent` says that the zygote should be replaced.
    hash_seed : int
        The seed of the hashes of text in programs: the order of their sets.
    """

    level: Level = "jail"
    role: Role = "candidate"
    bodies: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    scratch_mb: int = 64
    inodes: int = 4096
    jobs: int = 2000
    hash_seed: int = 0


@dataclass(frozen=True, slots=True)
class Exit:
    """How one job ended, as the zygote saw it from outside.

    ``report`` is what the body itself wrote: a hostile program can write it too.
    ``peak_mb`` is the largest resident size of one process of the job, ``strays`` the
    number of processes that were left over and killed, ``detail`` words for people.
    """

    job_id: int
    kind: Kind
    signal: int = 0
    code: int = 0
    report: bytes = b""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mb: float = 0.0
    stdout: bytes = b""
    stderr: bytes = b""
    strays: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a zygote says of itself when it is ready: which probes held, and facts."""

    level: Level
    pid: int
    python: str
    held: dict[str, bool] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
