"""The process that children are forked from, and the warden's handle on it.

A fork makes every page of the forking process shared, and each page that it then writes
to costs it a page fault. So the process that is forked does next to nothing, and all the
work around a child is done by another one, the warden, that is never forked again. A
child is made the template's sibling: the warden is its parent and waits for it.
"""

from __future__ import annotations

import gc
import os
import socket
import traceback
from typing import TYPE_CHECKING, Final, NoReturn

from anyofk.errors import SandboxError
from anyofk.sandbox import child, kernel
from anyofk.sandbox.wire import send_frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyofk.sandbox.cells import Cell
    from anyofk.sandbox.job import Job
    from anyofk.sandbox.wire import Request

_GO: Final = b"g"


class Template:
    """The warden's handle: has children started, and starts the template again if need be."""

    def __init__(
        self, cell: Cell, bodies: list[Callable[[Job], None]], streams: child.Streams
    ) -> None:
        self._cell, self._bodies, self.streams = cell, bodies, streams
        self.mapped_mb = cell.table.mapped_mb()
        self._most = child.ceilings()
        self.pid = 0
        self._bear()

    def _bear(self) -> None:
        """Fork the template."""
        reader, self._go = os.pipe2(os.O_CLOEXEC)
        self._jobs, theirs = socket.socketpair()
        self.pid = kernel.fork()
        if self.pid == 0:
            self._live(reader, theirs.fileno())
        os.close(reader)
        theirs.close()
        self._cell.table.know(self.pid)

    def _live(self, go: int, jobs: int) -> NoReturn:
        """Be the template: fork a child for each byte, until there are no more."""
        try:
            os.setsid()
            self.streams.take()
            child.settle(jobs, go, self._cell.rules)
            self._cell.close(os.getpid())
            gc.enable()
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, child.JOBS_FD)
            while os.read(child.GO_FD, 1):
                if kernel.fork_sibling() == 0:
                    child.run(sock, self._bodies, self._cell)
        except BaseException:  # noqa: BLE001 - our own fault: the zygote's log must have it
            traceback.print_exc()
        finally:
            os._exit(1)

    def start(self, request: Request, report: int, channel: int) -> None:
        """Have a child started for a request.

        The child writes its number to its report before its body begins.
        """
        if self.pid == 0:
            self._bear()
        data = child.pack_start(request, self._most, self.mapped_mb, self._cell.counted)
        rights = (report,) if channel < 0 else (report, channel)
        try:
            os.write(self._go, _GO)
            send_frame(self._jobs, data, rights)
        except OSError as fault:
            raise SandboxError(f"the template of children is gone: {fault}") from fault

    def end(self) -> None:
        """Forget a template that was swept away; the next child starts another one."""
        if self.pid:
            os.close(self._go)
            self._jobs.close()
            self.pid = 0


def read_pid(report: int) -> int:
    """Read a new child's number from its report."""
    data = os.read(report, child.PID.size)
    if len(data) < child.PID.size:
        raise SandboxError("a child ended before its body began")  # never the body's doing
    number: int = child.PID.unpack(data)[0]
    return number
