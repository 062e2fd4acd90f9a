"""The pool: drives many tasks at once over a few seats, in the calling thread.

One loop over poll: no thread, no signal handler, no event loop of asyncio, so that it
works in scripts without a main guard, in thread pools, in notebooks and beside torch.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from typing import Any, TypeVar

from anyofk.judging.agenda import Agenda
from anyofk.judging.seat import Seat, Ticket
from anyofk.judging.trial import Ran, Steps, Task, Trial

T = TypeVar("T")


class Pool:
    """Seats for workers, and what they are to do.

    Parameters
    ----------
    level
        The level of the sandbox.
    workers
        How many programs run at once.
    """

    def __init__(self, level: Any, workers: int) -> None:
        self.level = level
        self._owner = os.getpid()
        self._seats = [Seat(level) for _ in range(workers)]
        self._agenda = Agenda()
        self._done: list[Task] = []

    @property
    def busy(self) -> int:
        """How many tasks are not finished."""
        return len(self._agenda) + sum(seat.in_flight for seat in self._seats) + len(self._done)

    @property
    def ours(self) -> bool:
        """Whether this process made it, and not one that it was forked from."""
        return os.getpid() == self._owner

    def begin(self, task: Task) -> None:
        """Take a task on."""
        self._resume(task, None)

    def step(self, seconds: float | None = None) -> list[Task]:
        """Post what can be posted, wait for something to end, and give the finished tasks.

        After so many seconds it waits no longer, and gives none.
        """
        for seat in self._seats:
            self._fill(seat)
        if not self._done:
            for seat, zygote in self._ready(seconds):
                for ticket in seat.receive(zygote):
                    self._returned(ticket)
        done, self._done = self._done, []
        return done

    def finish(self, steps: Steps[T], key: str) -> T:
        """Do one task and nothing else."""
        task = Task(key, steps)
        self.begin(task)
        while not any(done is task for done in self.step()):
            pass
        if task.failure is not None:
            raise task.failure
        result: T = task.result
        return result

    def close(self) -> None:
        """End everything; in a forked copy of the process, touch nothing of the original's."""
        if self.ours:
            for seat in self._seats:
                seat.close()

    def _fill(self, seat: Seat) -> None:
        others = {other.key for other in self._seats if other is not seat}
        while (entry := self._agenda.take(seat.key, others, seat.takes)) is not None:
            task, trial = entry
            fault = seat.post(task, trial)
            if fault is not None:
                self._resume(task, fault)

    def _ready(self, seconds: float | None) -> Iterator[tuple[Seat, Any]]:
        """Wait until some zygote has something to say, or so many seconds."""
        waiting = {
            zygote.fileno(): (seat, zygote) for seat in self._seats for zygote in seat.zygotes()
        }
        if not waiting:
            return
        poll = select.poll()
        for descriptor in waiting:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _ in poll.poll(None if seconds is None else 1000 * seconds):
            yield waiting[descriptor]

    def _returned(self, ticket: Ticket) -> None:
        """Pass on how a trial ran, unless its checker had lost the tests meanwhile."""
        ran = ticket.ran
        if ran.said.get("outcome") == "unprepared":
            self._agenda.add(ticket.task, ticket.trial, first=True)
        else:
            self._resume(ticket.task, ran)

    def _resume(self, task: Task, ran: Ran | None) -> None:
        try:
            trial: Trial = next(task.steps) if ran is None else task.steps.send(ran)
        except StopIteration as end:
            task.result = end.value
            self._done.append(task)
        except Exception as error:  # noqa: BLE001 -- handed to whoever asked for the task
            task.failure = error
            self._done.append(task)
        else:
            self._agenda.add(task, trial, first=ran is not None)
