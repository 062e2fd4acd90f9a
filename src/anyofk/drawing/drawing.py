"""Drawing in a thread of its own: questions in, what became of them out, many at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from anyofk.drawing.asking import Asker, Drawn, Patience
from anyofk.drawing.provider import Provider, Question
from anyofk.drawing.sampling import seed_of
from anyofk.drawing.spending import Budget, Meter
from anyofk.drawing.waiting import Gate

T = TypeVar("T")

_AHEAD: Final = 1000
"""Questions that may be answered before what came of them is taken."""
_GIVE_UP: Final = 3
"""Questions in a row that were tried in vain, after which the rest is not asked: at least so
many, and at least all that are asked at a time."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Drawing has ended.

    Attributes
    ----------
    reason
        Why before all was asked, else empty.
    failed
        Whether that was the model's fault, and no budget's.
    error
        A fault of our own, or none.
    """

    reason: str = ""
    failed: bool = False
    error: BaseException | None = None


@dataclass(frozen=True)
class Terms:
    """On which terms is drawn.

    Attributes
    ----------
    concurrency
        The most requests at a time.
    patience
        How long to try.
    budget
        When to stop.
    seed
        Of the run; none draws without seeds.
    token_limit
        The most tokens of a reply.
    """

    concurrency: int = 8
    patience: Patience = field(default_factory=Patience)
    budget: Budget = field(default_factory=Budget)
    seed: int | None = 0
    token_limit: int = 1024


class Drawing:
    """Draw in a thread of its own, so that judging goes on meanwhile.

    Parameters
    ----------
    provider
        Whom to ask.
    terms
        How.
    spent
        Tokens and cost of what was drawn before.
    """

    def __init__(
        self, provider: Provider, terms: Terms, spent: tuple[int, float] = (0, 0.0)
    ) -> None:
        self._provider = provider
        self._terms = terms
        self._meter = Meter(terms.budget, *spent)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="drawing", daemon=True)
        self._thread.start()
        self._stopped = ""
        self._failed = 0
        self._hopeless = False
        self._room: asyncio.Semaphore | None = None
        self._work: Future[None] | None = None

    def open(self) -> dict[str, Any]:
        """Get the provider ready, and say what serves."""
        return self._wait(self._provider.open())

    def start(self, questions: Iterator[Question], sink: Callable[[Drawn | Ended], None]) -> None:
        """Ask all questions; ``sink`` is called from the drawing thread, at last with `Ended`."""
        self._work = asyncio.run_coroutine_threadsafe(self._draw(questions, sink), self._loop)

    def took(self, number: int = 1) -> None:
        """Make room: so many results were taken care of."""
        for _ in range(number):
            self._loop.call_soon_threadsafe(self._release)

    def stop(self, reason: str) -> None:
        """Ask nothing more; what is under way still comes."""
        self._stopped = self._stopped or reason

    def close(self) -> None:
        """End everything, what is under way too."""
        if self._loop.is_closed():
            return
        if self._work is not None:
            self._work.cancel()
        with suppress(Exception):
            self._wait(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        """Let the cancelled tasks end before their connections are closed."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._provider.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _release(self) -> None:
        if self._room is not None:
            self._room.release()

    async def _draw(
        self, questions: Iterator[Question], sink: Callable[[Drawn | Ended], None]
    ) -> None:
        self._meter.began = self._loop.time()
        self._room = asyncio.Semaphore(_AHEAD + self._terms.concurrency)
        gate = Gate(self._terms.concurrency)
        asker = Asker(self._provider, gate, self._patience(), self._seed)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._terms.concurrency):
                    group.create_task(self._work_off(questions, asker, sink))
        except BaseExceptionGroup as errors:
            sink(Ended(error=errors.exceptions[0]))
        else:
            sink(Ended(self._stopped, self._hopeless))

    async def _work_off(
        self, questions: Iterator[Question], asker: Asker, sink: Callable[[Drawn | Ended], None]
    ) -> None:
        """Ask one question after another, beside others that do the same."""
        while True:
            if self._room is not None:
                await self._room.acquire()
            self._stopped = self._stopped or self._meter.spent(self._loop.time())
            question = None if self._stopped else next(questions, None)
            if question is None:
                return
            drawn = await asker.ask(question)
            limit = self._terms.token_limit
            self._meter.add(drawn.request, prompt=question.prompt, token_limit=limit)
            self._look_at(drawn)
            sink(drawn)

    def _look_at(self, drawn: Drawn) -> None:
        """Stop where going on would only fail."""
        self._failed = self._failed + 1 if drawn.exhausted else 0
        if drawn.fatal or self._failed >= max(_GIVE_UP, self._terms.concurrency):
            self._hopeless = True
            self.stop(f"the model gives no answers: {drawn.request.error}")

    def _patience(self) -> Patience:
        """Wait for nothing after the time is over."""
        seconds = self._terms.budget.seconds
        until = None if seconds is None else self._meter.began + seconds
        return replace(self._terms.patience, until=until)

    def _seed(self, problem: str, draw: int) -> int | None:
        if self._terms.seed is None or not self._provider.abilities.seeds:
            return None
        return seed_of(self._terms.seed, problem, draw)
