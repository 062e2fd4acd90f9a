"""Places that a program may write to, and making them empty again.

Deleting is dangerous, so it works from an open directory of which it is known that the
sandbox made it, never follows a link, never leaves that file system and needs no stack:
a tree may be deeper than any path name or recursion limit.
"""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass
from typing import Final

from anyofk.errors import SandboxError

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


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
        """Say whether more is in it than a scratch may hold.

        What can't be looked at for its depth or its permissions counts as too much: a
        program could hide anything there. What vanishes meanwhile counts as nothing.
        """
        waiting, size, count = [self.path], 0, 0
        while waiting and count <= inodes and size <= megabytes << 20:
            try:
                with os.scandir(waiting.pop()) as entries:
                    for entry in entries:
                        count += 1
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
            except FileNotFoundError:
                continue
            except OSError:
                return True
        return count > inodes or size > megabytes << 20


@dataclass
class _Level:
    """A directory on the way down: its inode, its name, and what is still to be removed."""

    inode: int
    name: str
    names: list[str]


def empty_directory(directory: int, device: int) -> None:
    """Remove all that is in an open directory, however deep, without recursion.

    The way up is ``..``, checked against the inode that was come from, so that one
    descriptor is enough for any depth. Nobody else may be at work in it.
    """
    if os.fstat(directory).st_dev != device:
        raise SandboxError("refused to empty a directory that the sandbox did not make")
    current = os.dup(directory)
    levels = [_Level(os.fstat(current).st_ino, "", os.listdir(current))]
    try:
        while levels:
            current = _step(current, levels, device)
    finally:
        os.close(current)


def _step(current: int, levels: list[_Level], device: int) -> int:
    """Remove one entry, go down into one, or go up; give the directory to go on in."""
    level = levels[-1]
    if not level.names:
        return _go_up(current, levels)
    name = level.names.pop()
    if _remove(current, name):
        return current
    try:
        child = _open_directory(current, name)
    except OSError:
        return current  # it stays, and the caller sees that something is left
    status = os.fstat(child)
    if status.st_dev != device:
        os.close(child)
        return current
    levels.append(_Level(status.st_ino, name, os.listdir(child)))
    os.close(current)
    return child


def _go_up(current: int, levels: list[_Level]) -> int:
    """Leave an emptied directory and remove it."""
    done = levels.pop()
    if not levels:
        return current
    parent = os.open("..", _DIRECTORY, dir_fd=current)
    os.close(current)
    if os.fstat(parent).st_ino != levels[-1].inode:
        levels.clear()  # someone moved it: stop, and leave the rest to be seen
        return parent
    with contextlib.suppress(OSError):
        os.rmdir(done.name, dir_fd=parent)
    return parent


def _remove(parent: int, name: str) -> bool:
    """Remove a file, or an empty directory; say whether it is gone."""
    try:
        os.unlink(name, dir_fd=parent)
    except (IsADirectoryError, PermissionError):  # Linux says the one, macOS the other
        try:
            os.rmdir(name, dir_fd=parent)
        except OSError:
            return False
    except OSError:
        return False
    return True


def _open_directory(parent: int, name: str) -> int:
    """Open a directory with full access, also when its permissions were taken away."""
    mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(mode):
        raise NotADirectoryError(name)  # above all no link: a change of mode would follow it
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, 0o700, dir_fd=parent)
    return os.open(name, _DIRECTORY, dir_fd=parent)
