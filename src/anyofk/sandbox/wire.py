"""The frames between a parent and its zygote: fixed headers, then bytes as they are."""

from __future__ import annotations

import array
import socket
import struct
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_REQUEST = struct.Struct("<QHBddIIIIIII")
_EXIT = struct.Struct("<QBBiBdddIIIII")
LENGTH = struct.Struct("<I")

HAS_CHANNEL, HAS_STDIN, WANTS_STDOUT, FORGETS = 1, 2, 4, 8
UNFIT = 1
_CHUNK = 1 << 16


class Request(NamedTuple):
    """One job on its way to a zygote."""

    job_id: int
    body: int
    flags: int
    cpu_s: float
    wall_s: float
    memory_mb: int
    output_mb: int
    processes: int
    files: int
    resident: bytes
    stdin: bytes
    payload: bytes


class Outcome(NamedTuple):
    """One ended job on its way back; ``kind`` is an index into the closed list."""

    job_id: int
    kind: int
    signal: int
    code: int
    flags: int
    cpu_s: float
    wall_s: float
    peak_mb: float
    strays: int
    report: bytes
    stdout: bytes
    stderr: bytes
    detail: bytes


def pack_request(request: Request) -> bytes:
    """Lay a job out as bytes."""
    tail = (request.resident, request.stdin, request.payload)
    return _REQUEST.pack(*request[:9], *map(len, tail)) + b"".join(tail)


def _cut(data: bytes | bytearray, start: int, lengths: tuple[int, ...]) -> list[bytes]:
    """Cut a frame's tail into its parts."""
    parts = []
    for length in lengths:
        parts.append(bytes(data[start : start + length]))
        start += length
    return parts


def pack_outcome(outcome: Outcome) -> bytes:
    """Lay an outcome out as bytes, its length first."""
    tail = outcome[9:]
    head = _EXIT.pack(*outcome[:9], *map(len, tail))
    body = head + b"".join(tail)
    return LENGTH.pack(len(body)) + body


def unpack_outcome(body: bytes) -> Outcome:
    """Read an outcome whose length has been taken off."""
    fields = _EXIT.unpack_from(body)
    return Outcome(*fields[:9], *_cut(body, _EXIT.size, fields[9:]))


class Inbox:
    """Reads requests and the descriptors that travel with them, in order.

    Bytes are taken as they come, also while a job runs: a parent that posts ahead is
    never kept waiting, and a parent that is gone is noticed.
    """

    def __init__(self, sock: socket.SocketType) -> None:
        self._sock = sock
        self._data = bytearray()
        self._descriptors: deque[int] = deque()

    def fill(self) -> None:
        """Read what is there; raise EOFError when the other side has closed."""
        space = socket.CMSG_SPACE(4)
        data, ancillary, _, _ = self._sock.recvmsg(_CHUNK, space, socket.MSG_CMSG_CLOEXEC)
        if not data:
            raise EOFError
        self._data += data
        for _, _, raw in ancillary:
            self._descriptors.extend(array.array("i", raw[: len(raw) // 4 * 4]))

    def take(self) -> tuple[Request, int, bytes] | None:
        """Give the next whole request, its descriptor (or -1) and its bytes."""
        if len(self._data) < _REQUEST.size:
            return None
        fields = _REQUEST.unpack_from(self._data)
        end = _REQUEST.size + sum(fields[9:])
        if len(self._data) < end:
            return None
        frame = bytes(self._data[:end])
        del self._data[:end]
        request = Request(*fields[:9], *_cut(frame, _REQUEST.size, fields[9:]))
        channel = self._descriptors.popleft() if request.flags & HAS_CHANNEL else -1
        return request, channel, frame


def send_frame(sock: socket.SocketType, data: bytes, descriptors: Sequence[int] = ()) -> None:
    """Send a frame whole; descriptors travel with its first byte."""
    if not descriptors:
        sock.sendall(data)
        return
    rights = array.array("i", descriptors)
    sent = sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    if sent < len(data):
        sock.sendall(memoryview(data)[sent:])


def receive_exactly(sock: socket.socket, length: int) -> bytes:
    """Read a number of bytes; raise EOFError when the other side closes before."""
    data = bytearray()
    while len(data) < length:
        chunk = sock.recv(min(length - len(data), _CHUNK))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)
