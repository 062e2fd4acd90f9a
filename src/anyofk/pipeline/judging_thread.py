"""Judging in a thread of its own: pairs in as they are there, verdicts out as they come."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final

from anyofk.pipeline.judging_settings import Judge
from anyofk.records import Candidate, Problem, Verdict

Pair = tuple[Problem, Candidate]
_END: Final = None


@dataclass(frozen=True, slots=True)
class JudgingEnded:
    """Judging has ended; ``error`` says why, where it was not by itself."""

    error: BaseException | None = None


class JudgingThread:
    """Judge what is handed in, until it is told that no more comes.

    Parameters
    ----------
    judge
        What judges pairs.
    sink
        Is called from the judging thread with each verdict, at last with `JudgingEnded`.
    """

    def __init__(self, judge: Judge, sink: Callable[[Verdict | JudgingEnded], None]) -> None:
        self._judge = judge
        self._sink = sink
        self._handed: queue.SimpleQueue[Pair | None] = queue.SimpleQueue()
        self._open = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="judging", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many pairs were handed in and not taken yet."""
        return self._handed.qsize()

    def hand_in(self, pair: Pair) -> None:
        """Let a candidate be judged."""
        self._handed.put(pair)

    def end(self) -> None:
        """Say that no more comes."""
        self._handed.put(_END)

    def close(self) -> None:
        """Stop at once, and end everything that was started for it."""
        self._stopped.set()
        self._handed.put(_END)
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        error: BaseException | None = None
        verdicts = self._judge(self._pairs())
        try:
            for verdict in verdicts:
                self._open -= 1
                self._sink(verdict)
                if self._stopped.is_set():
                    break
        except BaseException as raised:  # noqa: BLE001 - handed to the thread that waits for it
            error = raised
        finally:
            if isinstance(verdicts, Generator):
                verdicts.close()
        self._sink(JudgingEnded(error))

    def _pairs(self) -> Iterator[Pair | None]:
        """Give what was handed in; nothing at the moment is none, as long as something runs."""
        while not self._stopped.is_set():
            try:
                pair = self._handed.get(block=self._open == 0)
            except queue.Empty:
                yield None
                continue
            if pair is _END:
                return
            self._open += 1
            yield pair
