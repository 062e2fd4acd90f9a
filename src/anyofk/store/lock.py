"""One writer a run: a lock that the kernel takes back however its holder ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from anyofk.errors import UnavailableError


class Lock:
    """A lock file beside the run; it is removed on release."""

    def __init__(self, run: Path) -> None:
        self._path = run.with_name(run.name + ".lock")
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock, or say who holds it."""
        while self._file is None:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                holder = os.read(file, 20).decode(errors="replace")
                os.close(file)
                raise self._held_by(holder) from error
            self._keep_if_current(file)
        os.write(self._file, str(os.getpid()).encode())

    def _keep_if_current(self, file: int) -> None:
        """Keep the lock unless a former holder removed this very file in the meantime."""
        try:
            current = self._path.stat()
        except FileNotFoundError:
            current = None
        if current and os.path.samestat(current, os.fstat(file)):
            os.ftruncate(file, 0)
            self._file = file
        else:
            os.close(file)

    def _held_by(self, holder: str) -> UnavailableError:
        who = f"process {holder}" if holder.isdecimal() else "another process"
        name = self._path.name.removesuffix(".lock").removesuffix(".db")
        return UnavailableError(
            f"run {name!r} is in use by {who}",
            hint="wait until it has ended, or give this one another --name",
        )

    def release(self) -> None:
        """Remove the file, then let go."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None
