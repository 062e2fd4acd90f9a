"""Putting a run's problems and candidates into its file, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from anyofk.errors import DataError
from anyofk.records import Answer, Candidate, Problem, canonical_json, to_plain
from anyofk.store.columns import CANDIDATE_COLUMNS, candidate_row, to_column
from anyofk.store.ingest_replies import insert_reply

_COLUMNS: Final = ("position", *CANDIDATE_COLUMNS)
_MARKS: Final = ", ".join("?" * len(_COLUMNS))
_INSERT: Final = (
    f"INSERT INTO candidates ({', '.join(_COLUMNS)}) VALUES ({_MARKS}) "  # noqa: S608 - own column names
    "ON CONFLICT DO NOTHING"
)
_DRAWS_END: Final = 2**63  # the integers that SQLite holds


def insert_problems(connection: sqlite3.Connection, problems: Iterable[Problem]) -> dict[str, int]:
    """Store the problems in their order; give the position of each."""
    positions: dict[str, int] = {}
    for position, problem in enumerate(problems):
        cluster = None if problem.cluster is None else to_column(problem.cluster)
        row = (position, to_column(problem.id), problem.content_id, cluster)
        connection.execute("INSERT INTO problems VALUES (?, ?, ?, ?)", row)
        positions[problem.id] = position
    return positions


def insert_candidates(
    connection: sqlite3.Connection,
    candidates: Iterable[Candidate | Answer],
    positions: dict[str, int],
    request: int | None = None,
) -> None:
    """Store the candidates, with their replies where they come from some.

    One that stands twice must be the same one.
    """
    for each in candidates:
        candidate = each.candidate if isinstance(each, Answer) else each
        if candidate.problem not in positions:
            raise _unknown_problem(candidate)
        if not 0 <= candidate.draw < _DRAWS_END:
            raise DataError(f"draw {candidate.draw} of problem {candidate.problem!r} is no index")
        position = positions[candidate.problem]
        row = (position, *candidate_row(candidate, canonical_json(to_plain(candidate.settings))))
        if not connection.execute(_INSERT, row).rowcount:
            _check_same(connection, candidate, position)
        if isinstance(each, Answer):
            insert_reply(connection, each, position, request)


def _check_same(connection: sqlite3.Connection, candidate: Candidate, position: int) -> None:
    (stored,) = connection.execute(
        "SELECT content_id FROM candidates WHERE position = ? AND draw = ?",
        (position, candidate.draw),
    ).fetchone()
    if stored != candidate.content_id:
        raise DataError(
            f"draw {candidate.draw} of problem {candidate.problem!r} has two different texts",
            hint="number the draws so that each candidate has its own",
            problem=candidate.problem,
            draw=candidate.draw,
        )


def _unknown_problem(candidate: Candidate) -> DataError:
    return DataError(
        f"draw {candidate.draw} answers problem {candidate.problem!r}, which is not in the set",
        hint="give the problem set that the candidates were drawn for",
        problem=candidate.problem,
    )
