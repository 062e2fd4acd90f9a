"""Framed JSON over a connected socket: four bytes of length, then the message."""

from __future__ import annotations

import socket
import struct
from typing import Final

from anyofk.judging.codec import CodecError, Json, dumps, loads

MAX_FRAME: Final = 32 << 20
_CHUNK: Final = 1 << 13
_LENGTH: Final = struct.Struct("<I")


class ChannelClosed(BaseException):
    """The other side is gone; no test may swallow this as an ordinary exception."""


class UnfitMessage(BaseException):
    """The other side sent what is no message, or not one that fits here."""


class Channel:
    """One side of a conversation."""

    def __init__(self, connection: socket.SocketType) -> None:
        self._socket = connection
        self._waiting = b""

    def is_open(self) -> bool:
        """Wait until the other side sends something, or ends."""
        if not self._waiting:
            try:
                self._waiting = self._socket.recv(_CHUNK)
            except OSError:
                return False
        return bool(self._waiting)

    def send(self, message: Json) -> None:
        """Send one message."""
        self.send_frame(frame(dumps(message)))

    def send_frame(self, data: bytes) -> None:
        """Send a message that is framed already."""
        try:
            self._socket.sendall(data)
        except OSError:
            raise ChannelClosed from None

    def receive(self) -> Json:
        """Wait for one message.

        Raises
        ------
        ChannelClosed
            The other side ended.
        UnfitMessage
            What came is no message, or longer than `MAX_FRAME`.
        """
        (length,) = _LENGTH.unpack(self._take(4))
        if length > MAX_FRAME:
            raise UnfitMessage(f"the program's process sent what is no reply ({length} bytes long)")
        try:
            return loads(self._take(length))
        except CodecError as error:
            raise UnfitMessage(f"the program's process sent what is no reply ({error})") from None

    def close(self) -> None:
        """End the conversation."""
        self._socket.close()

    def _take(self, length: int) -> bytes:
        if len(self._waiting) < length:
            self._waiting = self._fill(length)
        taken, self._waiting = self._waiting[:length], self._waiting[length:]
        return taken

    def _fill(self, length: int) -> bytes:
        parts, have = [self._waiting], len(self._waiting)
        while have < length:
            try:
                part = self._socket.recv(max(_CHUNK, length - have))
            except OSError:
                part = b""
            if not part:
                raise ChannelClosed
            parts.append(part)
            have += len(part)
        return b"".join(parts)


def frame(data: bytes) -> bytes:
    """Put its length before a message."""
    return _LENGTH.pack(len(data)) + data
