"""One job in one forked child: begin it, follow it, collect what it was."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anyofk.sandbox import kernel
from anyofk.sandbox.template import Template, read_pid
from anyofk.sandbox.watching import Control, Watch, reap_orphans

if TYPE_CHECKING:
    from anyofk.sandbox.cells import Cell
    from anyofk.sandbox.records import Kind
    from anyofk.sandbox.wire import Request

_CHUNK: Final = 1 << 16
_BY_SIGNAL: Final[dict[int, Kind]] = {
    signal.SIGXCPU: "cpu",
    signal.SIGXFSZ: "output",
    signal.SIGSYS: "forbidden",
}


@dataclass
class Nest:
    """What a warden has at hand for every child."""

    cell: Cell
    template: Template

    def sweep(self, pid: int) -> int:
        """Kill what a child left running; give how many."""
        strays = self.cell.sweep(pid)
        if strays and self.cell.sweeps_all:
            self.template.end()
        return strays


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
    os.set_blocking(descriptor, False)
    with contextlib.suppress(BlockingIOError):
        while part := os.read(descriptor, _CHUNK):
            parts.append(part)
    return b"".join(parts)


def reap(over: Kind | None, watch: Watch) -> Ended:
    """Collect what the kernel says about a child that is dead or dying."""
    _, status, used = os.wait4(watch.pid, kernel.WAIT_ALL)
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
    """Have a child do one job, wait for it, kill it if need be, leave nothing behind."""
    started = time.monotonic()
    reader, writer = os.pipe2(os.O_CLOEXEC)
    nest.template.start(request, writer, channel)
    os.close(writer)
    if channel >= 0:
        os.close(channel)  # or the other side would not see the child's end
    pid = read_pid(reader)
    watch = Watch(nest.cell.table, pid, request, started)
    ended = _follow(nest, control, watch, reader)
    ended.strays += nest.sweep(pid)
    ended.report += drain(reader)
    os.close(reader)
    return ended


def _follow(nest: Nest, control: Control, watch: Watch, reader: int) -> Ended:
    """Watch a child to its end."""
    pidfd = os.pidfd_open(watch.pid)
    over, said, strays = None, b"", 0
    control.add(pidfd)
    while pidfd not in control.wait(watch.next_s) and over is None:
        if not watch.due():
            continue
        said += drain(reader)
        strays += reap_orphans()
        over = watch.exceeded() or ("output" if nest.cell.overfull() else None)
    control.remove(pidfd)
    if over is not None:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)
    ended = reap(over, watch)
    ended.report, ended.strays = said, strays
    return ended
