"""Asking until something comes: retries, fewer at a time, and what all of it cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from anyofk.drawing.provider import Came, Provider, Question, Trouble, Usage
from anyofk.drawing.waiting import BackOff, Gate
from anyofk.records import Reply, Request


@dataclass(frozen=True, slots=True)
class Drawn:
    """What became of one question.

    Attributes
    ----------
    request
        What was sent, and what it cost.
    replies
        What came.
    missing
        The draws for which nothing came: missing data, no wrong answers.
    fatal
        Whether no other question can fare better.
    exhausted
        Whether it was tried again and again in vain.
    """

    request: Request
    replies: tuple[Reply, ...] = ()
    missing: tuple[int, ...] = ()
    fatal: bool = False
    exhausted: bool = False


@dataclass(frozen=True)
class Patience:
    """How long to try.

    Attributes
    ----------
    tries
        The most tries in a row that bring nothing.
    timeout
        Seconds of one try.
    back_off
        How long to wait between tries.
    until
        The time of the event loop after which nothing is waited for; none is no such time.
    """

    tries: int = 6
    timeout: float = 600.0
    back_off: BackOff = field(default_factory=BackOff)
    until: float | None = None

    def ends_before(self, time: float) -> bool:
        """Whether it is over by then."""
        return self.until is not None and time > self.until


class Asker:
    """Ask a provider one question after another, many at a time.

    Parameters
    ----------
    provider, gate, patience
        Whom, how many at a time, how long.
    seed
        The seed of one draw of a problem, or none where the provider takes no seeds.
    """

    def __init__(
        self,
        provider: Provider,
        gate: Gate,
        patience: Patience,
        seed: Callable[[str, int], int | None],
    ) -> None:
        self._provider = provider
        self._gate = gate
        self._patience = patience
        self._seed = seed
        self._most = provider.abilities.most

    async def ask(self, question: Question) -> Drawn:
        """Ask until all replies are there, or patience ends."""
        course = _Course(question)
        while course.left and not course.over:
            part = course.left[: self._most]
            asked = replace(question, draws=part, seed=self._seed(question.problem, part[0]))
            try:
                came = await self._try(asked, course)
            except Trouble as trouble:
                await self._bear(course, trouble, len(part))
            else:
                self._gate.ease()
                course.take(asked, came)
        return course.end()

    async def _try(self, question: Question, course: _Course) -> Came:
        """Try once; a try without an end is ended."""
        clock = asyncio.get_running_loop().time
        if self._patience.ends_before(self._gate.closed_until):
            raise Trouble("the time is over before the server wants to be asked", again=False)
        async with self._gate:
            began = clock()
            try:
                async with asyncio.timeout(self._patience.timeout):
                    return await self._provider.ask(question)
            except TimeoutError as error:
                seconds = f"{self._patience.timeout:g}"
                raise Trouble(f"no whole answer within {seconds} s", busy=True) from error
            finally:
                course.seconds += clock() - began

    async def _bear(self, course: _Course, trouble: Trouble, asked: int) -> None:
        """Note what went wrong, and wait where another try may help."""
        course.suffer(trouble)
        if trouble.busy:
            self._gate.press(trouble.after)
        if trouble.shrink and asked > 1:
            self._most = max(1, min(self._most, asked // 2))
            return
        course.exhausted = trouble.again and course.failures >= self._patience.tries
        if trouble.fatal or not trouble.again or course.exhausted:
            course.over = True
            return
        wait = self._patience.back_off.seconds(course.failures, trouble.after)
        if self._patience.ends_before(asyncio.get_running_loop().time() + wait):
            course.over = True
            return
        await asyncio.sleep(wait)


class _Course:
    """The course of one question: what came so far, and what it cost."""

    def __init__(self, question: Question) -> None:
        self.left = question.draws
        self.failures = 0
        self.over = False
        self.exhausted = False
        self._problem = question.problem
        self._asked = len(question.draws)
        self.seconds = 0.0
        self._tries = 0
        self._replies: list[Reply] = []
        self._usages: list[Usage] = []
        self._error = ""
        self._fatal = False
        self._model = self._fingerprint = ""

    def take(self, asked: Question, came: Came) -> None:
        """Count what came, whatever was asked for."""
        self._tries += 1
        self.failures = 0
        self._usages.append(came.usage)
        self._model, self._fingerprint = came.model, came.fingerprint
        alone = len(asked.draws) == 1
        for draw, choice in zip(self.left, came.choices, strict=False):
            tokens = came.usage.completion if alone and choice.tokens is None else choice.tokens
            self._replies.append(
                Reply(
                    self._problem,
                    draw,
                    choice.text,
                    choice.reasoning,
                    choice.finish_reason,
                    asked.seed if alone else None,
                    tokens,
                    choice.earlier,
                )
            )
        self.left = self.left[len(came.choices) :]

    def suffer(self, trouble: Trouble) -> None:
        """Count a try that brought nothing; what it cost is paid too."""
        self._tries += 1
        self.failures += 1
        self._usages.append(trouble.usage)
        self._error = trouble.message
        self._fatal = self._fatal or trouble.fatal

    def end(self) -> Drawn:
        """Say what became of it."""
        request = Request(
            self._problem,
            self._asked,
            came=len(self._replies),
            seconds=self.seconds,
            tries=self._tries,
            prompt_tokens=_known_sum([usage.prompt for usage in self._usages]),
            completion_tokens=_known_sum([usage.completion for usage in self._usages]),
            model=self._model,
            fingerprint=self._fingerprint,
            error=self._error if self.left else "",
        )
        return Drawn(request, tuple(self._replies), self.left, self._fatal, self.exhausted)


def _known_sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
