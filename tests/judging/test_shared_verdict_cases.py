"""The shared field cases of kind ``verdict``; their words are mapped in one place."""

import json
import os
import time

import pytest

from anyofk.errors import ProblemError
from anyofk.judging import judge
from anyofk.records import Call, Stream, Tests

WORDS = {
    "pass": lambda verdict: verdict.passed,
    "fail": lambda verdict: verdict.judged and not verdict.passed,
    "timeout": lambda verdict: verdict.outcome == "timeout",
    "crash": lambda verdict: verdict.outcome == "crashed",
    "output_limit": lambda verdict: verdict.outcome == "output_limit",
    "pass_flagged_suspicious": lambda _: False,
}
CASES = [f"S-verdict-{number:02d}" for number in range(1, 19)]


@pytest.fixture(scope="module")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines) if case["kind"] == "verdict"}


def as_tests(given):
    if given["mode"] == "stdin":
        streams = tuple(Stream(c["stdin"], c["stdout"]) for c in given["cases"])
        floats = given["compare"] == "tokens_float_1e-6"
        return Tests(
            streams=streams, comparison="floats" if floats else "tokens", tolerance=1e-6 * floats
        )
    if given["mode"] == "calls":
        return Tests(calls=tuple(Call(tuple(c["args"]), c["expected"]) for c in given["calls"]))
    if given["mode"] == "reference":
        return Tests(calls=tuple(Call(tuple(args), oracle=True) for args in given["calls"]))
    return given["test"]


def judged(given, level):
    calls = given["mode"] in ("calls", "reference")
    reference_check = given["mode"] == "reference_check"
    return judge(
        given["candidate"],
        as_tests(given),
        mode="stdio" if given["mode"] == "stdin" else "isolated",
        entry_point=given.get("entry_point", "f") if calls else None,
        time_limit=given["timeout_s"],
        reference=given["candidate"] if reference_check else given.get("reference"),
        level=level,
    )


@pytest.mark.parametrize("name", CASES)
def test_a_field_case_gets_its_verdict(name, cases, level, monkeypatch):
    case = cases[name]
    given, right = case["input"], case["right"]
    for variable, value in given.get("env", {}).items():
        monkeypatch.setenv(variable, value)
    if given["mode"] == "sequence":
        verdicts = [judge(s["candidate"], s["test"], level=level) for s in given["sequence"]]
        wanted = [WORDS[word](v) for word, v in zip(right["verdicts"], verdicts, strict=True)]
        assert all(wanted), verdicts
    elif right["verdict"] in ("invalid_task", "flaky_task"):
        with pytest.raises(ProblemError, match=r"flaky|no check"):
            judged(given, level)
    else:
        start = time.monotonic()
        verdict = judged(given, level)
        assert any(WORDS[word](verdict) for word in right.get("accept", [right["verdict"]])), (
            verdict
        )
        busy = os.getloadavg()[0] > 2 * (os.cpu_count() or 1)
        assert busy or time.monotonic() - start < right.get("wall_s_max", 60)


def test_every_shared_verdict_case_is_tried(cases):
    assert sorted(cases) == CASES
