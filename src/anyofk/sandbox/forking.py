"""One job in one forked child: begin it, follow it, collect what it was."""

from __future__ import annotations

import os
import signal
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anyofk.errors import SandboxError
from anyofk.sandbox import child, kernel
from anyofk.sandbox.watching import Control, Watch, reap_orphans

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyofk.sandbox.cells import Cell
    from anyofk.sandbox.job import Job
    from anyofk.sandbox.records import Kind
    from anyofk.sandbox.wire import Request

_BY_SIGNAL: Final[dict[int, Kind]] = {
    signal.SIGXCPU: "cpu",
    signal.SIGXFSZ: "output",
    signal.SIGSYS: "forbidden",
}


@dataclass
class Nest:
    """What a zygote has ready for every child."""

    bodies: list[Callable[[Job], None]]
    space: child.Space
    cell: Cell


@dataclass
class Ended:
    """How a child ended, as the zygote saw it."""

    kind: Kind
    signal: int = 0
    code: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mb: float = 0.0
    strays: int = 0
    report: bytes = b""
    detail: str = ""


def drain(descriptor: int) -> bytes:
    """Read what is in a pipe without waiting."""
    parts = []
    try:
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
    except BlockingIOError:
        pass
    return b"".join(parts)


def reap(pid: int, over: Kind | None, watch: Watch) -> Ended:
    """Collect what the kernel says about a child that is dead or dying."""
    _, status, used = os.wait4(pid, 0)
    ended = Ended(over or "done", wall_s=watch.elapsed_s())
    ended.cpu_s = used.ru_utime + used.ru_stime
    ended.peak_mb = used.ru_maxrss / 1024
    if os.WIFSIGNALED(status):
        ended.signal = os.WTERMSIG(status)
        ended.kind = over or _BY_SIGNAL.get(ended.signal, "signal")
    else:
        ended.code = os.WEXITSTATUS(status)
    return ended


def run_once(nest: Nest, control: Control, request: Request, channel: int) -> Ended:
    """Fork a child for one job, wait for it, kill it if need be, leave nothing behind."""
    reader, writer = os.pipe2(os.O_CLOEXEC)
    pid = kernel.fork()
    if pid == 0:
        _begin(nest, request, writer, channel)
    os.close(writer)
    if channel >= 0:
        os.close(channel)  # or the other side would not see the child's end
    os.set_blocking(reader, False)
    ended = _follow(nest, control, request, pid, reader)
    ended.strays += nest.cell.sweep(pid)
    said = ended.report + drain(reader)
    os.close(reader)
    if ended.kind == "done" and not said:
        raise SandboxError("a child ended before its body began")  # never the body's doing
    ended.report = said[len(child.BEGUN) :]
    return ended


def _begin(nest: Nest, request: Request, writer: int, channel: int) -> None:
    """Be the child; never returns."""
    try:
        nest.cell.confine(os.getpid())  # first: what it needs open is closed next
        child.become(nest.space, writer, channel)
        child.limit(request, nest.space)
        child.run_once(nest.bodies[request.body], request, channel >= 0)
    except BaseException:  # noqa: BLE001 - our own fault: the zygote's log must have it
        traceback.print_exc()
    finally:
        os._exit(1)


def _follow(nest: Nest, control: Control, request: Request, pid: int, reader: int) -> Ended:
    """Watch a child to its end."""
    pidfd = os.pidfd_open(pid)
    watch = Watch(nest.cell.table, pid, request)
    over, said, strays = None, b"", 0
    control.add(pidfd)
    while pidfd not in control.wait(watch.next_s) and over is None:
        if not watch.due():
            continue
        said += drain(reader)
        strays += reap_orphans(pid)
        over = watch.exceeded() or ("output" if nest.cell.overfull() else None)
    control.remove(pidfd)
    if over is not None:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)
    ended = reap(pid, over, watch)
    ended.report, ended.strays = said, strays
    return ended
