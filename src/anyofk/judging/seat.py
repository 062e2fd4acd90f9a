"""A seat: the zygotes of one worker, and the trials that are in flight in them."""

from __future__ import annotations

import contextlib
import itertools
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from anyofk.errors import SandboxError
from anyofk.judging.packages import PRELOADED
from anyofk.judging.trial import BODIES, Check, Kind, Program, Ran, Side, Task, Trial, Warmth
from anyofk.sandbox import Exit, Zygote, ZygoteLost, ZygoteSpec

DEPTH: Final = 3
_MAX_ZYGOTES: Final = 6
_PRELOAD: Final = ("random",)
_Name = tuple[Side, Kind, tuple[str, ...], int]


@dataclass
class Ticket:
    """A trial in flight."""

    number: int
    task: Task
    trial: Trial
    waits_for: set[_Name] = field(default_factory=set)
    exits: dict[Side, Exit] = field(default_factory=dict)
    lost: bool = False

    @property
    def ran(self) -> Ran:
        """How it ran, when nothing is waited for any more."""
        return Ran(self.exits.get("candidate"), self.exits.get("checker"), self.lost)


class Seat:
    """One worker: it takes trials, posts them, and gives them back when they ran.

    Trials of one pair of zygotes are posted a few ahead, so that the zygotes never wait for
    us; a trial for other zygotes, or one that must be alone, waits until nothing is in flight.
    """

    def __init__(self, level: Any) -> None:
        self._level = level
        self._zygotes: dict[_Name, Zygote] = {}
        self._serving: dict[_Name, str] = {}
        self._tickets: dict[int, Ticket] = {}
        self._numbers = itertools.count(1)
        self._started = False
        self.key = ""

    @property
    def in_flight(self) -> int:
        """How many trials are posted and not back."""
        return len(self._tickets)

    def zygotes(self) -> list[Zygote]:
        """All zygotes that have something to say."""
        return [zygote for zygote in self._zygotes.values() if zygote.pending]

    def takes(self, trial: Trial) -> bool:
        """Whether a trial may be posted now."""
        if not self._tickets:
            return True
        if trial.alone or len(self._tickets) >= DEPTH:
            return False
        names = set(_names(trial).values())
        if any(self._zygotes[name].spent for name in names & self._zygotes.keys()):
            return False
        return all(
            not ticket.trial.alone and set(_names(ticket.trial).values()) == names
            for ticket in self._tickets.values()
        )

    def post(self, task: Task, trial: Trial) -> Ran | None:
        """Post a trial; what comes back at once is why it could not even begin."""
        names = _names(trial)
        self.key = task.key
        try:
            for name in names.values():
                self._ready(name, set(names.values()))
        except SandboxError as error:
            if not self._started:
                raise  # nothing works here at all, and nothing was run
            return Ran(fault=str(error))
        ticket = Ticket(next(self._numbers), task, trial)
        self._tickets[ticket.number] = ticket
        # A zygote found dead here says so again when it is received from.
        with contextlib.suppress(ZygoteLost):
            self._post(ticket, names)
        return None

    def _ready(self, name: _Name, needed: set[_Name]) -> None:
        """Start a zygote on demand; replace one that is spent."""
        zygote = self._zygotes.get(name)
        if zygote is not None and zygote.spent and not zygote.pending:
            self._forget(name)
            zygote = None
        if zygote is None:
            self._make_room(needed)
            side, kind, packages, hash_seed = name
            spec = ZygoteSpec(
                level=self._level,
                role=side,
                bodies=BODIES[side, kind],
                preload=(*_PRELOAD, *(p for p in packages if p in PRELOADED)),
                packages=packages,
                hash_seed=hash_seed,
            )
            self._zygotes[name] = Zygote.start(spec)
            self._started = True

    def _make_room(self, needed: set[_Name]) -> None:
        """End the oldest idle zygotes when there are many: of rare packages and hash seeds."""
        others = {name: z for name, z in self._zygotes.items() if name not in needed}
        idle = [name for name, zygote in others.items() if not zygote.pending]
        for name in idle[: max(0, len(self._zygotes) - _MAX_ZYGOTES + 1)]:
            self._forget(name)

    def _post(self, ticket: Ticket, names: dict[Side, _Name]) -> None:
        trial = ticket.trial
        ours, theirs = socket.socketpair() if len(names) == len(_SIDES) else (None, None)
        try:
            if trial.program is not None:
                ticket.waits_for.add(names["candidate"])
                self._post_program(ticket.number, names["candidate"], trial.program, ours)
            if trial.check is not None:
                ticket.waits_for.add(names["checker"])
                self._post_check(ticket.number, names["checker"], trial.check, theirs)
        finally:
            for end in (ours, theirs):
                if end is not None:
                    end.close()

    def _post_program(
        self, number: int, name: _Name, program: Program, channel: socket.socket | None
    ) -> None:
        self._zygotes[name].post(
            number,
            program.body,
            program.payload,
            program.limits,
            channel=channel.fileno() if channel else None,
            stdin=program.stdin,
            want_stdout=program.want_stdout,
        )

    def _post_check(
        self, number: int, name: _Name, check: Check, channel: socket.socket | None
    ) -> None:
        """Post a check; the plan goes with it only where the resident does not have it."""
        payload = check.payload
        if check.plan:
            known = self._serving.get(name) == check.key
            payload = b'{"key":"%s","apart":%s%s}' % (
                check.key.encode("ascii"),
                b"true" if check.apart else b"false",
                b"" if known else b',"plan":' + check.plan,
            )
            self._serving[name] = check.key
        else:
            self._serving.pop(name, None)
        self._zygotes[name].post(
            number,
            check.body,
            payload,
            check.limits,
            channel=channel.fileno() if channel else None,
            resident=check.key,
        )

    def receive(self, zygote: Zygote) -> Iterator[Ticket]:
        """Take what a zygote says; give the tickets that are complete with it."""
        name = next(name for name, known in self._zygotes.items() if known is zygote)
        try:
            ended = zygote.receive()
        except ZygoteLost:
            yield from self._lose(name)
            return
        ticket = self._tickets.get(ended.job_id)
        if name[0] == "checker" and ended.kind != "done":
            self._serving.pop(name, None)
        if ticket is not None:
            ticket.exits[name[0]] = ended
            yield from self._complete(ticket, name)

    def _lose(self, name: _Name) -> Iterator[Ticket]:
        self._forget(name)
        for ticket in list(self._tickets.values()):
            if name in ticket.waits_for:
                ticket.lost = True
                yield from self._complete(ticket, name)

    def _complete(self, ticket: Ticket, name: _Name) -> Iterator[Ticket]:
        ticket.waits_for.discard(name)
        if not ticket.waits_for:
            del self._tickets[ticket.number]
            yield ticket

    def _forget(self, name: _Name) -> None:
        self._serving.pop(name, None)
        self._zygotes.pop(name).close()

    def close(self) -> None:
        """End all zygotes and what runs in them."""
        for name in list(self._zygotes):
            self._forget(name)
        self._tickets.clear()


_SIDES: Final[tuple[Side, ...]] = ("candidate", "checker")


def _names(trial: Trial) -> dict[Side, _Name]:
    """Name the zygotes that a trial needs."""
    warmth: Warmth = trial.warmth
    names: dict[Side, _Name] = {}
    if trial.program is not None:
        names["candidate"] = ("candidate", trial.kind, warmth.packages, warmth.hash_seed)
    if trial.check is not None:
        names["checker"] = ("checker", "isolated", warmth.packages, 0)
    return names
