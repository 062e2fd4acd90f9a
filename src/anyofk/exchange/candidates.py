"""The one door to candidates: files of every common form, directories, standard input, memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from anyofk.errors import CandidateFileError, DuplicateWarning, IdenticalDrawsWarning
from anyofk.exchange.entries import Entry, entries
from anyofk.exchange.origins import DirectoryOrigin, FileOrigin, MemoryOrigin, Origin, StreamOrigin
from anyofk.exchange.survey import Survey, digest_of
from anyofk.problems import ProblemSet
from anyofk.records import Candidate


@dataclass(frozen=True, eq=False)
class CandidateSource:
    """Candidates that were checked, and can be gone through again and again.

    Attributes
    ----------
    name
        What the source is called.
    missing
        The ids of problems without a candidate: without a decision about them there is no
        headline number.
    n
        The number of candidates of each problem that has some.
    empty
        The number of empty candidates of each problem that has some: failed ones, in n.
    distinct
        The number of different texts of each problem that has candidates.
    duplicates
        How many candidates stood again under the same draw with the same text, and were
        left out.
    settings
        How all of them were drawn, as far as the source says.
    looks_like_chat
        How many do not parse and look like chat replies: ``--extract`` is for those.
    cut_short
        How many the model did not end by itself (``finish_reason`` is ``length``).
    notes
        What a user should know about how they were read, one sentence each.
    raw
        Whether the texts are raw replies, out of which the programs are still to be taken.
    """

    name: str
    missing: tuple[str, ...]
    n: dict[str, int]
    empty: dict[str, int]
    distinct: dict[str, int]
    duplicates: int
    settings: dict[str, Any]
    looks_like_chat: int
    cut_short: int
    notes: tuple[str, ...]
    _origin: Origin = field(repr=False)
    _survey: Survey = field(repr=False)
    raw: bool = False

    def __iter__(self) -> Iterator[Candidate]:
        """Go through the candidates in the order of the source."""
        counted: dict[str, int] = {}
        hashes = self._survey.hashes
        for ordinal, entry in enumerate(_entries(self._origin, raw=self.raw)):
            if ordinal >= len(hashes) or digest_of(entry) != hashes[ordinal]:
                raise self._changed()
            draw = counted.get(entry.problem, 0)
            counted[entry.problem] = draw + 1
            if ordinal not in self._survey.repeated:
                yield entry.candidate(draw if entry.draw is None else entry.draw)

    def __len__(self) -> int:
        """Count the candidates."""
        return sum(self.n.values())

    @property
    def deterministic(self) -> bool:
        """Whether draws cannot differ: temperature 0, or no sampling.

        pass@k is then pass@1 for every k by construction, and is refused for k above 1.
        """
        settings = self.settings
        return (
            settings.get("temperature") == 0
            or settings.get("do_sample") is False
            or settings.get("greedy") is True
        )

    @cached_property
    def digest(self) -> str:
        """The id of the source's content: ``sha256:`` and 64 digits."""
        return self._origin.digest()

    def _changed(self) -> CandidateFileError:
        return CandidateFileError(
            f"{self.name} changed while it was read",
            hint="let nothing write to it, and start again",
            file=self.name,
        )


def read_candidates(
    source: str | Path | Iterable[Candidate], problems: ProblemSet, *, raw: bool = False
) -> CandidateSource:
    """Read and check candidates; their texts are read again when they are gone through.

    Parameters
    ----------
    source
        A file of JSON Lines or a JSON array (perhaps gzipped), a directory of programs, ``-``
        for standard input, or candidates in memory.
    problems
        The problems that they answer.
    raw
        Read what the models said, in whatever field it stands, as raw replies.

    Returns
    -------
    CandidateSource
        Iterable, in constant memory for all but a JSON array.

    Raises
    ------
    CandidateFileError
        Something in it is not as it must be: with ``file``, ``line`` and ``field``.

    Warns
    -----
    DuplicateWarning
        Candidates stood again under the same draw with the same text.
    IdenticalDrawsWarning
        All draws of every problem are the same text.
    """
    origin = _origin(source, problems)
    survey = Survey(problems)
    from_array = False
    for entry in _entries(origin, raw=raw):
        from_array |= entry.row.line is None
        survey.add(entry)
    survey.finish(origin.name)
    checked = _source(origin, survey, from_array=from_array and not _is_plain(origin), raw=raw)
    _warn(checked)
    return checked


def _origin(source: str | Path | Iterable[Candidate], problems: ProblemSet) -> Origin:
    if not isinstance(source, str | Path):
        return MemoryOrigin(source)
    if str(source) == "-":
        return StreamOrigin.standard_input()
    path = Path(source)
    if not str(source):
        raise CandidateFileError("the path of the candidates is empty", hint="give a file or -")
    if path.is_dir():
        return DirectoryOrigin(path, problems.ids)
    if path.exists() and not path.is_file():
        with path.open("rb") as stream:
            return StreamOrigin(stream, path.name)
    return FileOrigin(path)


def _entries(origin: Origin, *, raw: bool) -> Iterator[Entry]:
    for row in origin.rows():
        yield from entries(row, raw=raw)


def _is_plain(origin: Origin) -> bool:
    return isinstance(origin, DirectoryOrigin | MemoryOrigin)


def _source(origin: Origin, survey: Survey, *, from_array: bool, raw: bool) -> CandidateSource:
    kept = survey.by_problem
    n = {problem: len(set(draws.draws)) for problem, draws in kept.items()}
    repeated = len(survey.repeated)
    notes = (
        *((f"{origin.name} is a JSON array, not JSON Lines; it was read as one",) * from_array),
        *((f"candidates that stood twice and count once: {repeated}",) * bool(repeated)),
    )
    return CandidateSource(
        name=origin.name,
        missing=survey.missing,
        n=n,
        empty=_empty(survey),
        distinct={problem: len(set(draws.hashes)) for problem, draws in kept.items()},
        duplicates=repeated,
        settings=survey.settings,
        looks_like_chat=survey.looks_like_chat,
        cut_short=survey.cut_short,
        notes=notes,
        _origin=origin,
        _survey=survey,
        raw=raw,
    )


def _empty(survey: Survey) -> dict[str, int]:
    return {
        problem: len(draws.empty) for problem, draws in survey.by_problem.items() if draws.empty
    }


def _warn(source: CandidateSource) -> None:
    if source.duplicates:
        message = (
            "candidates that stood twice (same problem, draw and text) and count once: "
            f"{source.duplicates}"
        )
        warnings.warn(message, DuplicateWarning, stacklevel=3)
    repeating = [problem for problem, n in source.n.items() if n > 1]
    if repeating and all(source.distinct[problem] == 1 for problem in repeating):
        message = (
            f"all draws of a problem are the same text in {len(repeating)} of "
            f"{len(repeating)} problems with more than one: pass@k is pass@1 here"
        )
        warnings.warn(message, IdenticalDrawsWarning, stacklevel=3)
