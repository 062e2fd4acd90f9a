"""The agenda: what waits to be run, by problem, so that a worker stays with one problem."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable

from anyofk.judging.trial import Task, Trial

Entry = tuple[Task, Trial]


class Agenda:
    """Waiting trials in the order of arrival, grouped by problem."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Entry]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, task: Task, trial: Trial, *, first: bool = False) -> None:
        """Let a trial wait; one that continues a task goes first."""
        entries = self._waiting.setdefault(task.key, deque())
        (entries.appendleft if first else entries.append)((task, trial))
        self._count += 1

    def take(self, key: str, others: set[str], fits: Callable[[Trial], bool]) -> Entry | None:
        """Take what a worker should do next.

        Parameters
        ----------
        key
            The problem that the worker is at; it stays with it while something waits.
        others
            The problems of the other workers: shared only when nothing else waits.
        fits
            Whether the worker can take a trial now.
        """
        chosen = key if key in self._waiting else self._next(others)
        if chosen is None or not fits(self._waiting[chosen][0][1]):
            return None
        entries = self._waiting[chosen]
        entry = entries.popleft()
        self._count -= 1
        if not entries:
            del self._waiting[chosen]
        return entry

    def _next(self, others: set[str]) -> str | None:
        free = next((key for key in self._waiting if key not in others), None)
        if free is not None or not self._waiting:
            return free
        return max(self._waiting, key=lambda key: len(self._waiting[key]))
