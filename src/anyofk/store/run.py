"""A stored run, as one reads it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from anyofk.records import Candidate, Counts, Manifest, Outcome, Verdict
from anyofk.store.columns import (
    ANSWER_COLUMNS,
    VERDICT_COLUMNS,
    candidate_of,
    from_column,
    verdict_of,
)
from anyofk.store.database import connect_to_read, meaning
from anyofk.store.pages import pages


class Run:
    """One model x one problem set x one frozen configuration, stored in one SQLite file.

    Everything below speaks of the latest judging of the run. Iterators read in pages,
    ordered by problem (as in the problem set) and draw, so that a million candidates
    need constant memory.

    Parameters
    ----------
    path
        The run's file. See `anyofk.store.find_run` for names and prefixes.

    Raises
    ------
    StoreError
        The file is no stored run, or one of a newer anyofk.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._connection = connect_to_read(self.path)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.path.name.removesuffix(".db")

    @property
    def created(self) -> str:
        """When the run was made (UTC, ISO 8601)."""
        return str(self._one("SELECT created FROM run"))

    @property
    def manifest(self) -> Manifest:
        """What was frozen: the candidates, the problems, and how they were judged."""
        run = json.loads(self._one("SELECT manifest FROM run"))
        judging = self._one("SELECT manifest FROM judgings ORDER BY judging DESC LIMIT 1")
        return Manifest({**run, **json.loads(judging)})

    def problems(self) -> Mapping[str, str | None]:
        """Map each problem's id to its cluster, in the order of the problem set."""
        rows = self.query("SELECT problem, cluster FROM problems ORDER BY position")
        return MappingProxyType(
            {from_column(p): None if c is None else from_column(c) for p, c in rows}
        )

    def counts(self) -> list[Counts]:
        """Count judged and passed candidates of every problem.

        A candidate without a verdict (an interrupted run) stands with the broken ones, and so
        does a draw that was planned and is not there; a problem without candidates has n = 0, so
        that no estimate overlooks them.
        """
        planned = int(self.manifest.content.get("drawing", {}).get("n", 0))
        rows = self.query(
            "SELECT problem, cluster, n, c, max(broken + pending, ? - n) FROM counts", planned
        )
        return [
            Counts(from_column(p), n, c, broken, None if cluster is None else from_column(cluster))
            for p, cluster, n, c, broken in rows
        ]

    def outcomes(self) -> dict[str, Counter[Outcome]]:
        """Count the outcomes of each problem, in the order of the problem set."""
        rows = self.query(
            "SELECT problem, outcome, count(*) FROM latest_verdicts GROUP BY position, outcome"
        )
        found: dict[str, Counter[Outcome]] = {p: Counter() for p in self.problems()}
        for problem, outcome, number in rows:
            found[from_column(problem)][Outcome(outcome)] = number
        return found

    def size(self) -> int:
        """Count the candidates."""
        return int(self._one("SELECT count(*) FROM candidates"))

    def pending(self) -> int:
        """Count the candidates that have no verdict yet; broken ones have one."""
        return int(self._one("SELECT coalesce(sum(pending), 0) FROM counts"))

    def candidates(self) -> Iterator[Candidate]:
        """Read the candidates."""
        for problem, row in pages(self._connection, "answers", ANSWER_COLUMNS):
            yield candidate_of(problem, row)

    def verdicts(self) -> Iterator[Verdict]:
        """Read the verdicts of the latest judging."""
        condition = "judging = (SELECT max(judging) FROM judgings)"
        for problem, row in pages(self._connection, "verdicts", VERDICT_COLUMNS, condition):
            yield verdict_of(problem, row)

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Answer a question in SQL; the tables are described in ``docs/store.md``."""
        with meaning(self.path):
            return self._connection.execute(sql, values).fetchall()

    def _one(self, sql: str) -> Any:
        return self.query(sql)[0][0]

    @property
    def begun(self) -> bool:
        """Whether the candidates were read to the end; else there is nothing to tell."""
        return bool(self.query("SELECT 1 FROM run"))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = self.counts()
        judged, passed = sum(c.n for c in counts), sum(c.c for c in counts)
        missing = sum(c.broken for c in counts)
        rest = f", {missing} broken or not judged" if missing else ""
        return (
            f"<run {self.name!r}: {len(counts)} problems, {judged} candidates judged, "
            f"{passed} passed{rest}>"
        )

    def _repr_html_(self) -> str:
        heads = ("problem", "n", "c", "not judged")
        rows = [(c.problem, c.n, c.c, c.broken) for c in self.counts()]
        lines = (
            "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row) + "</tr>"
            for tag, row in (("th", heads), *(("td", row) for row in rows))
        )
        return f"<p>{escape(repr(self))}</p><table>{''.join(lines)}</table>"
