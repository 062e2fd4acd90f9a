"""The forked child: from the first instruction after fork to the last before exit.

Everything here is done once per job, and every page that it touches is paid for: it
makes few calls and few objects.
"""

from __future__ import annotations

import os
import resource
import socket
import struct
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from anyofk.sandbox import kernel
from anyofk.sandbox.job import Job, open_channel, pipe_writer
from anyofk.sandbox.wire import LENGTH, Inbox, Request, send_frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyofk.sandbox.cells import Cell

JOBS_FD: Final = 3
GO_FD: Final = 4
RULES_FD: Final = 5
PID: Final = struct.Struct("<i")

_START: Final = struct.Struct("<IHBx4qI")
_SIZE: Final = struct.Struct("<I")
_TWO: Final = struct.Struct("<ii")
_RESIDENT: Final = 1
_MB: Final = 1 << 20
_CPU_MARGIN_S: Final = 2  # the warden's clock is exact; the kernel's limit is the safety net
_CHUNK: Final = 1 << 16
_FIRST: Final = 1 << 13
_RIGHTS: Final = socket.CMSG_SPACE(8)
_ENDLESS: Final = 1 << 62
_REHEARSALS: Final = 20
# Bound once: a child that looks them up touches the pages of their modules.
_CLOSED: Final = int(socket.MSG_CMSG_CLOEXEC)
_set_limit = resource.setrlimit
_MEMORY, _OUTPUT, _CPU = resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU
_FILES, _PROCESSES = resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC
_LIMITED: Final = {
    resource.RLIMIT_AS: "memory",
    resource.RLIMIT_FSIZE: "output",
    resource.RLIMIT_NOFILE: "files",
    resource.RLIMIT_NPROC: "processes",
}


@dataclass
class Streams:
    """Descriptors that become a child's standard input, output and error."""

    stdin: int
    stdout: int
    stderr: int

    def take(self) -> None:
        """Make them this process's own."""
        os.dup2(self.stdin, 0)
        os.dup2(self.stdout, 1)
        os.dup2(self.stderr, 2)


class Ceilings(NamedTuple):
    """What this process's own hard limits allow: no child can be given more."""

    memory: int
    output: int
    files: int
    processes: int


def ceilings() -> Ceilings:
    """Read them once."""
    hard = (resource.getrlimit(name)[1] for name in _LIMITED)
    return Ceilings(*(_ENDLESS if limit == resource.RLIM_INFINITY else limit for limit in hard))


def pack_start(request: Request, most: Ceilings, mapped_mb: float, counted: int) -> bytes:
    """Lay out what a child is told before its body begins; sizes in bytes, -1: no limit.

    The size of the whole, the body, flags, memory, output, files, processes, CPU seconds;
    then the payload, which a resident gets later. Memory is the address space that a child
    may have; for a resident, what is mapped before its jobs, each of which has a limit of its own.
    """
    resident = bool(request.resident)
    memory = int(mapped_mb + (0 if resident else request.memory_mb)) * _MB
    payload = b"" if resident else request.payload
    start = (
        _START.size + len(payload),
        request.body,
        _RESIDENT if resident else 0,
        min(memory, most.memory),
        min(request.output_mb * _MB, most.output),
        min(request.files, most.files),
        min(request.processes + counted, most.processes) if counted >= 0 else -1,
        0 if resident else int(request.cpu_s) + _CPU_MARGIN_S,
    )
    return _START.pack(*start) + payload


def settle(jobs: int, go: int, rules: int) -> None:
    """Put the template's few descriptors where they belong, and close all others."""
    os.dup2(jobs, JOBS_FD, inheritable=False)
    os.dup2(go, GO_FD, inheritable=False)
    if rules >= 0:
        os.dup2(rules, RULES_FD, inheritable=False)
    kernel.close_from(RULES_FD + (rules >= 0))


def hear(jobs: socket.socket) -> tuple[bytes, tuple[Any, ...]]:
    """Read what to do, in full; and its descriptors."""
    data, ancillary, _, _ = jobs.recvmsg(_FIRST, _RIGHTS, _CLOSED)
    whole = _SIZE.unpack_from(data)[0]
    if len(data) < whole:
        parts = bytearray(data)
        while len(parts) < whole:
            parts += jobs.recv(min(whole - len(parts), _CHUNK))
        data = bytes(parts)
    raw = ancillary[0][2]
    return data, (_TWO if len(raw) == _TWO.size else PID).unpack(raw)


def limit(start: tuple[int, ...]) -> None:
    """Set the limits that the kernel itself enforces on one process."""
    _, _, flags, memory, output, files, processes, cpu_s = start
    if not flags:
        _set_limit(_MEMORY, (memory, memory))
    _set_limit(_OUTPUT, (output, output))
    _set_limit(_FILES, (files, files))
    if processes >= 0:
        _set_limit(_PROCESSES, (processes, processes))
    if cpu_s:  # a resident's jobs are timed one by one, from outside
        _set_limit(_CPU, (cpu_s, cpu_s + 1))


def flush() -> None:
    """Write out what the program printed; what it did to the streams is its own affair."""
    try:  # noqa: SIM105 - a context manager here costs every job a dozen page faults
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001, S110 - as the program left them
        pass
    try:  # noqa: SIM105 - as above
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001, S110 - as above
        pass


def run_body(body: Callable[[Job], None], job: Job) -> int:
    """Run a body and give the exit code that Python would."""
    code = 1
    try:
        body(job)
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:  # noqa: BLE001 - whatever it is, the child ends here
        traceback.print_exc(limit=20)
    finally:
        flush()
    return code & 0xFF


def run(jobs: socket.socket, bodies: list[Callable[[Job], None]], cell: Cell) -> NoReturn:
    """Be a child, from birth to exit."""
    code = 1
    try:
        data, rights = hear(jobs)
        own = os.getpid()
        if cell.confines:
            cell.confine(own)
        os.close(JOBS_FD)
        os.close(GO_FD)
        start = _START.unpack_from(data)
        limit(start)
        os.write(rights[0], PID.pack(own))
        code = work(bodies, start, data, rights)
    finally:
        os._exit(code)


def work(
    bodies: list[Callable[[Job], None]],
    start: tuple[int, ...],
    data: bytes,
    rights: tuple[int, ...],
) -> int:
    """Do the one job, or a resident's many."""
    _, body, flags, memory, *_ = start
    report = rights[0]
    if flags:
        return run_resident(bodies, report, memory)
    channel = open_channel(rights[1]) if len(rights) > 1 else None
    return run_body(bodies[body], Job(data[_START.size :], channel, pipe_writer(report)))


def rehearse() -> None:
    """Do a child's work in the process that will be forked, but for what is final.

    The interpreter adapts code that it runs, and fills caches: done here once, no child
    has to.
    """
    limits = {name: resource.getrlimit(name) for name in _LIMITED}
    for _ in range(_REHEARSALS):
        ours, theirs = socket.socketpair()
        reader, writer = os.pipe()
        request = Request(0, 0, 0, 1.0, 1.0, 1, 1, 1, 1, b"", b"", b"x")
        send_frame(ours, pack_start(request, ceilings(), 1.0, 1), (writer, ours.fileno()))
        data, rights = hear(theirs)
        start = _START.unpack_from(data)
        limit((0, 0, 0, *(values[1] for values in limits.values()), 0))
        for name, values in limits.items():
            resource.setrlimit(name, values)
        os.write(rights[0], PID.pack(os.getpid()))
        work([_rehearsed], start, data, rights)
        for sock in (ours, theirs):
            sock.close()
        for descriptor in (reader, writer, rights[0]):
            os.close(descriptor)


def _rehearsed(job: Job) -> None:
    """A body that does what bodies do."""
    job.report(job.payload)
    if job.channel is not None:
        job.channel.close()


def run_resident(bodies: list[Callable[[Job], None]], descriptor: int, mapped: int) -> int:
    """Do one job after another, as they come over the report descriptor."""
    link = open_channel(descriptor)
    inbox = Inbox(link)
    while True:
        taken = inbox.take()
        if taken is None:
            inbox.fill()
            continue
        request, channel, _ = taken
        code, said = _serve(bodies[request.body], request, channel, mapped)
        send_frame(link, LENGTH.pack(len(said)) + bytes((code,)) + said)


def _serve(
    body: Callable[[Job], None], request: Request, descriptor: int, mapped: int
) -> tuple[int, bytes]:
    """Do one of a resident's jobs; give its exit code and its report."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (mapped + request.memory_mb * _MB, hard))
    said = bytearray()
    channel = open_channel(descriptor) if descriptor >= 0 else None
    code = run_body(body, Job(request.payload, channel, said.extend))
    if channel is not None:
        channel.close()
    return code, bytes(said)
