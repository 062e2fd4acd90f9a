"""A stored run, as its one writer fills it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from anyofk.errors import StoreError
from anyofk.records import Answer, Candidate, Manifest, Problem, Verdict, canonical_json
from anyofk.store.columns import (
    ANSWER_COLUMNS,
    VERDICT_COLUMNS,
    candidate_of,
    to_column,
    verdict_row,
)
from anyofk.store.database import connect_to_write, transaction
from anyofk.store.folder import delete_files, make_folder, name_of
from anyofk.store.ingest import insert_candidates, insert_problems
from anyofk.store.lock import Lock
from anyofk.store.pages import pages

BATCH_ROWS: Final = 200
BATCH_SECONDS: Final = 0.5

_UNJUDGED: Final = (
    "answers LEFT JOIN verdicts ON verdicts.position = answers.position "
    "AND verdicts.draw = answers.draw "
    "AND verdicts.judging = (SELECT max(judging) FROM judgings)"
)
_MARKS: Final = ", ".join("?" * len(VERDICT_COLUMNS))
_RENEWED: Final = ", ".join(f"{column} = excluded.{column}" for column in VERDICT_COLUMNS)
# a broken verdict gives way to any later one; the others must agree
_RECORD: Final = (
    f"INSERT INTO verdicts (judging, position, {', '.join(VERDICT_COLUMNS)}) "  # noqa: S608 - own column names
    f"SELECT (SELECT max(judging) FROM judgings), position, {_MARKS} "
    f"FROM problems WHERE problem = ? ON CONFLICT DO UPDATE SET {_RENEWED} "
    "WHERE verdicts.outcome = 'broken'"
)


class RunWriter:
    """The one process that writes a run; a second one is refused.

    Parameters
    ----------
    path
        The run's file; it is made where absent.

    Raises
    ------
    UnavailableError
        Another process writes this run, or the disk does not take it.
    StoreError
        The file is something else than a run.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock(path)
        self._batch: list[Verdict] = []
        self._last_commit = time.monotonic()
        make_folder(path.parent)
        self._lock.acquire()
        try:
            self._connection = connect_to_write(path)
        except BaseException:
            self._lock.release()
            raise

    def fresh(self) -> None:
        """Delete everything, to start over."""
        self._connection.close()
        delete_files(self.path)
        self._connection = connect_to_write(self.path)

    def stored(self) -> Manifest | None:
        """Give the manifest of the run and its latest judging, or none for a new file."""
        rows = self._connection.execute(
            "SELECT run.manifest, judgings.manifest FROM run, judgings "
            "ORDER BY judging DESC LIMIT 1"
        ).fetchall()
        return Manifest({**json.loads(rows[0][0]), **json.loads(rows[0][1])}) if rows else None

    def begin(
        self,
        manifest: Manifest,
        judging: Manifest,
        problems: Iterable[Problem],
        candidates: Iterable[Candidate | Answer],
    ) -> None:
        """Store a new run with all its candidates, or nothing of it if anything is wrong."""
        with transaction(self._connection, self.path):
            self._connection.execute(
                "INSERT INTO run VALUES (1, ?, ?, ?, ?)",
                (name_of(self.path), now(), *written(manifest)),
            )
            self._insert_judging(judging)
            positions = insert_problems(self._connection, problems)
            insert_candidates(self._connection, candidates, positions)

    def begin_judging(self, judging: Manifest) -> None:
        """Start another judging of the same candidates; the earlier ones stay."""
        with transaction(self._connection, self.path):
            self._insert_judging(judging)

    def _insert_judging(self, judging: Manifest) -> None:
        self._connection.execute(
            "INSERT INTO judgings (created, manifest, manifest_id) VALUES (?, ?, ?)",
            (now(), *written(judging)),
        )

    def unjudged(self) -> Iterator[Candidate]:
        """Give the candidates without a verdict, and those whose verdict is broken.

        What was given once is not given again, whatever is recorded meanwhile.
        """
        condition = "(outcome IS NULL OR outcome = 'broken')"
        for problem, row in pages(self._connection, _UNJUDGED, ANSWER_COLUMNS, condition):
            yield candidate_of(problem, row)

    def record(self, verdict: Verdict) -> None:
        """Add a verdict; it is on disk after 200 of them, or with the first after half a second."""
        self._batch.append(verdict)
        waited = time.monotonic() - self._last_commit
        if len(self._batch) >= BATCH_ROWS or waited >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Put what was recorded on disk."""
        batch, self._batch = self._batch, []
        self._last_commit = time.monotonic()
        if batch:
            with transaction(self._connection, self.path):
                for verdict in batch:
                    self._record(verdict)

    def _record(self, verdict: Verdict) -> None:
        row = (*verdict_row(verdict), to_column(verdict.problem))
        if not self._connection.execute(_RECORD, row).rowcount:
            self._check_agrees(verdict)

    def _check_agrees(self, verdict: Verdict) -> None:
        stored = self._connection.execute(
            "SELECT outcome FROM latest_verdicts WHERE problem = ? AND draw = ?",
            (to_column(verdict.problem), verdict.draw),
        ).fetchone()
        if stored != (verdict.outcome.value,):
            had = stored[0] if stored else "none, for there is no such problem"
            raise StoreError(
                f"draw {verdict.draw} of problem {verdict.problem!r} was judged "
                f"{verdict.outcome.value}, the stored verdict is {had}",
                hint="judge again as a new judging, or start over with --fresh",
                problem=verdict.problem,
                draw=verdict.draw,
            )

    def close(self) -> None:
        """Flush, let go of the file and of the lock; a file without a run is not kept."""
        try:
            self.flush()
            empty = self.stored() is None
        except BaseException:
            empty = False
            raise
        finally:
            self._connection.close()
            if empty:
                delete_files(self.path)
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def now() -> str:
    """Give the time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def written(manifest: Manifest) -> tuple[str, str]:
    """Give a manifest's content and its id, as the tables hold them."""
    return canonical_json(manifest.content), manifest.content_id
