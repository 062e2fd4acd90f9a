"""Verify: candidates in, verdicts out as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from anyofk.errors import DataError
from anyofk.exchange import CandidateSource, read_candidates
from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import JudgingSettings
from anyofk.pipeline.sources import problem_set
from anyofk.pipeline.stored import StoredVerification
from anyofk.problems import ProblemSet
from anyofk.records import Candidate, Problem, Verdict


def verify(
    candidates: str | Path | Iterable[Candidate],
    problems: str | Path | ProblemSet | Iterable[Problem],
    *,
    workers: int | None = None,
    time_limit: float = 3.0,
    memory_mb: int = 1024,
    allow_inprocess: bool = False,
    allow_weak: str | None = None,
    extract: bool = False,
    store: str | Path | None = None,
    fresh: bool = False,
) -> Iterator[Verdict]:
    """Judge candidates in the sandbox and give each verdict as it comes.

    Parameters
    ----------
    candidates
        A file or folder in one of the known forms, or candidates in memory. Without a store
        they are taken one by one, so that they may be endless.
    problems
        A problem set: its name, its file, or problems in memory.
    workers
        Candidates judged at a time; none takes one for each core.
    time_limit
        Seconds of CPU and of wall time for a candidate, before scaling to the reference's.
    memory_mb
        MiB for all processes of a candidate together.
    allow_inprocess
        Judge problems in the forgeable mode where their reference needs it.
    allow_weak
        Accept this isolation level where none as strong as ``fence`` holds.
    extract
        Read the texts as raw replies, and take the programs out of them (`anyofk.extract`);
        replies without a program are failed candidates, each with its reason.
    store
        A file that keeps the run: the same call goes on where an earlier one ended, and
        gives only the new verdicts. Read it with `anyofk.store.Run`.
    fresh
        Delete what the store holds, and start over.

    Yields
    ------
    Verdict
        In the order of completion. Candidates of a faulty problem are ``broken``.

    Raises
    ------
    DataError
        A candidate answers a problem that is not in the set, or a file is not as it must be.
    UnlikeRunsError
        The store holds a run of something else.
    SandboxError
        No sandbox works here.
    """
    chosen = problem_set(problems)
    settings = JudgingSettings(workers, time_limit, memory_mb, allow_inprocess, allow_weak)
    if store is not None:
        source = read_candidates(candidates, chosen, raw=extract)
        return _stored(Path(store), source, chosen, settings, fresh=fresh)
    if isinstance(candidates, str | Path):
        candidates = read_candidates(candidates, chosen, raw=extract)
    if extract:
        answers = Extractor().answers(candidates, chosen)
        candidates = (answer.candidate for answer in answers)
    return settings.judge(_pairs(candidates, chosen))


def _stored(
    path: Path,
    source: CandidateSource,
    problems: ProblemSet,
    settings: JudgingSettings,
    *,
    fresh: bool,
) -> Iterator[Verdict]:
    """Take the run's lock with the first verdict that is asked for, not before."""
    with StoredVerification(path, source, problems, settings, fresh=fresh) as verification:
        yield from verification


def _pairs(
    candidates: Iterable[Candidate], problems: ProblemSet
) -> Iterator[tuple[Problem, Candidate]]:
    for candidate in candidates:
        if candidate.problem not in problems:
            raise DataError(
                f"draw {candidate.draw} answers problem {candidate.problem!r}, "
                f"which is not in problem set {problems.name!r}",
                hint="give the problem set that the candidates were drawn for",
                problem=candidate.problem,
            )
        yield problems[candidate.problem], candidate
