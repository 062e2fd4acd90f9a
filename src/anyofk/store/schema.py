"""The tables of a stored run, and the append-only steps from any older version to this one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from anyofk.store.reply_tables import add_earlier_turns, make_reply_tables

APPLICATION_ID: Final = 0x616E794B
"""Written into each file's header, so that a run is told from any other database."""


def _m001_first_tables(connection: sqlite3.Connection) -> None:
    for statement in _FIRST_TABLES:
        connection.execute(statement)


_FIRST_TABLES: Final = (
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT NOT NULL,
        created TEXT NOT NULL,
        manifest TEXT NOT NULL,
        manifest_id TEXT NOT NULL
    )""",
    """
    CREATE TABLE problems (
        position INTEGER PRIMARY KEY,
        problem NOT NULL UNIQUE,
        content_id TEXT NOT NULL,
        cluster
    )""",
    """
    CREATE TABLE candidates (
        position INTEGER NOT NULL REFERENCES problems (position),
        draw INTEGER NOT NULL,
        form TEXT NOT NULL,
        text BLOB NOT NULL,
        content_id TEXT NOT NULL,
        finish_reason NOT NULL,
        settings TEXT NOT NULL,
        UNIQUE (position, draw)
    )""",
    """
    CREATE TABLE judgings (
        judging INTEGER PRIMARY KEY,
        created TEXT NOT NULL,
        manifest TEXT NOT NULL,
        manifest_id TEXT NOT NULL
    )""",
    """
    CREATE TABLE verdicts (
        judging INTEGER NOT NULL REFERENCES judgings (judging),
        position INTEGER NOT NULL,
        draw INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        message NOT NULL,
        checks_passed INTEGER NOT NULL,
        checks_expected INTEGER,
        cpu_s REAL NOT NULL,
        wall_s REAL NOT NULL,
        peak_mb REAL NOT NULL,
        time_limit REAL NOT NULL,
        memory_mb INTEGER NOT NULL,
        mode TEXT NOT NULL,
        level TEXT NOT NULL,
        forgeable INTEGER NOT NULL,
        adapter NOT NULL,
        test_group NOT NULL,
        PRIMARY KEY (judging, position, draw),
        FOREIGN KEY (position, draw) REFERENCES candidates (position, draw)
    ) WITHOUT ROWID""",
    """
    CREATE VIEW latest_verdicts AS
    SELECT verdicts.*, problem FROM verdicts JOIN problems USING (position)
    WHERE judging = (SELECT max(judging) FROM judgings)""",
    """
    CREATE VIEW results AS
    SELECT latest_verdicts.*, CAST(text AS TEXT) AS text
    FROM latest_verdicts JOIN candidates USING (position, draw)""",
    """
    CREATE VIEW counts AS
    SELECT problem, cluster,
           count(outcome) - coalesce(sum(outcome = 'broken'), 0) AS n,
           coalesce(sum(outcome = 'passed'), 0) AS c,
           coalesce(sum(outcome = 'broken'), 0) AS broken,
           count(candidates.draw) - count(outcome) AS pending
    FROM problems LEFT JOIN candidates USING (position)
    LEFT JOIN verdicts ON verdicts.position = problems.position
        AND verdicts.draw = candidates.draw
        AND judging = (SELECT max(judging) FROM judgings)
    GROUP BY problems.position ORDER BY problems.position""",
)

MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    _m001_first_tables,
    make_reply_tables,
    add_earlier_turns,
)
"""Append only: step i leads from version i to i + 1; a released step never changes."""

VERSION: Final = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file to this version, inside the caller's transaction; an empty one too."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")
