"""Plans: a problem with its calibration, turned into the jobs that judge one candidate."""

from __future__ import annotations

import hashlib
import json
import marshal
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from anyofk.judging.calibration import Calibration
from anyofk.judging.codec import Json, encode
from anyofk.judging.packages import imported
from anyofk.judging.settings import TIME_FACTOR, Settings
from anyofk.judging.trial import CHECK, SERVE, TOGETHER, Check, Program, Trial, Warmth
from anyofk.records import Problem, Tests
from anyofk.sandbox import Limits

_GRACE_S: Final = 0.5
_CHECKER_S: Final = 2.0
_CHECKER_FACTOR: Final = 10.0
_CHECKER_WALL: Final = 10.0
_OPENED: Final = 128


class Plan:
    """How one problem's candidates are run: built once, used for each of them."""

    def __init__(self, problem: Problem, calibration: Calibration, settings: Settings) -> None:
        self.problem = problem
        self.calibration = calibration
        self.settings = settings
        self.seed = int(problem.content_id[-8:], 16)
        self.time_limit = max(
            problem.time_limit or settings.time_limit, TIME_FACTOR * calibration.reference_cpu_s
        )
        self.memory_mb = problem.memory_mb or settings.memory_mb

    def with_calibration(self, **changes: Any) -> Plan:
        """The same problem, calibrated otherwise."""
        return Plan(self.problem, replace(self.calibration, **changes), self.settings)

    def limits(self) -> Limits:
        """What a candidate may use; its wall time spans the checker's work too."""
        waits = _GRACE_S + 3 * self.calibration.checker_cpu_s
        return Limits(
            cpu_s=self.time_limit,
            wall_s=self.time_limit + waits,
            memory_mb=self.memory_mb,
            output_mb=self.settings.output_mb,
        )

    def checker_limits(self) -> Limits:
        """What the checker may use for one candidate's data."""
        seconds = max(_CHECKER_S, _CHECKER_FACTOR * self.calibration.checker_cpu_s)
        return Limits(
            cpu_s=seconds,
            wall_s=_CHECKER_WALL * (self.limits().wall_s + seconds),
            memory_mb=max(self.memory_mb, 1024),
            output_mb=self.settings.output_mb,
        )

    def isolated(self, program: str, hash_seed: int = 0, *, apart: bool = False) -> Trial:
        """The trial that judges a program in mode ``isolated``.

        Calls travel together, or ``apart``: each is made when the test makes it.
        """
        names = list(self.calibration.names)
        order = {
            "program": program,
            "names": names,
            "seed": self.seed,
            "foreseen": [] if apart else self._foreseen,
        }
        payload = marshal.dumps(order)
        return Trial(
            Program(SERVE, payload, self.limits()),
            replace(self.check, apart=apart),
            warmth=self.warmth(program, hash_seed),
        )

    def together(self, program: str, hash_seed: int = 0) -> Trial:
        """The trial that judges a program in mode ``inprocess``."""
        order = {**self._whole, "program": program}
        payload = marshal.dumps(order)
        return Trial(
            Program(TOGETHER, payload, self.limits()),
            kind="together",
            warmth=self.warmth(program, hash_seed),
        )

    def inspection(self) -> Trial:
        """The trial that looks at the tests without running them."""
        payload = json.dumps({"inspect": self._content()}).encode("ascii")
        check = Check(CHECK, f"{self.problem.content_id} inspected", Limits(), payload=payload)
        return Trial(None, check)

    def warmth(self, program: str, hash_seed: int = 0) -> Warmth:
        """Which zygotes a program needs: those with the packages that it or the tests import."""
        packages = self._test_packages | imported(program, trusted=False)
        return Warmth(tuple(sorted(packages)), hash_seed)

    @cached_property
    def check(self) -> Check:
        """The checker's side, the same for all candidates."""
        plan = json.dumps(self._content()).encode("ascii")
        return Check(CHECK, hashlib.sha256(plan).hexdigest(), self.checker_limits(), plan=plan)

    @property
    def size(self) -> int:
        """Bytes that the plan holds, about."""
        return len(self.check.plan) if self.calibration.mode == "isolated" else 0

    @cached_property
    def _whole(self) -> dict[str, Any]:
        return self._content()

    def _content(self) -> dict[str, Any]:
        calibration = self.calibration
        context = self.problem.prompt if self.problem.prompt_is_code else ""
        return {
            "entry": self.problem.entry_point or "",
            "names": list(calibration.names),
            "modules": list(calibration.modules),
            "context": context if calibration.context else "",
            "groups": [group_content(*parts) for parts in self._groups()],
            "mutated": calibration.mutated,
            "foreseen": self._foreseen,
            "seed": self.seed,
        }

    @cached_property
    def _foreseen(self) -> list[Json]:
        """The calls that go with every program, and which of their arguments come back."""
        mutated = self.calibration.mutated
        if mutated is None:
            return []
        return [[name, data, mutated.get(name, [])] for name, data in self.calibration.foreseen]

    def _groups(self) -> Iterator[tuple[Tests, list[Json], list[bool], Json]]:
        """Join each group with what the reference returned and told in it and with its code."""
        count = len(self.problem.tests)
        found = self.calibration.expected or [[]] * count
        telling = self.calibration.telling or [[]] * count
        compiled = self.calibration.compiled or [None] * count
        return zip(self.problem.tests, found, telling, compiled, strict=True)

    @cached_property
    def _test_packages(self) -> frozenset[str]:
        groups = self.problem.tests
        texts = [text for group in groups for text in (group.setup, group.code, group.checker)]
        texts += [self.problem.preamble, self.problem.reference or ""]
        return frozenset().union(*(imported(text, trusted=True) for text in texts))


def group_content(
    group: Tests, found: list[Json], telling: list[bool], compiled: Json
) -> dict[str, Any]:
    """Write one group of tests for the checker, with its code and what the reference returned."""
    return {
        "name": group.name,
        "setup": group.setup,
        "code": group.code,
        "compiled": compiled,
        "calls": [[encode(value) for value in call.arguments] for call in group.calls],
        "expected": _expected(group, found),
        "telling": telling,
        "comparison": group.comparison,
        "tolerance": group.tolerance,
    }


def _expected(group: Tests, found: list[Json]) -> list[Json]:
    expected: list[Json] = []
    for index, call in enumerate(group.calls):
        known = found[index : index + 1]
        if group.comparison == "one_of":
            others = call.expected if isinstance(call.expected, list | tuple) else ()
            expected.append({"t": [*known, *map(encode, others)]})
        elif call.oracle:
            expected.append(known[0] if known else None)
        else:
            expected.append(encode(call.expected))
    return expected
