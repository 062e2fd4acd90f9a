"""The first pass over candidates: everything that can be known without keeping their texts.

Of each candidate there stay a hash of eight bytes and three numbers, so that a million
candidates fit into some thirty megabytes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from anyofk.errors import CandidateFileError
from anyofk.exchange.chat import looks_like_chat
from anyofk.exchange.entries import Entry, fault
from anyofk.problems import ProblemSet
from anyofk.records import canonical_json

_SEED: Final = "seed"  # one for each draw is right
_SHOWN: Final = 5


@dataclass(slots=True)
class Draws:
    """What is kept of one problem's candidates, in the order of the file."""

    draws: array[int] = field(default_factory=lambda: array("q"))
    hashes: array[int] = field(default_factory=lambda: array("Q"))
    ordinals: array[int] = field(default_factory=lambda: array("q"))
    empty: int = 0


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
        self._settings: dict[str, dict[str, Any]] = {}
        self._with_setting: Counter[str] = Counter()
        self._unknown: dict[str, Entry] = {}
        self._numbered: bool | None = None

    def add(self, entry: Entry) -> None:
        """Check and remember one candidate."""
        ordinal = len(self.hashes)
        self.hashes.append(digest_of(entry))
        if entry.problem not in self.problems:
            self._unknown.setdefault(entry.problem, entry)
            return
        self._check_numbered(entry)
        self._add_settings(entry)
        kept = self.by_problem.setdefault(entry.problem, Draws())
        kept.draws.append(len(kept.draws) if entry.draw is None else entry.draw)
        kept.hashes.append(self.hashes[-1])
        kept.ordinals.append(ordinal)
        kept.empty += not entry.text.strip()
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
        if self._unknown:
            raise self._unknown_ids()
        if not self.by_problem:
            hint = "see that the candidates were written; no candidate gives no number"
            raise CandidateFileError(f"{file} holds no candidate", hint=hint, file=file)
        for name in self._settings:
            if len(self.values(name)) > 1:
                raise mixed_settings(file, name, self.values(name))
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
        return {name: self.values(name)[0] for name in self._settings}

    def values(self, name: str) -> list[Any]:
        """List the values of a setting, with none where a candidate does not have it."""
        some_without = self._with_setting[name] < len(self.hashes)
        return [*self._settings[name].values(), *([None] if some_without else [])]

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
                self._settings.setdefault(name, {}).setdefault(_key(value), value)
                self._with_setting[name] += 1

    def _unknown_ids(self) -> CandidateFileError:
        shown = ", ".join(repr(name) for name in list(self._unknown)[:_SHOWN])
        more = len(self._unknown) - _SHOWN
        entry = next(iter(self._unknown.values()))
        return fault(
            entry.row,
            "task_id",
            f"unknown problem {shown}{f' and {more} more' if more > 0 else ''}",
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
    for draw, digest, ordinal in zip(kept.draws, kept.hashes, kept.ordinals, strict=True):
        earlier = first.get(draw)
        if earlier is None:
            first[draw] = digest
        elif earlier == digest:
            again.append(ordinal)
        else:
            raise _conflict(problem, draw, file)
    return again


def _conflict(problem: str, draw: int, file: str) -> CandidateFileError:
    return CandidateFileError(
        f"{file}: draw {draw} of problem {problem!r} has two different texts",
        hint="number the draws so that each candidate has its own, or leave the numbers out",
        file=file,
        field="draw",
        problem=problem,
        draw=draw,
    )


def mixed_settings(file: str, name: str, values: list[Any]) -> CandidateFileError:
    """Make the error for candidates that were drawn in different ways."""
    shown = ", ".join("absent" if value is None else repr(value) for value in values[:_SHOWN])
    return CandidateFileError(
        f"{file}: candidates of different {name} are mixed: {shown}",
        hint=f"pass@k of a mixture has no meaning: split the file by {name}",
        file=file,
        field=name,
        values=tuple(values),
    )


def _key(value: Any) -> str:
    # 0 and 0.0 are the same temperature.
    same = float(value) if type(value) is int and abs(value) < 1 << 53 else value
    return canonical_json(same)
