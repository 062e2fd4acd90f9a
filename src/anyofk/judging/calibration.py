"""Calibrations: what the reference, run alone, says about how a problem must be judged."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from anyofk.judging.codec import Json


@dataclass(frozen=True)
class Calibration:
    """How one problem is judged.

    Attributes
    ----------
    problem
        The content id of the problem.
    mode
        ``isolated``, ``stdio`` or ``inprocess``.
    fault
        Why the problem can't be judged, else empty.
    reason
        Why not ``isolated``, else empty.
    names, modules
        What the tests take from the program, and of the standard library unasked.
    context
        Whether the tests take names from the prompt.
    checks_expected, checks_failed
        Executed checks of the reference, and how many of them failed on the way (tests may
        expect that); none where that varies or there is no reference.
    mutated
        Per name the positions of the arguments that the reference mutates; none while that
        is being found out.
    foreseen
        Calls of plain data that the tests make first, as name and arguments: the same for
        every program, as long as it answers as the reference does.
    telling
        Per group and message of calls whether later arguments hold earlier results; empty
        where nobody looked.
    compiled
        Per group the instrumented code of its test, and whether its ``check`` is to be
        called; empty where that is large.
    expected
        Per group and call what the reference returned, as tagged JSON.
    reference_cpu_s, checker_cpu_s
        Seconds of the slowest run of the reference, and of its checker.
    referenced
        Whether there was a reference.
    """

    problem: str
    mode: str = "isolated"
    fault: str = ""
    reason: str = ""
    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    context: bool = False
    checks_expected: int | None = None
    checks_failed: int = 0
    mutated: dict[str, list[int]] | None = field(default_factory=dict)
    foreseen: list[Json] = field(default_factory=list)
    telling: list[list[bool]] = field(default_factory=list)
    compiled: list[Json] = field(default_factory=list)
    expected: list[list[Json]] = field(default_factory=list)
    reference_cpu_s: float = 0.0
    checker_cpu_s: float = 0.0
    referenced: bool = False

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Calibration:
        """Read from plain data as `to_json` writes it."""
        lists = {name: tuple(data[name]) for name in ("names", "modules")}
        return cls(**{**data, **lists})
