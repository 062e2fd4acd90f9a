"""Attacks that a zygote makes on itself before it says hello, to see what holds.

Each probe is our own small attack, run in a child exactly as a judged program would be.
What a level promises is what its probes must show; nothing is believed unprobed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from typing import TYPE_CHECKING, Final

from anyofk.errors import SandboxError
from anyofk.sandbox import forking, kernel, runtime
from anyofk.sandbox.wire import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyofk.sandbox.job import Job
    from anyofk.sandbox.records import Kind
    from anyofk.sandbox.watching import Control

_SHMGET: Final = 29 if kernel.X86 else 194
_PTRACE: Final = 101 if kernel.X86 else 117
_UNSHARE: Final = 272 if kernel.X86 else 97
_GET_NO_NEW_PRIVS: Final = 39
_MEMORY_MB: Final = 64
_PROCESSES: Final = 4


def _refused(action: Callable[[], object]) -> bool:
    """Say whether an action fails."""
    try:
        action()
    except (OSError, MemoryError):
        return True
    return False


def _network() -> bool:
    """No socket to another machine."""
    return _refused(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))


def _host_files() -> bool:
    """A file outside the runtime, this very one, can't be read."""
    return _refused(lambda: os.close(os.open(__file__, os.O_RDONLY)))


def _runtime_read_only() -> bool:
    """Nothing can be written to the root or to the standard library."""
    flags = os.O_CREAT | os.O_WRONLY
    places = ("/", str(runtime.library()))
    return all(_refused(lambda p=place: os.open(f"{p}/probe", flags)) for place in places)  # type: ignore[misc]  # mypy can't type a lambda's default


def _packages() -> bool:
    """No installed package can be read but those given."""
    return not any(_readable(mask) for mask in runtime.masks())


def _readable(directory: str) -> bool:
    """Say whether any file right in a directory, or in one of its packages, opens."""
    try:
        names = os.listdir(directory)
    except OSError:
        return False
    paths = [f"{directory}/{name}{tail}" for name in names for tail in ("", "/__init__.py")]
    return any(os.path.isfile(path) and os.access(path, os.R_OK) and _opens(path) for path in paths)


def _opens(path: str) -> bool:
    """Say whether a file can be opened."""
    return not _refused(lambda: os.close(os.open(path, os.O_RDONLY)))


def _privileges() -> bool:
    """No capability is left and none can be gained."""
    return kernel.effective_capabilities() == 0 and kernel.has_no_new_privileges()


def _signals() -> bool:
    """The zygote can't be killed; were it, no hello would come."""
    try:
        os.kill(os.getppid(), signal.SIGKILL)
    except PermissionError:
        return True
    return os.getppid() == 1  # pid 1 of a namespace is deaf to its own


def _ipc() -> bool:
    """No System V shared memory, which would outlive a program."""
    return kernel.raw(_SHMGET, 0, 4096, 0o1600) < 0


def _descriptors() -> bool:
    """Nothing of the zygote is open but one descriptor, the report's."""
    return sum(not _refused(lambda n=n: os.fstat(n)) for n in range(3, 256)) == 1  # type: ignore[misc]  # as above


def _memory() -> bool:
    """An allocation over the limit fails."""
    return _refused(lambda: bytearray(4 * _MEMORY_MB << 20))


def _processes() -> bool:
    """Forking ends at the cap, or is refused at once."""
    for count in range(4 * _PROCESSES):
        try:
            pid = os.fork()
        except OSError:
            return count <= _PROCESSES
        if pid == 0:
            signal.pause()
            os._exit(0)
    return False


INSIDE: Final[dict[str, Callable[[], bool]]] = {
    "network": _network,
    "host files": _host_files,
    "runtime read-only": _runtime_read_only,
    "packages": _packages,
    "privileges": _privileges,
    "signals": _signals,
    "ipc": _ipc,
    "descriptors": _descriptors,
    "memory": _memory,
    "processes": _processes,
}

_LIMITS: Final = frozenset({"memory", "cpu time", "wall time", "output"})
_ALL: Final = frozenset(INSIDE) | _LIMITS | {"ptrace", "namespaces", "leftovers"}
PROMISED: Final = {"jail": _ALL, "fence": _ALL, "limits": _LIMITS, "none": frozenset[str]()}
"""What must hold for a level to be accepted."""


def inside(job: Job) -> None:
    """Body: run the probes that a child can judge by itself."""
    wanted = json.loads(job.payload)
    # The last one forks: it must not be followed by another.
    job.report(json.dumps({name: INSIDE[name]() for name in INSIDE if name in wanted}).encode())


def ptrace(_job: Job) -> None:
    """Body: do what kills."""
    kernel.raw(_PTRACE, 0, 0, 0, 0)


def namespaces(_job: Job) -> None:
    """Body: do what kills."""
    kernel.raw(_UNSHARE, kernel.NEW_USER)


def spin(_job: Job) -> None:
    """Body: use CPU time."""
    while True:
        pass


def sleep(_job: Job) -> None:
    """Body: use wall time."""
    time.sleep(60)


def shout(_job: Job) -> None:
    """Body: write more than the limit."""
    while True:
        os.write(1, bytes(1 << 16))


def litter(_job: Job) -> None:
    """Body: leave a file behind."""
    os.mkdir("probe")
    os.close(os.open("probe/file", os.O_CREAT | os.O_WRONLY))


_ENDS: Final[dict[str, tuple[Callable[[Job], None], Kind]]] = {
    "ptrace": (ptrace, "forbidden"),
    "namespaces": (namespaces, "forbidden"),
    "cpu time": (spin, "cpu"),
    "wall time": (sleep, "wall"),
    "output": (shout, "output"),
}
_SHORT: Final = {"cpu time": (0.01, 20.0), "wall time": (2.0, 0.01)}
BODIES: Final = [inside, litter, *(body for body, _ in _ENDS.values())]


class Examination:
    """Runs the probes of a level in a zygote that is otherwise ready."""

    def __init__(self, nest: forking.Nest, control: Control, first: int) -> None:
        self._nest, self._control, self._first = nest, control, first

    def _run(
        self,
        body: Callable[[Job], None],
        payload: bytes = b"",
        *,
        cpu_s: float = 2,
        wall_s: float = 20,
    ) -> forking.Ended:
        """Run one probe as a job."""
        index = self._first + BODIES.index(body)
        sizes = (_MEMORY_MB, 1, _PROCESSES, 64)
        request = Request(0, index, 0, cpu_s, wall_s, *sizes, b"", b"", payload)
        return forking.run_once(self._nest, self._control, request, -1)

    def _ends(self, name: str) -> bool:
        """Say whether a probe ends as it must."""
        body, kind = _ENDS[name]
        cpu_s, wall_s = _SHORT.get(name, (2.0, 20.0))
        return self._run(body, cpu_s=cpu_s, wall_s=wall_s).kind == kind

    def _leaves_nothing(self) -> bool:
        """Say whether what a program wrote is gone."""
        self._run(litter)
        cell = self._nest.cell
        return cell.clean() and not os.listdir(cell.home)

    def hold(self, level: str) -> dict[str, bool]:
        """Run all probes of a level; raise if one that it promises does not hold."""
        promised = PROMISED[level]
        wanted = json.dumps(sorted(promised)).encode()
        report = self._run(inside, wanted).report if promised else b"{}"
        held: dict[str, bool] = json.loads(report or b"{}")
        held |= {name: self._ends(name) for name in _ENDS if name in promised}
        if "leftovers" in promised:
            held["leftovers"] = self._leaves_nothing()
        failed = sorted(promised - {name for name, holds in held.items() if holds})
        if failed:
            raise SandboxError(f"self-test failed: {', '.join(failed)}", held=held)
        return held
