"""Trials: one run of a program, or of a part of a problem, in the zygotes of a worker.

What is to be done is a generator that yields trials, is sent how each ran, and returns its
result; the pool drives many of them at once.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, TypeVar

from anyofk.sandbox import Exit, Limits

Side = Literal["candidate", "checker"]
Kind = Literal["isolated", "together", "output"]
T = TypeVar("T")

_INSIDE: Final = "anyofk.judging.inside"
SERVE: Final = f"{_INSIDE}.candidate:serve"
SCRIPT: Final = f"{_INSIDE}.script:run"
ORACLE: Final = f"{_INSIDE}.oracle:run"
TOGETHER: Final = f"{_INSIDE}.together:run"
CHECK: Final = f"{_INSIDE}.checker:serve"
OUTPUT: Final = f"{_INSIDE}.output:judge"
BODIES: Final[dict[tuple[Side, Kind], tuple[str, ...]]] = {
    ("candidate", "isolated"): (SERVE, SCRIPT, ORACLE),
    ("candidate", "together"): (TOGETHER,),
    ("checker", "isolated"): (CHECK, OUTPUT),
}


@dataclass(frozen=True)
class Warmth:
    """Which zygotes a trial needs.

    Attributes
    ----------
    packages
        Packages that the program may import beside the standard library.
    hash_seed
        The hash seed of the program's process.
    """

    packages: tuple[str, ...] = ()
    hash_seed: int = 0


@dataclass(frozen=True)
class Program:
    """The candidate's side of a trial: a body with its payload and limits."""

    body: str
    payload: bytes
    limits: Limits
    stdin: bytes | None = None
    want_stdout: bool = False


@dataclass(frozen=True)
class Check:
    """The checker's side of a trial.

    Attributes
    ----------
    key
        Names the problem: the resident process that keeps its compiled tests.
    plan
        The tests as JSON; sent when the resident does not have them yet.
    apart
        Whether each call is made in a message of its own.
    """

    body: str
    key: str
    limits: Limits
    plan: bytes = b""
    payload: bytes = b""
    apart: bool = False


@dataclass(frozen=True)
class Trial:
    """One run: a program, a check, or both connected by a socket.

    Attributes
    ----------
    alone
        Nothing else of its worker may be in flight.
    """

    program: Program | None
    check: Check | None = None
    kind: Kind = "isolated"
    warmth: Warmth = Warmth()
    alone: bool = False

    def again(self) -> Trial:
        """The same, once more and alone."""
        return replace(self, alone=True)


@dataclass(frozen=True)
class Ran:
    """How a trial ran.

    Attributes
    ----------
    program, check
        How either side ended; none where it was not asked for, or lost.
    lost
        A zygote died while the trial was in flight.
    fault
        Why the sandbox could not even begin, else empty.
    """

    program: Exit | None = None
    check: Exit | None = None
    lost: bool = False
    fault: str = ""

    @cached_property
    def said(self) -> dict[str, Any]:
        """What the checker reported; empty where it could not."""
        return _object(self.check.report) if self.check else {}

    @property
    def told(self) -> Any:
        """What the program's own process reported: hostile text."""
        try:
            return json.loads(self.program.report) if self.program else None
        except (ValueError, RecursionError):
            return None


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


Steps: TypeAlias = Generator[Trial, Ran, T]


@dataclass
class Task:
    """Steps in the pool's hands; ``key`` names the problem, so that a worker stays with it."""

    key: str
    steps: Steps[Any]
    label: Any = None
    failure: BaseException | None = None
    result: Any = field(default=None)
