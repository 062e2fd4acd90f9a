"""Places that a program may write to, and making them empty again.

Deleting is dangerous, so it works from an open directory of which it is known that the
sandbox made it, never follows a link, never leaves that file system and needs no stack:
a tree may be deeper than any path name or recursion limit.
"""

from __future__ import annotations

import os
import stat
from typing import Final

from anyofk.errors import SandboxError

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ROUNDS: Final = 200_000  # entries removed at most: more than any scratch may hold


class Scratch:
    """One writable directory, known by its device and inode.

    Parameters
    ----------
    path : str
        The directory. It must be empty: a sandbox makes its own.
    mode : int
        Its permission bits, put back after every job.
    """

    def __init__(self, path: str, mode: int) -> None:
        self.descriptor = os.open(path, _DIRECTORY)
        if os.listdir(self.descriptor):
            os.close(self.descriptor)
            raise SandboxError(f"scratch directory {path} is not empty, so it is not ours")
        self.path, self._mode = path, mode
        self._owned = os.fstat(self.descriptor).st_uid == os.geteuid()
        self._device = os.fstat(self.descriptor).st_dev
        self._reset()
        self._free = os.fstatvfs(self.descriptor).f_ffree

    def _reset(self) -> None:
        """Put the directory's own attributes back, where a program could have changed them."""
        if self._owned:
            os.fchmod(self.descriptor, self._mode)
            os.utime(self.descriptor, (0, 0))
        self._stamp = os.fstat(self.descriptor).st_mtime_ns

    def touched(self) -> bool:
        """Say whether anything was made, removed or changed in it since it was last clean."""
        status = os.fstat(self.descriptor)
        return (
            status.st_mtime_ns != self._stamp
            or stat.S_IMODE(status.st_mode) != self._mode
            or self._on_own_mount() != self._free
        )

    def _on_own_mount(self) -> int:
        """Count free inodes: on a mount of its own this sees what no listing shows."""
        return self._free if self._shared else os.fstatvfs(self.descriptor).f_ffree

    _shared = False

    def clean(self) -> bool:
        """Empty it; say whether nothing is left."""
        if not self.touched():
            return True
        if self._owned:
            os.fchmod(self.descriptor, self._mode)
        empty_directory(self.descriptor, self._device)
        self._reset()
        return not os.listdir(self.descriptor) and self._on_own_mount() == self._free


class SharedScratch(Scratch):
    """A scratch directory on a file system that others use too, with no limit of its own."""

    _shared = True

    def exceeds(self, megabytes: int, inodes: int) -> bool:
        """Say whether more is in it than a scratch may hold."""
        waiting, size, count = [self.path], 0, 0
        while waiting and count <= inodes:
            for entry in _entries(waiting.pop()):
                count += 1
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
        return count > inodes or size > megabytes << 20


def _entries(path: str) -> list[os.DirEntry[str]]:
    """List a directory that may vanish or be closed to us meanwhile."""
    try:
        with os.scandir(path) as found:
            return list(found)
    except OSError:
        return []


def empty_directory(directory: int, device: int) -> None:
    """Remove all that is in an open directory, however deep, without recursion.

    A directory inside is emptied by moving its directories up to the top, one level at a
    time, so that only two descriptors are ever open.
    """
    if os.fstat(directory).st_dev != device:
        raise SandboxError("refused to empty a directory that the sandbox did not make")
    for serial in range(_ROUNDS):
        names = os.listdir(directory)
        if not names:
            return
        moved = [_remove(directory, name, device, serial) for name in names]
        if not any(moved):
            return


def _remove(parent: int, name: str, device: int, serial: int) -> bool:
    """Remove one entry, or empty it by one level; say whether anything moved."""
    try:
        os.unlink(name, dir_fd=parent)
    except (IsADirectoryError, PermissionError):  # Linux says the one, macOS the other
        return _flatten(parent, name, device, serial)
    except OSError:
        return False
    return True


def _flatten(parent: int, name: str, device: int, serial: int) -> bool:
    """Lift a directory's directories into its parent, drop its files, remove it."""
    try:
        child = _open_directory(parent, name)
    except OSError:
        return False
    try:
        if os.fstat(child).st_dev != device:
            return False
        _lift_all(parent, child, f"{os.fstat(child).st_ino}-{serial}")
        os.rmdir(name, dir_fd=parent)
    except OSError:
        return False
    finally:
        os.close(child)
    return True


def _open_directory(parent: int, name: str) -> int:
    """Open a directory, also one whose permissions were taken away."""
    try:
        os.chmod(name, 0o700, dir_fd=parent, follow_symlinks=True)
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except PermissionError:
        return os.open(name, _DIRECTORY, dir_fd=parent)


def _lift_all(parent: int, child: int, prefix: str) -> None:
    """Empty one directory by unlinking its files and renaming its directories upwards."""
    for number, name in enumerate(os.listdir(child)):
        try:
            os.unlink(name, dir_fd=child)
        except IsADirectoryError:
            # A directory can only be renamed by its owner with write permission on it.
            os.chmod(name, 0o700, dir_fd=child, follow_symlinks=True)
            os.rename(name, f".{prefix}-{number}", src_dir_fd=child, dst_dir_fd=parent)
