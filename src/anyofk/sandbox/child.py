"""The forked child: from the first instruction after fork to the last before exit."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from anyofk.sandbox import kernel
from anyofk.sandbox.job import Job, open_channel, pipe_writer
from anyofk.sandbox.wire import LENGTH, Inbox, Request, send_frame

if TYPE_CHECKING:
    from collections.abc import Callable

BEGUN: Final = b"+"
"""Written before the body's first instruction: an end without it is our own failure."""

REPORT_FD: Final = 3
CHANNEL_FD: Final = 4
_MB: Final = 1 << 20
_CPU_MARGIN_S: Final = 2  # the zygote's clock is exact; the kernel's limit is the safety net


@dataclass
class Space:
    """What a child starts with: its standard streams and what is already in use."""

    null: int
    stdin: int
    stdout: int
    stderr: int
    mapped_mb: float
    counted: int  # processes of its user beside the child; -1: not this zygote's alone


def become(space: Space, report: int, channel: int) -> None:
    """Take the standard streams and keep nothing else of the zygote."""
    os.dup2(space.stdin, 0)
    os.dup2(space.stdout, 1)
    os.dup2(space.stderr, 2)
    os.dup2(report, REPORT_FD, inheritable=False)
    if channel >= 0:
        os.dup2(channel, CHANNEL_FD, inheritable=False)
    kernel.close_from(CHANNEL_FD + (channel >= 0))


def limit(request: Request, space: Space) -> None:
    """Set the limits that the kernel itself enforces on one process."""
    set_limit = resource.setrlimit
    memory = int(request.memory_mb + space.mapped_mb) * _MB
    set_limit(resource.RLIMIT_AS, (memory, memory))
    size = request.output_mb * _MB
    set_limit(resource.RLIMIT_FSIZE, (size, size))
    set_limit(resource.RLIMIT_NOFILE, (request.files, request.files))
    if space.counted >= 0:
        processes = request.processes + space.counted
        set_limit(resource.RLIMIT_NPROC, (processes, processes))
    if not request.resident:  # a resident's jobs are timed one by one, from outside
        seconds = int(request.cpu_s) + _CPU_MARGIN_S
        set_limit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def flush() -> None:
    """Write out what the program printed; what it did to the streams is its own affair."""
    for name in ("stdout", "stderr"):
        with contextlib.suppress(BaseException):  # a hostile stream may raise anything
            getattr(sys, name).flush()


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


def run_once(body: Callable[[Job], None], request: Request, has_channel: bool) -> NoReturn:  # noqa: FBT001 - one caller
    """Do one job and end."""
    code = 1
    try:
        gc.enable()
        channel = open_channel(CHANNEL_FD) if has_channel else None
        os.write(REPORT_FD, BEGUN)
        code = run_body(body, Job(request.payload, channel, pipe_writer(REPORT_FD)))
    finally:
        os._exit(code)


def run_resident(bodies: list[Callable[[Job], None]], mapped_mb: float) -> NoReturn:
    """Do one job after another, as they come over the report descriptor."""
    try:
        gc.enable()
        link = open_channel(REPORT_FD)
        inbox = Inbox(link)
        while True:
            taken = inbox.take()
            if taken is None:
                inbox.fill()
                continue
            request, descriptor, _ = taken
            code, said = _serve(bodies[request.body], request, descriptor, mapped_mb)
            send_frame(link, LENGTH.pack(len(said)) + bytes((code,)) + said)
    finally:
        os._exit(1)


def _serve(
    body: Callable[[Job], None], request: Request, descriptor: int, mapped_mb: float
) -> tuple[int, bytes]:
    """Do one of a resident's jobs; give its exit code and its report."""
    memory = int(request.memory_mb + mapped_mb) * _MB
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        memory = min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
    said = bytearray()
    channel = open_channel(descriptor) if descriptor >= 0 else None
    code = run_body(body, Job(request.payload, channel, said.extend))
    if channel is not None:
        channel.close()
    return code, bytes(said)
