"""How long to wait, and how many may ask at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Final, Self

_FIRST_WAIT: Final = 0.5
_LONGEST_BACK_OFF: Final = 30.0
_LONGEST_ASKED: Final = 3600.0
_FIRST_LIMIT: Final = 8
_ONE_PIECE_OF_NEWS: Final = 0.5


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how many seconds a server wants us to wait, or none.

    Examples
    --------
    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after": "soon"})
    (2.0, None)
    """
    with suppress(KeyError, ValueError):
        return _seconds(float(headers["retry-after-ms"]) / 1000)
    given = headers.get("retry-after", "")
    with suppress(ValueError):
        return _seconds(float(given))
    with suppress(TypeError, ValueError, OverflowError):
        until = parsedate_to_datetime(given)
        return _seconds((until.astimezone(UTC) - datetime.now(UTC)).total_seconds())
    return None


def _seconds(value: float) -> float | None:
    return min(max(value, 0.0), _LONGEST_ASKED) if value == value else None  # noqa: PLR0124 - nan


class BackOff:
    """How long to wait before the next try.

    Parameters
    ----------
    seed
        Of the jitter, which keeps many from coming back at once.
    first
        Seconds before the second try; each further one doubles it.
    """

    def __init__(self, seed: int = 0, first: float = _FIRST_WAIT) -> None:
        self._random = random.Random(seed)  # noqa: S311 - jitter, no secret
        self._first = first

    def seconds(self, tries: int, after: float | None) -> float:
        """Give the wait after so many tries; never less than the server asked for."""
        jitter = self._random.uniform(0.5, 1.0)
        if after is not None:
            return after + jitter * min(1.0, self._first)
        return min(self._first * 2.0 ** (tries - 1), _LONGEST_BACK_OFF) * jitter


class Gate:
    """Let so many ask at a time; fewer after the server said that it is busy.

    Parameters
    ----------
    most
        The most at a time. It begins with 8 and doubles with each round until the server is
        first too busy; from then on it grows by one a round.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(min(most, _FIRST_LIMIT))
        self._grown = False
        self._inside = 0
        self._closed_until = 0.0
        self._halved_at = float("-inf")
        self._changed = asyncio.Condition()

    @property
    def limit(self) -> int:
        """How many may ask at a time, at the moment."""
        return int(self._limit)

    @property
    def closed_until(self) -> float:
        """The time of the event loop before which none may ask."""
        return self._closed_until

    async def __aenter__(self) -> Self:
        while True:
            await self._opened()
            async with self._changed:
                await self._changed.wait_for(lambda: self._inside < self.limit)
                if self._closed_for() <= 0:
                    self._inside += 1
                    return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        async with self._changed:
            self._inside -= 1
            self._changed.notify(1 + self.limit - self._inside if self._inside < self.limit else 1)

    def ease(self) -> None:
        """Note that the server answered."""
        step = 1.0 / self._limit if self._grown else 1.0
        self._limit = min(float(self._most), self._limit + step)

    def press(self, after: float | None) -> None:
        """Note that the server is busy: half as many ask, and none before the time it names."""
        now = asyncio.get_running_loop().time()
        self._closed_until = max(self._closed_until, now + (after or 0.0))
        self._grown = True
        # all that were under way may be refused at once: that is one piece of news, not many
        if now - self._halved_at >= _ONE_PIECE_OF_NEWS:
            self._halved_at = now
            self._limit = max(1.0, self._limit / 2)

    def _closed_for(self) -> float:
        return self._closed_until - asyncio.get_running_loop().time()

    async def _opened(self) -> None:
        while (left := self._closed_for()) > 0:  # noqa: ASYNC110 - a time is waited for, no event
            await asyncio.sleep(left)
