"""File access rules that a process lays on itself and its later children for ever."""

from __future__ import annotations

import os
import stat
import struct
from typing import TYPE_CHECKING, Final

from anyofk.sandbox import kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

# linux/landlock.h, LANDLOCK_ACCESS_FS_*
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_FIRST: Final = (1 << 13) - 1
_TCP: Final = 3  # bind and connect
_SCOPES: Final = 3  # abstract sockets and signals
_OF_A_FILE: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
LIST: Final = _READ_DIR


def handled(abi: int) -> int:
    """The kinds of file access that a version of Landlock can rule."""
    later = ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL))
    return _FIRST | sum(bit for since, bit in later if abi >= since)


def write(abi: int) -> int:
    """All access but making devices."""
    return handled(abi) & ~(_MAKE_CHAR | _MAKE_BLOCK)


class Ruleset:
    """Rules in the making; nothing is allowed that is not added."""

    def __init__(self, abi: int, *, scoped: bool) -> None:
        self._handled = handled(abi)
        fields = [self._handled]
        fields += [_TCP] if abi >= 4 else []  # noqa: PLR2004 - the version that brought it
        fields += [_SCOPES if scoped else 0] if abi >= 6 else []  # noqa: PLR2004 - as above
        self.descriptor = kernel.landlock_create(struct.pack(f"{len(fields)}Q", *fields))

    def allow(self, paths: Iterable[str | int], access: int) -> None:
        """Allow access to files and beneath directories; one that is absent is passed over."""
        for path in paths:
            self._allow_one(path, access & self._handled)

    def _allow_one(self, path: str | int, access: int) -> None:
        """Add one rule."""
        try:
            opened = path if isinstance(path, int) else os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        is_directory = stat.S_ISDIR(os.fstat(opened).st_mode)
        kernel.landlock_allow(
            self.descriptor, opened, access if is_directory else access & _OF_A_FILE
        )
        if not isinstance(path, int):
            os.close(opened)

    def enforce(self) -> None:
        """Confine this process; `kernel.refuse_new_privileges` must have been called."""
        kernel.landlock_enforce(self.descriptor)
