"""The recorded candidates that come with anyofk, and the problems that they answer."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files

from anyofk.exchange import CandidateSource, read_candidates
from anyofk.problems import ProblemSet, read_problems


def recorded_candidates() -> tuple[CandidateSource, ProblemSet]:
    """Give the recorded candidates with those problems of ``basics`` that they answer."""
    basics = read_problems("basics")
    with as_file(files("anyofk.problems") / "demo" / "candidates.jsonl") as path:
        source = read_candidates(path, basics)
    answered = tuple(problem for problem in basics if problem.id in source.n)
    notes = (*basics.notes, f"{len(answered)} of the {len(basics)} problems of basics are used")
    return source, replace(basics, problems=answered, notes=notes)
