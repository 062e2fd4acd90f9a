"""A child that stays and serves one job after another, each with limits of its own."""

from __future__ import annotations

import os
import signal
import socket
import time
from typing import TYPE_CHECKING

from anyofk.sandbox import kernel
from anyofk.sandbox.forking import Ended, Nest, reap
from anyofk.sandbox.job import REPORT_LIMIT
from anyofk.sandbox.template import Template, read_pid
from anyofk.sandbox.watching import Control, Watch
from anyofk.sandbox.wire import LENGTH, send_frame

if TYPE_CHECKING:
    from anyofk.sandbox.records import Kind
    from anyofk.sandbox.wire import Request

_HEAD = LENGTH.size + 1
_SHORT = 1 << 12  # bytes that always fit an empty socket
_SOON_S = 0.02


class Resident:
    """The living child of one key."""

    def __init__(self, template: Template, request: Request) -> None:
        self.key = request.resident
        self.link, theirs = socket.socketpair()
        template.start(request, theirs.fileno(), -1)
        theirs.close()
        self.pid = read_pid(self.link.fileno())
        self.pidfd = os.pidfd_open(self.pid)
        self.link.settimeout(0)
        self.peak_mb = 0.0

    def close(self) -> None:
        """Let go of the descriptors."""
        self.link.close()
        os.close(self.pidfd)


class Residents:
    """At most one living child; it is replaced when the key changes or after a kill."""

    def __init__(self, nest: Nest, control: Control) -> None:
        self._nest, self._control = nest, control
        self._living: Resident | None = None

    def end(self) -> None:
        """End the living child, if there is one."""
        if self._living is not None:
            signal.pidfd_send_signal(self._living.pidfd, signal.SIGKILL)
            os.waitpid(self._living.pid, kernel.WAIT_ALL)
            self._forget()

    def _forget(self) -> None:
        """Let go of a child that is dead."""
        if self._living is not None:
            self._living.close()
            self._nest.sweep(self._living.pid)
            self._living = None

    def run(self, request: Request, channel: int, frame: bytes) -> Ended:
        """Have one job done by the child of its key."""
        started = time.monotonic()
        if self._living is not None and self._living.key != request.resident:
            self.end()
        if self._living is None:
            self._living = Resident(self._nest.template, request)
        living = self._living
        watch = Watch(self._nest.cell.table, living.pid, request, started)
        over = self._hand_over(living, request, frame, (channel,) if channel >= 0 else ())
        if channel >= 0:
            os.close(channel)  # or the other side would not see the child's end
        self._control.add(living.pidfd, living.link.fileno())
        answer, over = self._follow(living, watch, over)
        self._control.remove(living.pidfd, living.link.fileno())
        return self._finish(living, watch, answer, over)

    @staticmethod
    def _hand_over(
        living: Resident, request: Request, frame: bytes, channel: tuple[int, ...]
    ) -> Kind | None:
        """Give the child its job."""
        long = len(frame) > _SHORT
        if long:
            living.link.settimeout(request.wall_s)
        try:
            send_frame(living.link, frame, channel)
        except TimeoutError:
            return "wall"
        except OSError:
            pass  # it is dead: the pidfd says so next
        if long:
            living.link.settimeout(0)
        return None

    def _follow(
        self, living: Resident, watch: Watch, over: Kind | None
    ) -> tuple[bytes | None, Kind | None]:
        """Wait for an answer, an end or a limit."""
        data = bytearray()
        while over is None:
            ready = self._control.wait(watch.next_s)
            if living.link.fileno() in ready and _take_in(living.link, data):
                return bytes(data), None
            if living.pidfd in ready:
                return None, None
            over = watch.exceeded() if watch.due() else None
        return None, over

    def _finish(
        self, living: Resident, watch: Watch, answer: bytes | None, over: Kind | None
    ) -> Ended:
        """Keep a child that answered; bury one that did not."""
        if answer is not None:
            ended = Ended("done", wall_s=watch.elapsed_s(), cpu_s=watch.cpu_s())
            if ended.wall_s > _SOON_S or not living.peak_mb:  # in less time little is taken
                living.peak_mb = self._nest.cell.table.resident_mb(living.pid)
            ended.peak_mb = living.peak_mb
            ended.code, ended.report = answer[LENGTH.size], answer[_HEAD:]
            return ended
        cpu_s = watch.cpu_s()
        if over is not None:
            signal.pidfd_send_signal(living.pidfd, signal.SIGKILL)
        ended = reap(over, watch)
        ended.cpu_s = cpu_s if over is not None else ended.cpu_s
        self._forget()
        return ended


def _take_in(link: socket.socket, data: bytearray) -> bool:
    """Read part of an answer; say whether it is whole."""
    try:
        data += link.recv(_HEAD + REPORT_LIMIT)
    except OSError:
        return False
    if len(data) < _HEAD:
        return False
    whole: int = _HEAD + min(LENGTH.unpack_from(data)[0], REPORT_LIMIT)
    return len(data) >= whole
