"""What the processes of a job have used, read from a process table."""

from __future__ import annotations

import os
import time
from typing import Final, NamedTuple

_PAGE_MB: Final = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
_ASSUMED_MB: Final = 256.0  # where a system tells nobody: macOS
_TICK_S: Final = 1.0 / os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What all processes of a job use together."""

    memory_mb: float
    cpu_s: float


def cpu_clock(pid: int) -> float:
    """CPU seconds of a process so far, needing no process table; 0 when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def open_own_memory() -> int:
    """Open this process's memory figures while its /proc can still be seen; -1 without one."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def host_table() -> ProcessTable:
    """The host's process table, if it is the one of our own pid namespace."""
    try:
        fits = os.readlink("/proc/self") == str(os.getpid())
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        table = os.open("/proc", flags) if fits else -1
    except OSError:
        table = -1
    return ProcessTable(table, open_own_memory(), private=False)


class ProcessTable:
    """A procfs seen through an open directory, or none (-1)."""

    def __init__(self, descriptor: int, own_memory: int, *, private: bool) -> None:
        self._descriptor, self._own_memory = descriptor, own_memory
        self._private = private
        self._own = os.getpid()
        self._known = {self._own}
        self._base_mb = self.resident_mb(self._own)

    def _read(self, name: str) -> bytes:
        """Read a small file of the table; empty when its process has gone."""
        if self._descriptor < 0:
            return b""
        try:
            file = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._descriptor)
        except OSError:
            return b""
        try:
            return os.read(file, 4096)
        except OSError:
            return b""
        finally:
            os.close(file)

    def mapped_mb(self) -> float:
        """Address space that this process has mapped."""
        if self._own_memory < 0:
            return _ASSUMED_MB
        return int(os.pread(self._own_memory, 100, 0).split()[0]) * _PAGE_MB

    def strangers(self) -> bool:
        """Say whether this process has children besides the template.

        A process whose parent ends becomes a child of the first process of its namespace,
        so that after a job this sees all that the job left. An ordinary wait would not:
        a program can make children for us that no ordinary wait tells of.
        """
        children = self.children()
        if not children:  # not even the template: this kernel does not keep the list
            return bool(self.pids(0))
        return any(child not in self._known for child in children)

    def children(self) -> list[int]:
        """List our own children, as far as the kernel does."""
        return [int(n) for n in self._read(f"{self._own}/task/{self._own}/children").split()]

    def know(self, template: int) -> None:
        """Leave the template out, which is no job's process."""
        self._known = {self._own, template}

    def resident_mb(self, pid: int) -> float:
        """Memory of a process that is in use."""
        fields = self._read(f"{pid}/statm").split()
        return int(fields[1]) * _PAGE_MB if fields else 0.0

    def pids(self, first: int) -> list[int]:
        """The processes of a job: in a table of our own, all but ours."""
        if not self._private or self._descriptor < 0:
            return [first]
        names = os.listdir(self._descriptor)
        return [int(name) for name in names if name.isdecimal() and int(name) not in self._known]

    def _cpu_s(self, pid: int) -> float:
        """CPU time of a process and of its children that it has waited for."""
        _, _, tail = self._read(f"{pid}/stat").rpartition(b")")
        fields = tail.split()
        return sum(map(int, fields[11:15])) * _TICK_S if fields else 0.0

    def usage(self, first: int, pids: list[int]) -> Usage:
        """Add up what is used beyond the memory that every child starts with.

        A program that a process started is another one, and has less than that.
        """
        extra = (max(0.0, self.resident_mb(pid) - self._base_mb) for pid in pids)
        others = (self._cpu_s(pid) for pid in pids if pid != first)
        cpu = max(cpu_clock(first), self._cpu_s(first)) + sum(others)
        return Usage(sum(extra), cpu)

    def delay_s(self, pids: list[int]) -> float:
        """The longest time that one thread of the job was ready and had to wait for a CPU."""
        delays = [0.0]
        for pid in pids:
            threads = self._threads(pid)
            rows = (self._read(f"{pid}/task/{thread}/schedstat").split() for thread in threads)
            delays += [int(row[1]) / 1e9 for row in rows if len(row) > 1]
        return max(delays)

    def _threads(self, pid: int) -> list[str]:
        """The threads of a process."""
        try:
            task = os.open(f"{pid}/task", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._descriptor)
        except OSError:
            return []
        try:
            return os.listdir(task)
        finally:
            os.close(task)
