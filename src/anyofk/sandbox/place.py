"""A directory that the parent makes for a zygote without mounts, and takes away again."""

from __future__ import annotations

import contextlib
import os
import tempfile

from anyofk.sandbox.scratch import empty_directory


class Place:
    """One temporary directory, removed by its parent whatever became of the zygote."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="anyofk-")
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags)
        self._identity = self._identify(self._descriptor)

    @staticmethod
    def _identify(descriptor: int) -> tuple[int, int]:
        """Device and inode."""
        status = os.fstat(descriptor)
        return status.st_dev, status.st_ino

    def remove(self) -> None:
        """Empty and remove it; safe to call twice.

        It is emptied through the descriptor from its making, so that nothing else can be
        put in its place; the name goes only if it still is this directory.
        """
        if self._descriptor < 0:
            return
        empty_directory(self._descriptor, self._identity[0])
        with contextlib.suppress(OSError):
            status = os.lstat(self.path)
            if (status.st_dev, status.st_ino) == self._identity:
                os.rmdir(self.path)
        os.close(self._descriptor)
        self._descriptor = -1
