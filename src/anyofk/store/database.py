"""Connections to a run's file, and what SQLite's errors mean to a user."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from anyofk.errors import AnyofkError, StoreError, UnavailableError
from anyofk.store.reply_tables import stand_in_for_reply_tables
from anyofk.store.schema import APPLICATION_ID, VERSION, migrate

BUSY_SECONDS = 10.0


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open or make a file for its one writer; older versions are brought up to this one."""
    with meaning(path):
        connection = _connect(path, "rwc")
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    _check(connection, path, allow_empty=True)
    # before the write-ahead log: the file itself then says what it is, whatever is in the log
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA journal_mode = WAL")
    # a crash of this process loses nothing; only a power cut may take the last commits
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection, path):
        migrate(connection)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that is a stored run of this or an older version."""
    if not path.is_file():
        raise StoreError(f"no run at {str(path)!r}", hint="'anyofk runs' lists the stored runs")
    with meaning(path):
        # as a writer would, else the files that SQLite keeps beside it stay behind
        with suppress(sqlite3.OperationalError):
            return _checked(_connect(path, "rw"), path)
        with suppress(sqlite3.OperationalError):
            return _checked(_connect(path, "ro"), path)
        # a folder that can't be written holds no shared memory; nobody writes there either
        return _checked(_connect(path, "ro&immutable=1"), path)


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        _check(connection, path)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < 2:  # noqa: PLR2004 - the version that brought the tables of replies
            stand_in_for_reply_tables(connection)
        connection.execute("PRAGMA query_only = 1")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # a generator of verdicts may be read from another thread
    )


def is_run(path: Path) -> bool:
    """Whether a file says in its header that it is a run of ours; nothing is opened."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError:
        return False
    return header[:15] == b"SQLite format 3" and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _check(connection: sqlite3.Connection, path: Path, *, allow_empty: bool = False) -> None:
    """Refuse other databases, and files of a newer anyofk."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if allow_empty and not tables:
        return
    if application != APPLICATION_ID:
        raise StoreError(f"{str(path)!r} is no stored run", hint="choose another --name or --runs")
    if version > VERSION:
        raise StoreError(
            f"{str(path)!r} has schema version {version}, this anyofk knows {VERSION}",
            hint="upgrade anyofk to read this run",
        )


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Do all of the block or nothing of it."""
    with meaning(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled back by itself
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


@contextmanager
def meaning(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(error, path) from error


def _meaning(error: sqlite3.Error, path: Path) -> AnyofkError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return UnavailableError(
            f"the disk is full: {str(path)!r} takes no more",
            hint="free some space and repeat the command; what is stored stays, the rest goes on",
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return UnavailableError(
            f"{str(path)!r} is in use by another process", hint="wait for it to end, or end it"
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(
            f"{str(path)!r} is no stored run, or is damaged: {error}",
            hint="'--fresh' starts over; 'anyofk runs' lists the stored runs",
        )
    return UnavailableError(
        f"{str(path)!r} cannot be read or written: {error}",
        hint="check the folder's permissions, or choose another with --runs",
    )
