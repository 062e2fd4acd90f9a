"""A run from model to verdicts: frozen, resumable, safe to kill at any moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from anyofk.drawing import Drawing, Provider
from anyofk.pipeline.drawing_plan import DrawingPlan
from anyofk.pipeline.judging_settings import Judge, JudgingSettings
from anyofk.pipeline.overlapping import Overlap
from anyofk.pipeline.repairing import PublicJudge, RepairProvider, RepairTerms
from anyofk.pipeline.stored import unlike
from anyofk.problems import ProblemSet
from anyofk.records import Manifest, Verdict
from anyofk.store import DrawWriter


class DrawnRun:
    """Draw what is missing, judge what has no verdict, and store both as they come.

    Parameters
    ----------
    path
        The run's file; it is made where absent.
    problems, plan, settings
        What is asked, how it is drawn, how it is judged.
    fresh
        Whether to delete what the file holds, and start over.
    extend
        Whether a stored run may grow to the plan's n.
    judge_each
        Whether equal programs are judged one by one, and not once.
    provider, judge
        Whom to ask and what judges; the plan's and the settings' own by default.
    environment
        Where the provider finds its key.

    Raises
    ------
    UnlikeRunsError
        The file holds a run of something else; ``differences`` names what.
    ProviderError
        The model is not there.
    """

    def __init__(
        self,
        path: Path,
        problems: ProblemSet,
        plan: DrawingPlan,
        settings: JudgingSettings,
        *,
        fresh: bool = False,
        extend: bool = False,
        judge_each: bool = False,
        provider: Provider | None = None,
        judge: Judge | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.path = path
        self.total = plan.n * len(problems)
        self._plan, self._problems = plan, problems
        provider = provider or plan.provider(dict(environment or {}))
        judging = judge or settings.judge
        if plan.rounds > 1:
            terms = RepairTerms(plan.rounds, plan.prompt.feedback, plan.extractor)
            public = PublicJudge(problems, judging)
            provider = RepairProvider(provider, problems, public, terms)
        self._block = provider.abilities.most
        self._writer = DrawWriter(path)
        self._drawing: Drawing | None = None
        self._overlap: Overlap | None = None
        try:
            if fresh:
                self._writer.fresh()
            self._drawing = Drawing(provider, plan.terms(), self._writer.spent())
            self._begin_or_resume(self._drawing.open(), settings, extend=extend)
            self.drawn_before, self.judged_before = self._writer.size(), self._writer.judged()
            self._overlap = Overlap(self._writer, problems, plan, judging, judge_each=judge_each)
        except BaseException:
            self.close()
            raise

    def _begin_or_resume(
        self, served: dict[str, Any], settings: JudgingSettings, *, extend: bool
    ) -> None:
        manifest = self._plan.manifest(served, block=self._block)
        judging = settings.manifest(self._problems)
        stored = self._writer.stored()
        if stored is None:
            self._writer.begin_drawing(manifest, judging, self._problems)
            return
        n_before = stored.content.get("drawing", {}).get("n", 0)
        grows = extend and 0 < n_before < self._plan.n
        compared = _with_n(stored, self._plan.n) if grows else stored
        wanted = Manifest({**manifest.content, **judging.content})
        if differences := compared.differences(wanted):
            raise unlike(self.path, differences, _hint(differences))
        if grows:
            self._writer.extend(manifest, n_before, self._plan.n)

    def __iter__(self) -> Iterator[Verdict]:
        """Give the new verdicts as they come; each is stored within half a second."""
        if self._overlap is not None and self._drawing is not None:
            yield from self._overlap.verdicts(self._drawing, self._block)

    @property
    def ended(self) -> str:
        """Why drawing ended before all was drawn, else empty."""
        ended = self._overlap.ended if self._overlap else None
        return ended.reason if ended else ""

    @property
    def failed(self) -> bool:
        """Whether it ended so by the model's fault, and no budget's."""
        ended = self._overlap.ended if self._overlap else None
        return bool(ended and ended.failed)

    @property
    def drawn(self) -> int:
        """How many candidates there are."""
        return self.drawn_before + (self._overlap.drawn if self._overlap else 0)

    def close(self) -> None:
        """End everything, and store what came."""
        try:
            if self._drawing is not None:
                self._drawing.close()
            if self._overlap is not None:
                self._overlap.close()
        finally:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _with_n(stored: Manifest, n: int) -> Manifest:
    drawing = {**stored.content.get("drawing", {}), "n": n}
    return Manifest({**stored.content, "drawing": drawing})


def _hint(differences: list[str]) -> str:
    other = "give this one another --name, or --fresh to delete the stored one and start over"
    grown = len(differences) == 1 and differences[0].startswith("drawing.n:")
    return f"--extend adds draws to the stored one; else {other}" if grown else other
