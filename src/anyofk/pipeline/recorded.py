"""The recorded replies that come with anyofk, and the problems that they answer."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files

from anyofk.exchange import CandidateSource, read_candidates
from anyofk.problems import ProblemSet, read_problems


def recorded_candidates() -> tuple[CandidateSource, ProblemSet]:
    """Give the recorded replies with those problems of ``basics`` that they answer."""
    basics = read_problems("basics")
    with as_file(files("anyofk.problems") / "demo" / "replies.jsonl") as path:
        source = read_candidates(path, basics, raw=True)
    answered = tuple(problem for problem in basics if problem.id in source.n)
    notes = (*basics.notes, f"{len(answered)} of the {len(basics)} problems of basics are used")
    return _named(source), replace(basics, problems=answered, notes=notes)


def _named(source: CandidateSource) -> CandidateSource:
    """Say whose replies these are, and how anyone can draw others."""
    drawn = source.settings
    how = (
        f"recorded replies of {drawn['model']}, drawn on {drawn['date']} at temperature "
        f"{drawn['temperature']}, judged now; drawn anew by: anyofk run --model "
        f"{drawn['provider']}:{drawn['model']} --problems basics --where tier=easy -n 8"
    )
    return replace(source, notes=(*source.notes, how))
