"""A stored run that is still being drawn, as its one writer fills it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from anyofk.errors import StoreError
from anyofk.records import Answer, Manifest, Problem, Request, Verdict
from anyofk.store.columns import VERDICT_COLUMNS, from_column, to_column, verdict_of
from anyofk.store.database import transaction
from anyofk.store.ingest import insert_candidates
from anyofk.store.ingest_replies import insert_request
from anyofk.store.writer import RunWriter, now, written

Drawn = tuple[Request, tuple[Answer, ...]]


class DrawWriter(RunWriter):
    """The one process that writes a run while its candidates are drawn."""

    _positions: dict[str, int] | None = None

    def begin_drawing(
        self, manifest: Manifest, judging: Manifest, problems: Iterable[Problem]
    ) -> None:
        """Store a new run that has no candidates yet."""
        self.begin(manifest, judging, problems, ())

    def extend(self, manifest: Manifest, n_before: int, n: int) -> None:
        """Let the run grow to more draws of each problem, and keep what it was before."""
        content, identity = written(manifest)
        with transaction(self._connection, self.path):
            self._connection.execute(
                "INSERT INTO extensions (created, n_before, n, manifest_id_before) "
                "SELECT ?, ?, ?, manifest_id FROM run",
                (now(), n_before, n),
            )
            self._connection.execute(
                "UPDATE run SET manifest = ?, manifest_id = ?", (content, identity)
            )

    def missing(self, n: int, block: int = 1) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Give the draws that are not there, some of a problem at a time, all problems in turn."""
        have = self._have(n)
        for first in range(0, n, block):
            for problem, drawn in have.items():
                wanted = [draw for draw in range(first, min(n, first + block)) if not drawn[draw]]
                if wanted:
                    yield problem, tuple(wanted)

    def _have(self, n: int) -> dict[str, bytearray]:
        have = {problem: bytearray(n) for problem in self.positions}
        names = list(have)
        rows = self._connection.execute(
            "SELECT position, draw FROM candidates WHERE draw < ?", (n,)
        )
        for position, draw in rows:
            have[names[position]][draw] = 1
        return have

    @property
    def positions(self) -> dict[str, int]:
        """Map each problem to its place in the set."""
        if self._positions is None:
            rows = self._connection.execute(
                "SELECT problem, position FROM problems ORDER BY position"
            )
            self._positions = {from_column(problem): position for problem, position in rows}
        return self._positions

    def keep(self, drawn: Iterable[Drawn]) -> None:
        """Put requests with their replies and candidates on disk: all of them, or nothing."""
        with transaction(self._connection, self.path):
            for request, answers in drawn:
                position = self.positions[request.problem]
                number = insert_request(self._connection, request, position, now())
                insert_candidates(self._connection, answers, self.positions, number)

    def spent(self) -> tuple[int, float]:
        """Sum up the tokens and the cost of all requests so far."""
        row = self._connection.execute(
            "SELECT coalesce(sum(coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)), 0), "
            "coalesce(sum(cost), 0) FROM requests"
        ).fetchone()
        return int(row[0]), float(row[1])

    def size(self) -> int:
        """Count the candidates."""
        return int(self._connection.execute("SELECT count(*) FROM candidates").fetchone()[0])

    def judged(self) -> int:
        """Count the candidates that have a verdict."""
        sql = "SELECT count(*) FROM latest_verdicts"
        return int(self._connection.execute(sql).fetchone()[0])

    def verdict(self, problem: str, draw: int) -> Verdict:
        """Read a verdict that was recorded."""
        self.flush()
        row: Any = self._connection.execute(
            f"SELECT {', '.join(VERDICT_COLUMNS)} FROM latest_verdicts "  # noqa: S608 - own column names
            "WHERE problem = ? AND draw = ?",
            (to_column(problem), draw),
        ).fetchone()
        if row is None:
            raise StoreError(f"draw {draw} of problem {problem!r} has no verdict")
        return verdict_of(problem, row)
