"""Draws in their order: what a diagnosis looks at, from a run, from verdicts, or from counts."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from anyofk.errors import DataError, UsageError, shown
from anyofk.estimates.reading import read_counts
from anyofk.records import Candidate, Outcome, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

BATCH_SETTINGS: Final = ("batch", "request", "seed")
"""Settings of a candidate that say which draws were made together; the first that tells wins."""


@dataclass(frozen=True)
class Draws:
    """The judged draws of one problem, in their order.

    Attributes
    ----------
    problem
        Its id.
    passed
        Whether each passed.
    texts
        For each a number that equal texts share, in any run of one process; none where the
        texts are not known.
    loose
        The same with white space left out of the texts.
    batches
        For each the number of what it was drawn with; none where that is not known.
    """

    problem: str
    passed: NDArray[np.bool_]
    texts: Ints | None = None
    loose: Ints | None = None
    batches: Ints | None = None


@dataclass(frozen=True)
class Evidence:
    """All there is to look at: counts of every problem, and draws where their order is known."""

    n: Ints
    c: Ints
    draws: tuple[Draws, ...] = ()


def read_evidence(given: Any) -> Evidence:
    """Read a run, verdicts, outcomes in the order of the draws, or mere counts.

    Parameters
    ----------
    given
        A run (anything with ``verdicts()`` and perhaps ``candidates()``), an iterable of
        `Verdict`, a mapping from each problem to its outcomes (bools, in the order of the
        draws), or counts as `evaluate` takes them.
    """
    if callable(getattr(given, "verdicts", None)):
        candidates = given.candidates() if callable(getattr(given, "candidates", None)) else ()
        return _of_draws(_draws(given.verdicts(), candidates))
    if isinstance(given, Mapping) and any(_are_outcomes(value) for value in given.values()):
        return _of_draws([Draws(str(p), _outcomes(p, value)) for p, value in given.items()])
    if not callable(getattr(given, "counts", None)) and isinstance(given, Iterable):
        listed = given if isinstance(given, Mapping) or hasattr(given, "columns") else list(given)
        if isinstance(listed, list) and all(isinstance(row, Verdict) for row in listed):
            return _of_draws(_draws(listed, ()))
        given = listed
    counts = [row for row in read_counts(given) if row.n]
    n, c = [row.n for row in counts], [row.c for row in counts]
    return Evidence(np.array(n, dtype=np.int64), np.array(c, dtype=np.int64))


def _are_outcomes(value: Any) -> bool:
    listed = isinstance(value, list | tuple | np.ndarray)
    return listed and len(value) > 0 and all(isinstance(x, bool | np.bool_) for x in value)


def _outcomes(problem: Any, value: Any) -> NDArray[np.bool_]:
    if not (_are_outcomes(value) or (isinstance(value, list | tuple) and not value)):
        raise DataError(
            f"outcomes of problem {str(problem)!r} must be true or false, got {shown(value)}",
            hint="give all problems as lists of outcomes, or all as (n, c)",
            problem=str(problem),
        )
    return np.array(value, dtype=np.bool_)


def _of_draws(draws: Iterable[Draws]) -> Evidence:
    kept = tuple(each for each in draws if each.passed.size)
    if not kept:
        raise UsageError("no draw was judged: there is nothing to look at")
    n, c = ([int(of(each.passed)) for each in kept] for of in (np.size, np.count_nonzero))
    return Evidence(np.array(n, dtype=np.int64), np.array(c, dtype=np.int64), kept)


class _Columns:
    """Numbers about the draws of one problem, as they come; no text stays in memory."""

    def __init__(self, width: int) -> None:
        self._cells = array("q")
        self._width = width

    def add(self, *row: int) -> None:
        self._cells.extend(row)

    def sorted(self) -> Ints:
        """Give one column for each draw, in the order of draws; of equal draws the last."""
        table = np.array(self._cells, dtype=np.int64).reshape(-1, self._width)
        latest = np.unique(table[::-1, 0], return_index=True)[1]
        return np.asarray(table[::-1][latest].T)


def _draws(verdicts: Iterable[Verdict], candidates: Iterable[Candidate]) -> Iterator[Draws]:
    judged: dict[str, _Columns] = defaultdict(lambda: _Columns(2))
    for verdict in verdicts:
        if verdict.outcome is not Outcome.BROKEN:
            judged[verdict.problem].add(verdict.draw, verdict.passed)
    written = _written(candidates)
    for problem, columns in judged.items():
        draws, passed = columns.sorted()
        facts = written[problem].sorted() if problem in written else _NO_FACTS
        known = facts[:, np.isin(facts[0], draws)]
        if known.shape[1] < draws.size:
            yield Draws(problem, passed.astype(np.bool_))
            continue
        _, texts, loose, *settings = known
        yield Draws(problem, passed.astype(np.bool_), texts, loose, _batches(settings))


def _written(candidates: Iterable[Candidate]) -> dict[str, _Columns]:
    """Note of each candidate: draw, text, text without white space, and what it was drawn with."""
    found: dict[str, _Columns] = defaultdict(lambda: _Columns(_WIDTH))
    for each in candidates:
        loose = hash((each.form, "".join(each.text.split())))
        drawn_with = (_setting(each, name) for name in BATCH_SETTINGS)
        found[each.problem].add(each.draw, hash((each.form, each.text)), loose, *drawn_with)
    return found


def _setting(candidate: Candidate, name: str) -> int:
    return hash(repr(candidate.settings[name])) if name in candidate.settings else _ABSENT


def _batches(settings: Iterable[Ints]) -> Ints | None:
    """Number what was drawn together, by the first setting that groups draws at all."""
    for values in settings:
        numbers = numbered(values)
        if not np.any(values == _ABSENT) and 1 < int(numbers.max()) + 1 < numbers.size:
            return numbers
    return None


def numbered(values: Ints) -> Ints:
    """Number equal values alike, from 0."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


_WIDTH: Final = 3 + len(BATCH_SETTINGS)
_ABSENT: Final = 0
_NO_FACTS: Final = np.zeros((_WIDTH, 0), dtype=np.int64)
