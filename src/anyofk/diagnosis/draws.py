"""Draws in their order: what a diagnosis looks at, from a run, from verdicts, or from counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from anyofk.errors import DataError, UsageError
from anyofk.estimates.reading import read_counts
from anyofk.records import Outcome, Verdict

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
        For each a number that equal texts share; none where the texts are not known.
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
        facts = _facts(given)
        return _of_draws(_draws(given.verdicts(), facts))
    if isinstance(given, Mapping) and any(_are_outcomes(value) for value in given.values()):
        return _of_draws([Draws(str(p), _outcomes(p, value)) for p, value in given.items()])
    if not callable(getattr(given, "counts", None)) and isinstance(given, Iterable):
        listed = given if isinstance(given, Mapping) or hasattr(given, "columns") else list(given)
        if isinstance(listed, list) and all(isinstance(row, Verdict) for row in listed):
            return _of_draws(_draws(listed, {}))
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
            f"outcomes of problem {str(problem)!r} must be true or false, got {value!r}",
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


Fact = tuple[int, int, Mapping[str, Any]]
"""Hash of the text, hash of it without white space, settings."""


def _facts(run: Any) -> dict[tuple[str, int], Fact]:
    """Take from the candidates what is compared, so that no text stays in memory."""
    if not callable(getattr(run, "candidates", None)):
        return {}
    return {
        (each.problem, each.draw): (
            hash((each.form, each.text)),
            hash((each.form, "".join(each.text.split()))),
            {name: each.settings[name] for name in BATCH_SETTINGS if name in each.settings},
        )
        for each in run.candidates()
    }


def _draws(verdicts: Iterable[Verdict], facts: Mapping[tuple[str, int], Fact]) -> list[Draws]:
    rows: dict[str, dict[int, Verdict]] = defaultdict(dict)
    for verdict in verdicts:
        if verdict.outcome is not Outcome.BROKEN:
            rows[verdict.problem][verdict.draw] = verdict
    return [
        _problem(name, [found[d] for d in sorted(found)], facts) for name, found in rows.items()
    ]


def _problem(name: str, verdicts: list[Verdict], facts: Mapping[tuple[str, int], Fact]) -> Draws:
    passed = np.array([verdict.passed for verdict in verdicts], dtype=np.bool_)
    known = [facts.get((name, verdict.draw)) for verdict in verdicts]
    if None in known:
        return Draws(name, passed)
    texts, loose, settings = zip(*(fact for fact in known if fact), strict=True)
    return Draws(name, passed, _numbered(texts), _numbered(loose), _batches(settings))


def _batches(settings: tuple[Mapping[str, Any], ...]) -> Ints | None:
    """Number what was drawn together, by the first setting that groups draws at all."""
    for name in BATCH_SETTINGS:
        if all(name in each for each in settings):
            numbers = _numbered(tuple(repr(each[name]) for each in settings))
            if 1 < int(numbers.max()) + 1 < numbers.size:
                return numbers
    return None


def _numbered(values: tuple[Any, ...]) -> Ints:
    seen: dict[Any, int] = {}
    return np.array([seen.setdefault(value, len(seen)) for value in values], dtype=np.int64)
