"""What stands around a sandbox while hostile programs run in it, and whether it was touched.

Victims are laid out where the programs of the corpus look for them: files, a process, a
listening port, an abstract socket. Nothing here runs a program of the corpus.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

MARK: Final = "anyofk-corpus"
PORT: Final = 47613
"""The port of loopback that programs of the corpus try to reach."""

_VICTIM: Final = Path("/tmp") / f"{MARK}-victim"  # noqa: S108 - the programs know this name
_LOCK: Final = f"/tmp/.anyofk-surroundings-{os.getuid()}.lock"  # noqa: S108 - one for all runs of a user
_FOLDERS: Final = ("/tmp", "/var/tmp", "/dev/shm", "~", ".")  # noqa: S108 - where they would write
_SECRET: Final = "ANYOFK_CORPUS_SECRET"  # noqa: S105 - the name of a bait
_CONTENT: Final = "untouched\n"
_SUBREAPER: Final = 36
_GRACE_S: Final = 10.0
_LIMITS: Final = (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)


class Surroundings:
    """Victims and a picture of the process before; `changes` tells what is different.

    Examples
    --------
    >>> with Surroundings() as outside:
    ...     outside.changes()
    []
    """

    def __enter__(self) -> Self:
        self._turn = _take_turn()
        _adopt_orphans(yes=True)
        shutil.rmtree(_VICTIM, ignore_errors=True)
        _VICTIM.mkdir()
        (_VICTIM / "keep").write_text(_CONTENT, encoding="utf-8")
        os.environ[_SECRET] = f"{MARK}-secret"
        self._files = _marked()
        self._listeners = _listen()
        self._sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9999)"])
        self._children = _descendants()
        self._state = _state()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._sleeper.kill()
        self._sleeper.wait()
        for listener in self._listeners.values():
            listener.close()
        shutil.rmtree(_VICTIM, ignore_errors=True)
        os.environ.pop(_SECRET, None)
        _adopt_orphans(yes=False)
        os.close(self._turn)

    def changes(self) -> list[str]:
        """Say what is not as it was: one line each, for people."""
        return [*self._left_running(), *self._touched(), *self._state_changes()]

    def _left_running(self) -> list[str]:
        """Name descendants that are there and were not, once they had time to end."""
        deadline = time.monotonic() + _GRACE_S
        while (left := _descendants() - self._children) and time.monotonic() < deadline:
            time.sleep(0.05)
        lines = [f"left running: process {pid} ({_command(pid)})" for pid in sorted(left)]
        if self._sleeper.poll() is not None:
            lines.append(f"outside: a bystander process ended with {self._sleeper.returncode}")
        elif _stopped(self._sleeper.pid):
            lines.append("outside: a bystander process was stopped")
        return lines

    def _touched(self) -> list[str]:
        """Name files and sockets that were reached."""
        lines = [f"outside: {path} was written" for path in sorted(_marked() - self._files)]
        keep = _VICTIM / "keep"
        if not keep.is_file() or keep.read_text("utf-8") != _CONTENT:
            lines.append(f"outside: {keep} was changed")
        lines += [f"outside: {p} was written" for p in _VICTIM.iterdir() if p != keep]
        return lines + [
            f"outside: somebody connected to {name}"
            for name, listener in self._listeners.items()
            if _was_reached(listener)
        ]

    def _state_changes(self) -> list[str]:
        """Name what is different in this process itself."""
        now = _state()
        return [
            f"outside: {name} was {before}, is {now[name]}"
            for name, before in self._state.items()
            if now[name] != before
        ]


def _take_turn() -> int:
    """Wait until no other run on this machine uses the same names; the lock ends when closed."""
    lock = os.open(_LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def _adopt_orphans(*, yes: bool) -> None:
    """Have what loses its parent become our child, so that it is seen; Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, int(yes), 0, 0, 0)


def _marked() -> set[str]:
    """Find files with our mark in their names, where programs of the corpus would put them."""
    return {
        str(path)
        for folder in _FOLDERS
        for path in Path(folder).expanduser().resolve().glob(f"*{MARK}*")
        if path != _VICTIM
    }


def _listen() -> dict[str, socket.socket]:
    """Open the port and the abstract name that programs try; a port in use is left out."""
    listeners = {}
    for name, family, address in (
        (f"port {PORT} of loopback", socket.AF_INET, ("127.0.0.1", PORT)),
        (f"the abstract socket {MARK}-canary", socket.AF_UNIX, f"\0{MARK}-canary"),
    ):
        listener = socket.socket(family)
        try:
            listener.bind(address)
            listener.listen()
        except OSError:
            listener.close()
            continue
        listener.settimeout(0)
        listeners[name] = listener
    return listeners


def _was_reached(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _descendants() -> set[int]:
    """List the processes below this one that are alive or wait to be reaped by others."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = entry.read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.parent.name))
    found: set[int] = set()
    # Our number as /proc knows it: its pid namespace need not be ours.
    waiting = [int(Path("/proc/self").readlink().name)] if children else []
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").replace("\0", " ")[:120]
    except OSError:
        return "ended since"


def _stopped(pid: int) -> bool:
    """Whether a child of ours is stopped by a signal."""
    return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None


def _state() -> dict[str, object]:
    """Picture what a hostile program might change in its harness's process or machine."""
    return {
        "working directory": Path.cwd(),
        "host name": socket.gethostname(),
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "resource limits": [resource.getrlimit(kind) for kind in _LIMITS],
        "signal mask": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "environment": dict(os.environ),
        "open descriptors": _open_descriptors(),
        "System V objects": _system_v(),
    }


def _open_descriptors() -> int:
    table = Path("/proc/self/fd")
    return sum(1 for _ in table.iterdir()) if table.is_dir() else 0


def _system_v() -> tuple[int, ...]:
    """Count shared memory segments, semaphores and queues of the machine."""
    tables = [Path("/proc/sysvipc") / name for name in ("shm", "sem", "msg")]
    return tuple(len(t.read_bytes().splitlines()) if t.is_file() else 0 for t in tables)
