"""Reading in pages by key, so that memory stays constant and no cursor outlives a commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

from anyofk.store.columns import from_column

PAGE: Final = 256


def pages(
    connection: sqlite3.Connection,
    source: str,
    columns: Sequence[str],
    condition: str = "1",
    page: int = PAGE,
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Give each row with its problem, ordered by problem and draw.

    ``source`` is a table (or a join) with ``position`` and ``draw``; the texts come from this
    package alone, never from a user.
    """
    table = source.partition(" ")[0]
    listed = ", ".join(f"{table}.{column}" for column in columns)
    sql = (
        f"SELECT {table}.position, {table}.draw, problem, {listed} FROM {source} "  # noqa: S608 - own words only
        f"JOIN problems ON problems.position = {table}.position WHERE {condition} "
        f"AND ({table}.position, {table}.draw) > (?, ?) "
        f"ORDER BY {table}.position, {table}.draw LIMIT {page}"
    )
    last: tuple[int, int] = (-1, -1)
    while rows := connection.execute(sql, last).fetchall():
        for _, _, problem, *row in rows:
            yield from_column(problem), tuple(row)
        last = rows[-1][:2]
