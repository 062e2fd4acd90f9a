"""Calls that travel together: they tell no results, and move no outcome."""

import pytest

from anyofk.judging import calibrate, judge
from anyofk.judging.composition import undecided
from anyofk.judging.inside.preparation import prepared
from anyofk.judging.inside.telling import telling
from anyofk.judging.plan import Plan
from anyofk.judging.settings import Settings
from anyofk.judging.trial import Ran
from anyofk.records import Call, Problem, Tests
from anyofk.sandbox import Exit

SWAPS = {2: 3, 3: 2, 5: 7, 7: 5}
REFERENCE = f"def f(x): return {SWAPS}[x]\n"
ASSERTS = "\n".join(f"assert f({x}) == {y}" for x, y in SWAPS.items())
CALLS = Tests(calls=tuple(Call((x,), y) for x, y in SWAPS.items()))

# Finds the lists of calls in the frames above it and in what the collector knows.
FORGER = """
import gc, sys

def lists():
    frame = sys._getframe()
    while frame := frame.f_back:
        yield from frame.f_locals.values()
    yield from gc.get_objects()

def arguments():
    for thing in lists():
        for found in thing.values() if type(thing) is dict else [thing]:
            if type(found) is list and len(found) in (3, 4):
                calls = [c[1] if len(c) > 1 else c for c in found if type(c) is list and c]
                if len(calls) == len(found) > 1 and all(type(c) is list for c in calls):
                    flat = [c[0] for c in calls if c]
                    if sorted(map(str, flat)) in (["2", "3", "5", "7"], ["2", "3", "5"]):
                        return flat
    return []

def f(x):
    known = arguments()
    place = known.index(x) if x in known else 0
    return known[place ^ 1] if len(known) > place ^ 1 else None
"""


@pytest.mark.parametrize(
    ("calls", "results", "told"),
    [
        ([[2], [3]], [[3], [2]], True),
        ([[2], [3]], [[2], [3]], False),
        ([[1], [2], [3], [4]], [[2], [3], [4], [5]], True),
        ([[2], [3], [5]], [[30], [50], [3]], False),
        ([["a"], ["b"]], [[True], [None]], False),
        ([["a"], [{"t": ["x", {"d": {"k": "b"}}]}]], [["b"], ["c"]], True),
        ([["a"], [[1, 2]]], [[{"t": [1, 2.0]}], ["c"]], True),
        ([["a"], ["b"]], [["x", "b"], ["c"]], True),
        ([[1], [True]], [[True], [7]], False),
        ([], [], False),
    ],
)
def test_half_of_the_results_in_later_arguments_are_telling(calls, results, told):
    assert telling(calls, results) is told


@pytest.mark.hostile
@pytest.mark.parametrize("tests", [ASSERTS, CALLS], ids=["asserts", "calls"])
def test_a_program_that_reads_the_other_calls_does_not_pass(tests, level):
    options = {"entry_point": "f", "level": level}
    for reference in (REFERENCE, None):
        assert judge(REFERENCE, tests, reference=reference, **options).passed
        assert not judge(FORGER, tests, reference=reference, **options).passed


def problem_of(tests, reference):
    return Problem("p", entry_point="f", tests=(tests,), reference=reference)


def test_calls_that_tell_nothing_travel_together(level):
    test = "assert f(1) == 10\nassert f(2) == 20\n"
    plain = problem_of(Tests(code=test), "def f(x): return 10 * x\n")
    assert len(calibrate(plain, level=level).foreseen) == 2
    swaps = problem_of(Tests(code=ASSERTS), REFERENCE)
    assert calibrate(swaps, level=level).foreseen == []


def test_what_is_known_of_a_message_is_kept_in_the_calibration(level):
    problem = problem_of(CALLS, REFERENCE)
    found = calibrate(problem, level=level)
    assert found.telling == [[True]]
    groups = prepared(Plan(problem, found, Settings(level=level))._content()).groups
    assert [len(chunk.calls) for chunk in groups[0].chunks] == [1, 1, 1, 1]


DEATHS = {
    "cpu": "while True: pass",
    "exit": "import os; os._exit(0)",
    "signal": "import os; os.kill(os.getpid(), 11)",
    "output": "print('x' * (20 << 20))",
}


@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS)
@pytest.mark.parametrize("form", ["asserts", "calls"])
def test_a_wrong_answer_stays_one_when_a_later_call_would_kill(death, form, level):
    right = "def f(x): return 10 * x\n"
    calls = tuple(Call((x,), 10 * x) for x in (1, 2, 3))
    code = "".join(f"assert f({x}) == {10 * x}\n" for x in (1, 2, 3))
    tests = Tests(code=code) if form == "asserts" else Tests(calls=calls)
    options = {"reference": right, "entry_point": "f", "time_limit": 0.5, "level": level}
    late = f"def f(x):\n    if x == 3:\n        {death}\n    return 10 * x + (x == 2)\n"
    verdict = judge(late, tests, **options)
    assert verdict.outcome == "wrong_answer", verdict
    assert verdict.checks_passed == 1
    early = f"def f(x):\n    if x == 2:\n        {death}\n    return 10 * x\n"
    assert judge(early, tests, **options).outcome not in ("wrong_answer", "passed")


@pytest.mark.parametrize(
    ("report", "said", "again"),
    [
        (b"", b'{"outcome": "gone", "answered": 0}', False),
        (b".", b'{"outcome": "gone", "answered": 0}', True),
        (b".", b'{"outcome": "gone", "answered": 1}', False),
        (b"..", b"", True),
        (b"", b"", False),
        (b".", b'{"outcome": "wrong_answer", "answered": 0}', False),
        (b"", b'{"outcome": "deviated", "answered": 1}', True),
    ],
)
def test_only_a_death_between_calls_of_one_message_costs_a_second_trial(report, said, again):
    ended = Exit(1, "cpu", report=report), Exit(1, "done", report=said)
    assert undecided(Ran(*ended)) is again


def test_a_stateful_program_is_judged_on_the_calls_that_the_test_makes(level):
    """Calls that were foreseen and not made must not have changed the program's state."""
    test = "if f(1) == 1:\n    assert f(2) == 2\nassert f(3) in (2, 3)\nassert f(4) in (3, 4)\n"
    right = "n = 0\ndef f(x):\n    global n\n    n += 1\n    return n\n"
    other = "n = 1\ndef f(x):\n    global n\n    n += 1\n    return n\n"
    assert judge(right, test, reference=right, level=level).passed
    verdict = judge(other, test, level=level, reference=right)
    assert verdict.outcome == "wrong_answer"
    assert "2 of 3" in verdict.message or "3 of" in verdict.message
