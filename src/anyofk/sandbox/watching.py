"""Waiting for a job from outside, and deciding when it has gone over a limit."""

from __future__ import annotations

import os
import resource
import select
import time
from typing import TYPE_CHECKING, Final

from anyofk.sandbox.processes import ProcessTable, cpu_clock

if TYPE_CHECKING:
    from anyofk.sandbox.records import Kind
    from anyofk.sandbox.wire import Inbox, Request

CAP: Final = 10.0
"""Wall time over the limit is forgiven while the scheduler is to blame, up to this factor."""

_FIRST_S: Final = 0.02  # most jobs end within it and cost one poll
_SINGLE_S: Final = 0.05
_SEVERAL_S: Final = 0.01
_LEAST_S: Final = 0.001


class Control:
    """The poll set of a zygote: its parent, and the job that runs."""

    def __init__(self, inbox: Inbox, sock: int, parent: int) -> None:
        self._inbox, self._sock, self._parent = inbox, sock, parent
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        if parent >= 0:
            self._poll.register(parent, select.POLLIN)

    def add(self, *descriptors: int) -> None:
        """Wait for these too."""
        for descriptor in descriptors:
            self._poll.register(descriptor, select.POLLIN)

    def remove(self, *descriptors: int) -> None:
        """Wait for these no more."""
        for descriptor in descriptors:
            self._poll.unregister(descriptor)

    def wait(self, timeout_s: float | None) -> set[int]:
        """Give the ready descriptors of jobs; requests are taken in on the way.

        Raises EOFError when the parent has gone.
        """
        timeout = None if timeout_s is None else max(_LEAST_S, timeout_s) * 1000
        ready = {descriptor for descriptor, _ in self._poll.poll(timeout)}
        if self._parent in ready:
            raise EOFError
        if self._sock in ready:
            self._inbox.fill()
            ready.discard(self._sock)
        return ready


class Watch:
    """The limits of one running job, against what it has used."""

    def __init__(self, table: ProcessTable, pid: int, request: Request, started: float) -> None:
        self._table, self.pid, self._request = table, pid, request
        self._several = False
        self.started = started
        self._cpu_before = cpu_clock(pid) if request.resident else 0.0
        self._reaped_before = _reaped_cpu()
        self.next_s = min(_FIRST_S, request.cpu_s, request.wall_s)
        self._due = self.started + self.next_s

    def elapsed_s(self) -> float:
        """Wall time since the job began."""
        return time.monotonic() - self.started

    def cpu_s(self) -> float:
        """CPU time of the first process since the job began."""
        return cpu_clock(self.pid) - self._cpu_before

    def due(self) -> bool:
        """Say whether it is time to look, or something else woke us."""
        return time.monotonic() >= self._due

    def exceeded(self) -> Kind | None:
        """Name the limit that is exceeded, and set when to look again."""
        pids = self._table.pids(self.pid)
        self._several = len(pids) > 1
        usage = self._table.usage(self.pid, pids)
        if self._several and usage.memory_mb > self._request.memory_mb:
            return "memory"  # one process alone is held by its own address space limit
        reaped = _reaped_cpu() - self._reaped_before
        left = self._request.cpu_s - (usage.cpu_s + reaped - self._cpu_before)
        return "cpu" if left <= 0 else self._late(pids, left)

    def _late(self, pids: list[int], cpu_left: float) -> Kind | None:
        """Compare wall time, less what the scheduler took, with its limit."""
        elapsed, limit = self.elapsed_s(), self._request.wall_s
        left = limit - elapsed
        if left <= 0:
            left += self._table.delay_s(pids)
        if left <= 0:
            return "wall"
        if elapsed >= CAP * limit:
            return "overload"
        self.next_s = min(cpu_left, left, _SEVERAL_S if self._several else _SINGLE_S)
        self._due = time.monotonic() + self.next_s
        return None


def _reaped_cpu() -> float:
    """CPU time of processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reap_orphans() -> int:
    """Wait for ended processes that a job left to us; its first one an ordinary wait ignores."""
    count = 0
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return count
        if not pid:
            return count
        count += 1
