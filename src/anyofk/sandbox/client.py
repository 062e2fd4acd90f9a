"""The parent's side of a zygote: start it, post jobs, receive how they ended."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from typing import Any, Final, Self

from anyofk.errors import SandboxError
from anyofk.sandbox import runtime, wire
from anyofk.sandbox.place import Place
from anyofk.sandbox.records import KINDS, Exit, Hello, Limits, ZygoteSpec

_FLAGS: Final = ("-P", "-s", "-S", "-B", "-X", "utf8")
_PROGRAM: Final = (
    "import sys; sys.path.append(sys.argv[2]); "
    "from anyofk.sandbox.zygote import main; main(int(sys.argv[1]))"
)
_ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
ELSEWHERE: Final = (
    "run in a Linux container: docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined IMAGE anyofk ..."
)
_START_S: Final = 60.0
_END_S: Final = 5.0


class ZygoteLost(SandboxError):  # noqa: N818 - what happened, as in "connection lost"
    """A zygote that died; ``pending`` names the jobs it still had, the oldest first."""


class Zygote:
    """A started zygote.

    Jobs are done one at a time in the order posted; a few may be posted ahead. All
    methods may be called from any thread. No signal handler, event loop or thread is used.

    Examples
    --------
    >>> from anyofk.sandbox import Limits, Zygote, ZygoteSpec  # doctest: +SKIP
    >>> with Zygote.start(ZygoteSpec(bodies=("pack.module:body",))) as zygote:  # doctest: +SKIP
    ...     zygote.post(1, "pack.module:body", b"payload", Limits())
    ...     zygote.receive().kind
    'done'
    """

    def __init__(
        self, spec: ZygoteSpec, process: subprocess.Popen[bytes], sock: socket.socket, log: Any
    ) -> None:
        self.spec = spec
        self._process, self._sock, self._log = process, sock, log
        self._index = {name: i for i, name in enumerate(spec.bodies)}
        self._pending: deque[int] = deque()
        self._posting, self._receiving = threading.Lock(), threading.Lock()
        self._posted, self._unfit = 0, False
        self._place = Place() if spec.level != "jail" else None
        self.hello: Hello

    @classmethod
    def start(cls, spec: ZygoteSpec) -> Self:
        """Start a zygote and wait until it is warm.

        Raises
        ------
        SandboxError
            If the level does not work here, a package is missing or a module fails to load.
        """
        if sys.platform != "linux":
            raise SandboxError(f"no sandbox works on {sys.platform} itself", hint=ELSEWHERE)
        if spec.level == "vm":
            return cls._start_inside(spec)
        ours, theirs = socket.socketpair()
        log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the zygote
        with theirs:
            process = _spawn(theirs.fileno(), log, spec.hash_seed)
        zygote = cls(spec, process, ours, log)
        try:
            zygote.hello = zygote._greet()
        except BaseException:
            zygote.close()
            raise
        return zygote

    @classmethod
    def _start_inside(cls, spec: ZygoteSpec) -> Self:
        """Start the strongest level that works inside a virtual machine."""
        for level in ("jail", "fence"):
            with contextlib.suppress(SandboxError):
                return cls.start(dataclasses.replace(spec, level=level))
        return cls.start(dataclasses.replace(spec, level="limits"))

    def _greet(self) -> Hello:
        """Tell the zygote what it is to be, and hear that it is."""
        words = dataclasses.asdict(self.spec)
        words |= {"packages": _find_packages(self.spec.packages)}
        words |= {"sources": (runtime.source_directory(), *self.spec.sources)}
        words |= {"parent": os.getpid(), "place": self._place and self._place.path}
        data = json.dumps(words).encode()
        self._sock.settimeout(_START_S)
        try:
            self._sock.sendall(wire.LENGTH.pack(len(data)) + data)
            answer = json.loads(self._frame())
        except (EOFError, OSError) as fault:
            raise SandboxError(f"a zygote did not start: {self._last_words() or fault}") from fault
        self._sock.settimeout(None)
        if "fault" in answer:
            raise SandboxError(f"level {self.spec.level} failed: {answer['fault']}", **answer)
        return Hello(pid=self._process.pid, **answer)

    def _frame(self) -> bytes:
        """Read one frame."""
        size = wire.LENGTH.unpack(wire.receive_exactly(self._sock, wire.LENGTH.size))[0]
        return wire.receive_exactly(self._sock, size)

    def _last_words(self) -> str:
        """What a zygote wrote to standard error."""
        self._log.seek(0)
        text: str = self._log.read().decode("utf-8", "replace")
        return text.strip()[-2000:]

    def fileno(self) -> int:
        """The descriptor that is readable when `receive` will not wait."""
        return self._sock.fileno()

    @property
    def pending(self) -> tuple[int, ...]:
        """Jobs posted and not yet received, the oldest first."""
        return tuple(self._pending)

    @property
    def spent(self) -> bool:
        """True when the zygote should be replaced, once its pending jobs are received."""
        return self._unfit or self._posted >= self.spec.jobs

    def post(
        self,
        job_id: int,
        body: str,
        payload: bytes,
        limits: Limits,
        *,
        channel: int | None = None,
        resident: str | None = None,
        fresh: bool = False,
        stdin: bytes | None = None,
        want_stdout: bool = False,
    ) -> None:
        """Post a job.

        Parameters
        ----------
        job_id : int
            Comes back in the `Exit`; 0 to 2**64 - 1.
        body : str
            One of the spec's bodies.
        payload : bytes
            Given to the body as it is.
        limits : Limits
            What the job may use.
        channel : int, optional
            A stream socket's descriptor for the body; close yours after posting.
        resident : str, optional
            Have it done by a child that stays for further jobs of the same key.
        fresh : bool
            Replace the child of that key first.
        stdin : bytes, optional
            Standard input, instead of the empty one. Not for resident jobs.
        want_stdout : bool
            Give standard output back, up to ``limits.output_mb``.
        """
        flags = wire.HAS_CHANNEL * (channel is not None) | wire.HAS_STDIN * (stdin is not None)
        flags |= wire.WANTS_STDOUT * want_stdout | wire.FORGETS * fresh
        request = wire.Request(
            job_id,
            self._index[body],
            flags,
            limits.cpu_s,
            limits.wall_s,
            limits.memory_mb,
            limits.output_mb,
            limits.processes,
            limits.files,
            resident.encode() if resident is not None else b"",
            stdin or b"",
            payload,
        )
        with self._posting:
            self._send(job_id, wire.pack_request(request), () if channel is None else (channel,))

    def _send(self, job_id: int, data: bytes, channel: tuple[int, ...]) -> None:
        """Put a frame on its way."""
        self._pending.append(job_id)
        self._posted += 1
        try:
            wire.send_frame(self._sock, data, channel)
        except OSError as fault:
            raise self._lost() from fault

    def receive(self) -> Exit:
        """Wait for the oldest pending job to end.

        Raises
        ------
        ZygoteLost
            If the zygote died; its ``pending`` jobs were not done.
        """
        with self._receiving:
            try:
                outcome = wire.unpack_outcome(self._frame())
            except (EOFError, OSError) as fault:
                raise self._lost() from fault
            self._pending.remove(outcome.job_id)
        self._unfit |= bool(outcome.flags & wire.UNFIT)
        return Exit(
            outcome.job_id,
            KINDS[outcome.kind],
            outcome.signal,
            outcome.code,
            outcome.report,
            outcome.cpu_s,
            outcome.wall_s,
            outcome.peak_mb,
            outcome.stdout,
            outcome.stderr,
            outcome.strays,
            outcome.detail.decode("utf-8", "replace"),
        )

    def _lost(self) -> ZygoteLost:
        """Say that the zygote is gone, and with which jobs."""
        words = self._last_words()
        return ZygoteLost("a zygote died", pending=self.pending, detail=words)

    def close(self) -> None:
        """End the zygote and all that is in it; safe to call twice."""
        self._sock.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
        if self._place is not None:
            self._place.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _find_packages(names: tuple[str, ...]) -> dict[str, str]:
    """Find the files of packages."""
    if not names:
        return {}
    from anyofk.sandbox.packages import package_paths  # noqa: PLC0415 - its imports are dear

    return package_paths(names)


def _spawn(descriptor: int, log: Any, hash_seed: int) -> subprocess.Popen[bytes]:
    """Start the interpreter; safe with threads, as nothing of Python runs between."""
    python, source = runtime.interpreter(), runtime.source_directory()
    # An interpreter may need it to find its own library; nothing else of ours is passed on.
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - our own interpreter and program
        [python, *_FLAGS, "-c", _PROGRAM, str(descriptor), source],
        env={**_ENVIRONMENT, **kept, "PYTHONHASHSEED": str(hash_seed)},
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=log,
        cwd="/",
        start_new_session=True,
    )
