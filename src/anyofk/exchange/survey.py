"""The first pass over candidates: everything that can be known without keeping their texts.

Of each candidate there stay a hash of eight bytes and three numbers, so that a million
candidates fit into forty megabytes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from anyofk.errors import CandidateFileError, shown
from anyofk.exchange.chat import looks_like_chat
from anyofk.exchange.entries import Entry, fault
from anyofk.problems import ProblemSet
from anyofk.problems.rows import Row
from anyofk.records import canonical_json, to_plain

_SEED: Final = "seed"  # one for each draw is right
_SHOWN: Final = 5
_LISTED: Final = 1000


@dataclass(slots=True)
class Draws:
    """What is kept of one problem's candidates, in the order of the file."""

    draws: array[int] = field(default_factory=lambda: array("q"))
    hashes: array[int] = field(default_factory=lambda: array("Q"))
    ordinals: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))
    empty: set[int] = field(default_factory=set)


class Survey:
    """Check candidates one by one, and gather what there is to know of them.

    Parameters
    ----------
    problems
        The problems that they may answer.
    """

    def __init__(self, problems: ProblemSet) -> None:
        self.problems = problems
        self.by_problem: dict[str, Draws] = {}
        self.hashes = array("Q")
        self.repeated: frozenset[int] = frozenset()
        self.looks_like_chat = 0
        self.cut_short = 0
        self._settings: dict[str, dict[str, tuple[Any, int | None]]] = {}
        self._with_setting: Counter[str] = Counter()
        self._unknown: dict[str, None] = {}
        self._first_unknown: Row | None = None
        self._numbered: bool | None = None

    def add(self, entry: Entry) -> None:
        """Check and remember one candidate."""
        ordinal = len(self.hashes)
        self.hashes.append(digest_of(entry))
        if entry.problem not in self.problems:
            self._add_unknown(entry)
            return
        self._check_numbered(entry)
        self._add_settings(entry)
        kept = self.by_problem.setdefault(entry.problem, Draws())
        draw = len(kept.draws) if entry.draw is None else entry.draw
        kept.draws.append(draw)
        kept.hashes.append(self.hashes[-1])
        kept.ordinals.append(ordinal)
        kept.places.append(_place(entry))
        if not entry.text.strip():
            kept.empty.add(draw)
        self.cut_short += entry.finish_reason == "length"
        self.looks_like_chat += looks_like_chat(entry, self.problems[entry.problem])

    def finish(self, file: str) -> None:
        """Check what only all candidates together show.

        Raises
        ------
        CandidateFileError
            An id is unknown, there is no candidate at all, settings are mixed, or one draw has
            two texts.
        """
        if self._first_unknown is not None:
            raise self._unknown_ids(self._first_unknown)
        if not self.by_problem:
            hint = "see that the candidates were written; no candidate gives no number"
            raise CandidateFileError(f"{file} holds no candidate", hint=hint, file=file)
        for name in self._settings:
            if len(self._values(name)) > 1:
                raise _mixed_settings(file, name, self._values(name))
        if self._numbered:
            self.repeated = frozenset(
                ordinal
                for problem, kept in self.by_problem.items()
                for ordinal in repeated_draws(problem, kept, file)
            )

    @property
    def missing(self) -> tuple[str, ...]:
        """The problems without a candidate, in the order of their set."""
        return tuple(name for name in self.problems.ids if name not in self.by_problem)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that all candidates share."""
        return {name: self._values(name)[0][0] for name in self._settings}

    def _values(self, name: str) -> list[tuple[Any, int | None]]:
        """List a setting's values and their first lines; none where a candidate lacks it."""
        some_without = self._with_setting[name] < len(self.hashes)
        return [*self._settings[name].values(), *([(None, None)] if some_without else [])]

    def _check_numbered(self, entry: Entry) -> None:
        """Draws are numbered by the file, all of them, or by their order."""
        numbered = entry.draw is not None
        if self._numbered is None:
            self._numbered = numbered
        if self._numbered is not numbered:
            hint = "number all candidates, or none: they are then numbered in their order"
            raise fault(entry.row, "draw", "some candidates have a draw number, some none", hint)

    def _add_settings(self, entry: Entry) -> None:
        for name, value in entry.settings.items():
            if name != _SEED:
                values = self._settings.setdefault(name, {})
                values.setdefault(_key(value), (value, entry.row.line))
                self._with_setting[name] += 1

    def _add_unknown(self, entry: Entry) -> None:
        self._first_unknown = self._first_unknown or entry.row
        if len(self._unknown) < _LISTED:
            self._unknown.setdefault(entry.problem)

    def _unknown_ids(self, first: Row) -> CandidateFileError:
        shown = ", ".join(repr(name) for name in list(self._unknown)[:_SHOWN])
        more = len(self._unknown) - _SHOWN
        what = "unknown problem" if len(self._unknown) == 1 else "unknown problems"
        return fault(
            first,
            "task_id",
            f"{what} {shown}{f' and {more} more' if more > 0 else ''}",
            f"the ids of problem set {self.problems.name!r} are like {self.problems.ids[0]!r}",
            unknown=tuple(self._unknown),
            missing=self.missing,
        )


def digest_of(entry: Entry) -> int:
    """Hash form and text to eight bytes."""
    text = f"{entry.form}\0{entry.text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def repeated_draws(problem: str, kept: Draws, file: str) -> list[int]:
    """List the ordinals of candidates that stand again under the same draw.

    Raises
    ------
    CandidateFileError
        The same draw has two texts.
    """
    first: dict[int, int] = {}
    again = []
    for i, draw in enumerate(kept.draws):
        earlier = first.setdefault(draw, i)
        if kept.hashes[earlier] != kept.hashes[i]:
            raise _conflict(problem, draw, file, (kept.places[earlier], kept.places[i]))
        if earlier != i:
            again.append(kept.ordinals[i])
    return again


def _conflict(problem: str, draw: int, file: str, places: tuple[int, int]) -> CandidateFileError:
    return CandidateFileError(
        f"{file}, lines {places[0]} and {places[1]}: "
        f"draw {draw} of problem {problem!r} has two different texts",
        hint="number the draws so that each candidate has its own, or leave the numbers out",
        file=file,
        line=places[1],
        field="draw",
        problem=problem,
        draw=draw,
    )


def _mixed_settings(
    file: str, name: str, values: list[tuple[Any, int | None]]
) -> CandidateFileError:
    """Make the error for candidates that were drawn in different ways."""
    listed = ", ".join("absent" if value is None else shown(value) for value, _ in values[:_SHOWN])
    line = values[1][1]
    return CandidateFileError(
        f"{file}{f', line {line}' if line else ''}: "
        f"candidates of different {name} are mixed: {listed}",
        hint=f"pass@k of a mixture has no meaning: split the file by {name}",
        file=file,
        line=line,
        field=name,
        values=tuple(value for value, _ in values),
    )


def _place(entry: Entry) -> int:
    return entry.row.index if entry.row.line is None else entry.row.line


def _key(value: Any) -> str:
    # 0 and 0.0 are the same temperature.
    same = float(value) if type(value) is int and abs(value) < 1 << 53 else value
    return canonical_json(to_plain(same))
