"""A zygote at work: takes requests, has them done one at a time, answers in order."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Final

from anyofk.sandbox import wire
from anyofk.sandbox.forking import Ended, Nest, run_once
from anyofk.sandbox.records import KINDS
from anyofk.sandbox.resident import Residents

if TYPE_CHECKING:
    import socket

    from anyofk.sandbox.watching import Control
    from anyofk.sandbox.wire import Request

_STDERR_KEPT: Final = 2048


def read_start(descriptor: int, limit: int) -> bytes:
    """The first bytes of a memory file."""
    size = os.lseek(descriptor, 0, os.SEEK_END)  # cheaper than asking for all that stat tells
    return os.pread(descriptor, min(size, limit), 0) if size else b""


def rewind(descriptor: int) -> None:
    """Empty a memory file that a child could write to, and go back to its start."""
    if os.lseek(descriptor, 0, os.SEEK_END):  # its end is its start where it is empty
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)


class Server:
    """The loop of a zygote."""

    def __init__(
        self, sock: socket.socket, inbox: wire.Inbox, control: Control, nest: Nest
    ) -> None:
        self._sock, self._inbox, self._control, self._nest = sock, inbox, control, nest
        self._streams = nest.template.streams
        self._residents = Residents(nest, control)

    def serve(self) -> None:
        """Work until the parent closes, or until something of a job can't be removed."""
        while True:
            taken = self._inbox.take()
            if taken is None:
                self._control.wait(None)
                continue
            request, channel, frame = taken
            self._prepare(request)
            if not self._answer(request, self._work(request, channel, frame)):
                return  # what is left of one program must not meet another

    def leave(self) -> None:
        """Take away what was made for this zygote."""
        self._nest.cell.leave()

    def _prepare(self, request: Request) -> None:
        """Empty the streams of the job before, and lay the input out."""
        rewind(self._streams.stdin)
        rewind(self._streams.stdout)
        rewind(self._streams.stderr)
        if request.stdin:
            os.pwrite(self._streams.stdin, request.stdin, 0)

    def _work(self, request: Request, channel: int, frame: bytes) -> Ended:
        """Do one job."""
        if request.resident:
            if request.flags & wire.FORGETS:
                self._residents.end()
            return self._residents.run(request, channel, frame)
        self._residents.end()
        return run_once(self._nest, self._control, request, channel)

    def _answer(self, request: Request, ended: Ended) -> bool:
        """Say what became of a job; give whether nothing is left of it."""
        limit = request.output_mb << 20 if request.flags & wire.WANTS_STDOUT else 0
        clean = self._nest.cell.clean()
        outcome = wire.Outcome(
            job_id=request.job_id,
            kind=KINDS.index(ended.kind),
            signal=ended.signal,
            code=ended.code,
            flags=0 if clean else wire.UNFIT,
            cpu_s=ended.cpu_s,
            wall_s=ended.wall_s,
            peak_mb=ended.peak_mb,
            strays=ended.strays,
            report=ended.report[: 1 << 16],
            stdout=read_start(self._streams.stdout, limit) if limit else b"",
            stderr=read_start(self._streams.stderr, _STDERR_KEPT),
            detail=ended.detail.encode("utf-8", "replace"),
        )
        self._send(wire.pack_outcome(outcome))
        return clean

    def _send(self, data: bytes) -> None:
        """Send an answer; requests are taken in while the parent is busy with others."""
        view = memoryview(data)
        writable = select.poll()
        while view:
            try:
                view = view[self._sock.send(view) :]
            except BlockingIOError:
                writable.register(self._sock, select.POLLOUT | select.POLLIN)
                if any(event & select.POLLIN for _, event in writable.poll()):
                    self._inbox.fill()
