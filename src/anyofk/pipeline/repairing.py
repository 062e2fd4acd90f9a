"""Repair: a model answers, sees what its program did on the public tests, and answers again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from anyofk.drawing import Abilities, Came, Choice, Provider, Question, Trouble, Usage
from anyofk.errors import AnyofkError, UsageError
from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import Judge
from anyofk.pipeline.judging_thread import JudgingEnded, JudgingThread
from anyofk.problems import ProblemSet
from anyofk.records import Candidate, Outcome, Problem, Reply, Verdict


class PublicJudge:
    """Judge programs on the public tests of their problems, for those who wait for it.

    Parameters
    ----------
    problems
        The problems; each needs public tests.
    judge
        What judges.

    Raises
    ------
    UsageError
        Some problem has no public tests.
    """

    def __init__(self, problems: ProblemSet, judge: Judge) -> None:
        self._public = {problem.id: public_part(problem) for problem in problems}
        if without := [name for name, each in self._public.items() if not each.tests]:
            raise UsageError(
                f"{len(without)} problems have no public tests to repair by, "
                f"the first is {without[0]!r}",
                hint="choose others with --where, or draw without --rounds",
            )
        self._thread = JudgingThread(judge, self._judged)
        self._waiting: dict[tuple[str, int], asyncio.Future[Verdict]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: BaseException | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin; verdicts are handed to this loop."""
        self._loop = loop
        self._thread.start()

    async def verdict(self, candidate: Candidate) -> Verdict:
        """Judge one candidate."""
        if self._ended is not None:
            raise self._ended
        answer = asyncio.get_running_loop().create_future()
        self._waiting[candidate.problem, candidate.draw] = answer
        self._thread.hand_in((self._public[candidate.problem], candidate))
        verdict: Verdict = await answer
        return verdict

    def _judged(self, event: Verdict | JudgingEnded) -> None:
        """Hand over what the judging thread says, in the loop of those who wait."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_over, event)

    def _hand_over(self, event: Verdict | JudgingEnded) -> None:
        if isinstance(event, Verdict):
            answer = self._waiting.pop((event.problem, event.draw), None)
            if answer is not None and not answer.done():
                answer.set_result(event)
            return
        self._ended = event.error or AnyofkError("judging on the public tests has ended")
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._ended)

    def close(self) -> None:
        """End judging."""
        self._thread.close()


def public_part(problem: Problem) -> Problem:
    """Give a problem with its public tests alone; they are all that a model may hear of.

    Examples
    --------
    >>> from anyofk.records import Tests
    >>> both = (Tests(code="assert f()"), Tests("public", public=True, code="assert f()"))
    >>> [group.name for group in public_part(Problem("p", tests=both)).tests]
    ['public']
    """
    return replace(problem, tests=tuple(group for group in problem.tests if group.public))


@dataclass(frozen=True)
class RepairTerms:
    """How is repaired.

    Attributes
    ----------
    rounds
        The most answers of one conversation.
    feedback
        What the model is told, with ``{feedback}`` for what went wrong.
    extractor
        How programs are taken out of replies.
    """

    rounds: int
    feedback: str
    extractor: Extractor


class RepairProvider:
    """Hold whole conversations with a model, and give the last reply of each as its answer.

    A conversation ends when its program passes the public tests, or with its last round. What
    it cost is the sum over its rounds.

    Parameters
    ----------
    provider
        The model.
    problems, public
        What is asked, and what judges meanwhile.
    terms
        How is repaired.
    """

    def __init__(
        self, provider: Provider, problems: ProblemSet, public: PublicJudge, terms: RepairTerms
    ) -> None:
        self._provider = provider
        self._problems = problems
        self._public = public
        self._terms = terms
        self.abilities: Abilities = replace(provider.abilities, most=1)

    async def open(self) -> dict[str, Any]:
        """Get the model ready, and say what serves."""
        served = await self._provider.open()
        self._public.start(asyncio.get_running_loop())
        return served

    async def ask(self, question: Question) -> Came:
        """Hold one conversation."""
        turns: list[tuple[str, str]] = []
        usages: list[Usage] = []
        while True:
            came = await self._round(replace(question, turns=tuple(turns)), usages)
            choice = came.choices[0]
            usages.append(came.usage)
            told = ""
            if len(turns) + 1 < self._terms.rounds:
                told = await self._told(question, choice, usages)
            if not told:
                ended = replace(choice, earlier=tuple(turns), tokens=None)
                return replace(came, choices=(ended,), usage=_sum(usages))
            turns.append((choice.text, told))

    async def _round(self, question: Question, usages: list[Usage]) -> Came:
        """Ask for one answer; where nothing comes, the rounds before it are paid all the same."""
        try:
            return await self._provider.ask(question)
        except Trouble as trouble:
            trouble.usage = _sum([*usages, trouble.usage])
            raise

    async def _told(self, question: Question, choice: Choice, usages: list[Usage]) -> str:
        """Say what the model is told about its answer; nothing where it passes."""
        problem, draw = self._problems[question.problem], question.draws[0]
        reply = Reply(problem.id, draw, choice.text, finish_reason=choice.finish_reason)
        candidate = self._terms.extractor.answer(problem, reply).candidate
        verdict = await self._public.verdict(candidate)
        if verdict.outcome is Outcome.BROKEN:
            message = f"the public tests could not be judged: {verdict.message}"
            raise Trouble(message, again=False, usage=_sum(usages))
        if verdict.passed:
            return ""
        kind = f"{verdict.outcome.value.replace('_', ' ')}: "
        said = f"{kind if candidate.extraction == 'ok' else ''}{verdict.message}"
        return self._terms.feedback.replace("{feedback}", said)

    async def close(self) -> None:
        """Let go of the model and of judging."""
        await asyncio.to_thread(self._public.close)
        await self._provider.close()


def _sum(usages: list[Usage]) -> Usage:
    return Usage(
        _known_sum([usage.prompt for usage in usages]),
        _known_sum([usage.completion for usage in usages]),
    )


def _known_sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
