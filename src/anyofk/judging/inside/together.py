"""Mode ``inprocess``: program and test in one process. Whatever this reports can be forged."""

from __future__ import annotations

import io
import marshal
import types
import unittest
from typing import Any, Final

from anyofk.judging.codec import Json, decode, dumps
from anyofk.judging.comparison import rule
from anyofk.judging.inside.candidate import described
from anyofk.judging.inside.instrument import Checks, kept_code, test_code
from anyofk.judging.inside.program import Uncompilable, adapted, compiled, module, seed
from anyofk.judging.messages import one_line, shown


def run(job: Any) -> None:
    """Run one candidate with its tests."""
    order = marshal.loads(job.payload)  # noqa: S302 -- our own parent wrote it
    trial = Trial(order)
    job.report(dumps(trial.report()))


class Trial:
    """One program and its tests in one namespace."""

    def __init__(self, order: Json) -> None:
        self._order = order
        self._checks = Checks()
        self._more = 0
        self._group = ""
        self._adapter = ""

    def report(self) -> Json:
        """Run, and say how it ended."""
        outcome, message = self._outcome()
        held = self._checks.held + self._more
        return {
            "outcome": outcome,
            "message": one_line(message),
            "held": held,
            "reached": held + self._checks.failed,
            "calls": 1,
            "group": "" if outcome == "passed" else self._group,
            "adapter": self._adapter,
        }

    def _outcome(self) -> tuple[str, str]:
        entry = self._order["entry"]
        built = module()
        try:
            code = compiled(self._order["program"])
            self._seed()
            exec(code, built.__dict__)  # noqa: S102 -- this process exists to run it
            self._adapter = adapted(built.__dict__, [entry])
            if entry and entry not in built.__dict__:
                return "missing_entry_point", f"the program defines no {entry!r}"
            for group in self._order["groups"]:
                self._run(group, built)
        except Uncompilable as error:
            return "syntax_error", str(error)
        except BaseException as error:  # noqa: BLE001 -- whatever is raised is told
            return _failure(error)
        return "passed", ""

    def _seed(self) -> None:
        """Seed the generators where anything may draw from them."""
        texts = [self._order["program"], *(group["code"] for group in self._order["groups"])]
        if any("random" in text for text in texts):
            seed(self._order["seed"])

    def _run(self, group: Json, built: types.ModuleType) -> None:
        self._group, names = group["name"], built.__dict__
        names.update(self._checks.names(group["code"].splitlines()))
        if group["setup"]:
            exec(compile(group["setup"], "<setup>", "exec", dont_inherit=True), names)  # noqa: S102 -- the problem's own code
        code, calls_check = test_code(group, frozenset())
        if code is not None:
            exec(code, names)  # noqa: S102 -- the problem's own code
        if calls_check:
            names["check"](names[self._order["entry"]])
        if "TestCase" in group["code"]:
            asserted = self._checks.held
            self._more += max(0, _run_cases(built) - (self._checks.held - asserted))
        self._run_calls(group, names)

    def _run_calls(self, group: Json, names: dict[str, Any]) -> None:
        same = rule(group["comparison"], group["tolerance"])
        for data, right in zip(group["calls"], group["expected"], strict=True):
            arguments, expected = [decode(argument) for argument in data], decode(right)
            got = names[self._order["entry"]](*arguments)
            if not same(expected, got, [decode(argument) for argument in data]):
                shown_arguments = ", ".join(map(shown, arguments))[:200]
                raise AssertionError(
                    f"check failed: {self._order['entry']}({shown_arguments})"
                    f" -- expected {shown(expected)}, got {shown(got)}"
                )
            self._more += 1


def _run_cases(built: types.ModuleType) -> int:
    """Run the unittest cases of the test, if there are any; how many ran."""
    suite = unittest.TestLoader().loadTestsFromModule(built)
    if not suite.countTestCases():
        return 0
    result = unittest.TextTestRunner(stream=io.StringIO(), failfast=True).run(suite)
    problems = [*result.failures, *result.errors]
    if problems:
        test, trace = problems[0]
        raise AssertionError(f"check failed: {test}: {trace.strip().splitlines()[-1]}")
    return result.testsRun - len(result.skipped)


def _failure(error: BaseException) -> tuple[str, str]:
    _, kinds, _, text = described(error)
    name = str(kinds[0])
    if isinstance(error, AssertionError):
        return "wrong_answer", text or "an assertion failed"
    named = {"SystemExit": "exited", "PermissionError": "forbidden", "MemoryError": "memory_limit"}
    return named.get(name, "exception"), f"{name}: {text}"


_WARMING: Final = "def check(f):\n    assert f(1) == 2, 'note'\n    assert f(2) > 3\n"


def warm_up() -> None:
    """Go once the way that every candidate goes, so that no child pays for first uses."""
    kept = kept_code(_WARMING, frozenset())
    group: Json = {"name": "", "setup": "", "code": _WARMING, "compiled": kept, "calls": []}
    group |= {"expected": [], "comparison": "equal", "tolerance": 0.0}
    order = {"entry": "f", "groups": [group], "seed": 1}
    for body in ("return 2 * x", "return x", "return 1 / 0", "return") * 5:
        program = f"def f(x):\n    {body}\n"
        payload = marshal.dumps({**order, "program": program})
        run(types.SimpleNamespace(payload=payload, report=len))
