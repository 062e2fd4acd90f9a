"""The stored form of verify: frozen, resumable, safe to kill at any moment."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Self

from anyofk.errors import UnlikeRunsError
from anyofk.exchange import CandidateSource
from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import Judge, JudgingSettings
from anyofk.problems import ProblemSet
from anyofk.records import Answer, Candidate, Manifest, Problem, Verdict, to_plain
from anyofk.store import Run, RunWriter

SHOWN = 8
"""Differences that a message names; the rest are in the attribute."""


class StoredVerification:
    """Judge the candidates of a run that have no verdict yet, and store each verdict.

    The run is made if the file does not hold it; a bad candidate then leaves no half run.

    Parameters
    ----------
    path
        The run's file.
    source, problems
        What is judged.
    settings
        How it is judged.
    fresh
        Whether to delete what the file holds, and start over.
    judge
        What judges pairs of problem and candidate; the settings' own by default.
    extractor
        What takes the programs out of raw replies, where the source holds those.

    Raises
    ------
    UnlikeRunsError
        The file holds a run of something else; ``differences`` names what.
    """

    def __init__(
        self,
        path: Path,
        source: CandidateSource,
        problems: ProblemSet,
        settings: JudgingSettings,
        *,
        fresh: bool = False,
        judge: Judge | None = None,
        extractor: Extractor | None = None,
    ) -> None:
        self.path = path
        self._extractor = extractor or (Extractor() if source.raw else None)
        self._problems = problems
        self._judge = judge or settings.judge
        version = self._extractor.version if self._extractor else "none"
        manifests = _run_manifest(source, version), settings.manifest(problems)
        self._writer = RunWriter(path)
        try:
            if fresh:
                self._writer.fresh()
            self._begin_or_resume(manifests, source)
            with Run(path) as run:
                self.total, self.judged_before = run.size(), run.size() - run.pending()
        except BaseException:
            self._writer.close()
            raise

    def _begin_or_resume(self, now: tuple[Manifest, Manifest], source: CandidateSource) -> None:
        stored = self._writer.stored()
        if stored is None:
            self._writer.begin(*now, self._problems, self._extracted(source))
            return
        wanted = Manifest({**now[0].content, **now[1].content})
        if differences := stored.differences(wanted):
            raise unlike(self.path, differences)

    def _extracted(self, source: CandidateSource) -> Iterable[Candidate | Answer]:
        return self._extractor.answers(source, self._problems) if self._extractor else source

    def __iter__(self) -> Iterator[Verdict]:
        """Give the new verdicts as they come; each is stored within half a second."""
        verdicts = self._judge(self._pairs())
        try:
            for verdict in verdicts:
                self._writer.record(verdict)
                yield verdict
        finally:
            # a traceback would keep the generator, and with it its workers, alive
            if isinstance(verdicts, Generator):
                verdicts.close()
            self._writer.flush()

    def _pairs(self) -> Iterator[tuple[Problem, Candidate]]:
        for candidate in self._writer.unjudged():
            yield self._problems[candidate.problem], candidate

    def close(self) -> None:
        """Store what is not yet stored, and let go of the run."""
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _run_manifest(source: CandidateSource, extraction: str) -> Manifest:
    """Freeze what is judged, and by which rules it was taken out of replies, if it was."""
    facts = {
        "digest": source.digest,
        "extraction": extraction,
        "settings": to_plain(source.settings),
        "deterministic": source.deterministic,
    }
    return Manifest({"candidates": facts})


def unlike(path: Path, differences: list[str], hint: str = "") -> UnlikeRunsError:
    """Refuse to go on with a run of something else."""
    shown = "; ".join(differences[:SHOWN])
    rest = f"; and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
    return UnlikeRunsError(
        f"run {path.name.removesuffix('.db')!r} was made otherwise: {shown}{rest}",
        hint=hint
        or "give this one another --name, or --fresh to delete the stored one and start over",
        differences=differences,
    )
