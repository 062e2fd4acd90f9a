"""What a body is given: the one object that code inside a sandbox sees of it."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

REPORT_LIMIT: Final = 60 * 1024
"""Bytes of one job's report; more is cut. It fits a pipe that nobody reads meanwhile."""


class Job:
    """One job, inside the process that does it.

    Attributes
    ----------
    payload : bytes
        What the caller posted.
    channel : socket.SocketType or None
        The other end of the socket whose descriptor was posted with the job.
    """

    __slots__ = ("_left", "_write", "channel", "payload")

    def __init__(
        self, payload: bytes, channel: socket.SocketType | None, write: Callable[[bytes], object]
    ) -> None:
        self.payload = payload
        self.channel = channel
        self._write = write
        self._left = REPORT_LIMIT

    def report(self, data: bytes) -> None:
        """Tell the caller something; a candidate can too, so it proves nothing."""
        data = data[: self._left]
        self._left -= len(data)
        if data:
            self._write(data)


# The plain class below Python's own: it is made with one call, and has all that a body needs.
_Plain: Final = socket.SocketType
_FAMILY, _KIND = int(socket.AF_UNIX), int(socket.SOCK_STREAM)


def open_channel(descriptor: int) -> socket.SocketType:
    """Wrap the descriptor that came with a job."""
    return _Plain(_FAMILY, _KIND, 0, descriptor)


def pipe_writer(descriptor: int) -> Callable[[bytes], object]:
    """Write whole reports to a pipe."""

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]

    return write
