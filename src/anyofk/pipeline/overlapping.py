"""Drawing and judging side by side: one thread stores what both bring, as it comes."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from anyofk.drawing import Drawing, Drawn, Ended
from anyofk.pipeline.drawing_plan import DrawingPlan
from anyofk.pipeline.judging_settings import Judge
from anyofk.pipeline.judging_thread import JudgingEnded, JudgingThread
from anyofk.pipeline.twins import Twins, twin
from anyofk.problems import ProblemSet
from anyofk.records import Answer, Candidate, Verdict
from anyofk.store import DrawWriter

Event = Drawn | Ended | Verdict | JudgingEnded
_AHEAD: Final = 500
"""Candidates that may wait for being judged before drawing waits for them."""
_BATCH: Final = 200


class Overlap:
    """Store what is drawn, let it be judged, and store what is judged.

    Parameters
    ----------
    writer
        The run; this thread alone writes to it.
    problems, plan
        What is asked, and how.
    judge
        What judges.
    judge_each
        Whether equal programs are judged one by one.
    """

    def __init__(
        self,
        writer: DrawWriter,
        problems: ProblemSet,
        plan: DrawingPlan,
        judge: Judge,
        *,
        judge_each: bool,
    ) -> None:
        self._writer = writer
        self._problems = problems
        self._plan = plan
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._judging = JudgingThread(judge, self._events.put)
        self._twins = None if judge_each else Twins()
        self._old: Iterator[Candidate] | None = writer.unjudged()
        self._new: set[tuple[str, int]] = set()
        self._owed = 0
        self._told = self._over = False
        self.drawn = 0
        self.ended: Ended | None = None

    def verdicts(self, drawing: Drawing, block: int) -> Iterator[Verdict]:
        """Give the verdicts as they come."""
        missing = self._writer.missing(self._plan.n, block)
        self._judging.start()
        drawing.start(self._plan.questions(missing, self._problems), self._events.put)
        while not self._over:
            yield from self._hand_in_old()
            if self.ended and self._old is None and not self._told:
                self._told = True
                self._judging.end()
            yield from self._happened(self._batch())
            self._make_room(drawing)
        self._writer.flush()

    def _batch(self) -> list[Event]:
        """Wait for something to happen, and take all that has."""
        batch = [self._events.get()]
        while len(batch) < _BATCH and not self._events.empty():
            batch.append(self._events.get())
        return batch

    def _happened(self, batch: list[Event]) -> Iterator[Verdict]:
        """Store first what was drawn, for that is what costs."""
        for answer in self._keep([event for event in batch if isinstance(event, Drawn)]):
            yield from self._hand_in(answer.candidate)
        for event in batch:
            if isinstance(event, Verdict):
                yield from self._record(event)
            elif isinstance(event, Ended):
                self.ended = event
            elif isinstance(event, JudgingEnded):
                self._over = True
            error = None if isinstance(event, Drawn | Verdict) else event.error
            if error is not None:
                raise error

    def _keep(self, drawn: list[Drawn]) -> list[Answer]:
        price = self._plan.budget.price
        rows = []
        for each in drawn:
            cost = price.of(each.request) if price else None
            answers = tuple(
                self._plan.extractor.answer(self._problems[reply.problem], reply)
                for reply in each.replies
            )
            rows.append((replace(each.request, cost=cost), answers))
        if rows:
            self._writer.keep(rows)
        self._owed += len(drawn)
        kept = [answer for _, answers in rows for answer in answers]
        self.drawn += len(kept)
        if self._old is not None:
            self._new.update((one.candidate.problem, one.candidate.draw) for one in kept)
        return kept

    def _hand_in_old(self) -> Iterator[Verdict]:
        """Let be judged what an earlier session drew and did not judge."""
        while self._old is not None and self._judging.waiting < _AHEAD:
            candidate = next(self._old, None)
            if candidate is None:
                self._old = None
                self._new.clear()
            elif (candidate.problem, candidate.draw) not in self._new:
                yield from self._hand_in(candidate)

    def _hand_in(self, candidate: Candidate) -> Iterator[Verdict]:
        """Let a candidate be judged, unless an equal one was, or is being judged."""
        first = self._twins.first(candidate) if self._twins else None
        if first is not None:
            verdict = twin(self._writer.verdict(candidate.problem, first), candidate)
            self._writer.record(verdict)
            yield verdict
        elif not (self._twins and self._twins.waits(candidate)):
            self._judging.hand_in((self._problems[candidate.problem], candidate))

    def _record(self, verdict: Verdict) -> Iterator[Verdict]:
        for each in (verdict, *(self._twins.judged(verdict) if self._twins else ())):
            self._writer.record(each)
            yield each

    def _make_room(self, drawing: Drawing) -> None:
        if self._judging.waiting < _AHEAD:
            drawing.took(self._owed)
            self._owed = 0

    def close(self) -> None:
        """End judging, and keep what came and was not stored yet."""
        self._judging.close()
        left = [self._events.get() for _ in range(self._events.qsize())]
        self._keep([event for event in left if isinstance(event, Drawn)])
