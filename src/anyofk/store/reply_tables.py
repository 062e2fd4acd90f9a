"""The tables of replies: what models said, with which requests, and what was taken out of it."""

from __future__ import annotations

import sqlite3
from typing import Final

_TABLES: Final = (
    """
    requests (
        request INTEGER PRIMARY KEY,
        position INTEGER NOT NULL,
        created TEXT NOT NULL,
        asked INTEGER NOT NULL,
        came INTEGER NOT NULL,
        seconds REAL NOT NULL,
        tries INTEGER NOT NULL,
        prompt_tokens INTEGER,
        completion_tokens INTEGER,
        cost REAL,
        model NOT NULL,
        fingerprint NOT NULL,
        error NOT NULL
    )""",
    """
    replies (
        position INTEGER NOT NULL,
        draw INTEGER NOT NULL,
        request INTEGER,
        text BLOB NOT NULL,
        reasoning BLOB NOT NULL,
        finish_reason NOT NULL,
        seed INTEGER,
        tokens INTEGER,
        extraction TEXT NOT NULL,
        adapter NOT NULL,
        tree TEXT NOT NULL,
        notes NOT NULL,
        PRIMARY KEY (position, draw)
    )""",
    """
    extensions (
        extension INTEGER PRIMARY KEY,
        created TEXT NOT NULL,
        n_before INTEGER NOT NULL,
        n INTEGER NOT NULL,
        manifest_id_before TEXT NOT NULL
    )""",
)
_ANSWERS: Final = """
    VIEW answers AS
    SELECT candidates.*, coalesce(extraction, '') AS extraction, coalesce(adapter, '') AS adapter
    FROM candidates LEFT JOIN replies USING (position, draw)"""


def make_reply_tables(connection: sqlite3.Connection) -> None:
    """Lead version 1 to version 2."""
    for table in _TABLES:
        connection.execute(f"CREATE TABLE {table}")
    connection.execute(f"CREATE {_ANSWERS}")


def add_earlier_turns(connection: sqlite3.Connection) -> None:
    """Lead version 2 to version 3: conversations, as JSON lists of pairs of reply and feedback."""
    connection.execute("ALTER TABLE replies ADD COLUMN earlier TEXT NOT NULL DEFAULT '[]'")


def stand_in_for_reply_tables(connection: sqlite3.Connection) -> None:
    """Let a file of version 1 that is only read answer as if it had the tables, empty."""
    for table in _TABLES:
        connection.execute(f"CREATE TEMP TABLE {table}")
    connection.execute(f"CREATE TEMP {_ANSWERS}")
