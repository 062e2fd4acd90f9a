"""Calibration: the reference, run alone, settles the mode, the limits and the counts."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from anyofk.judging import Calibrations, calibrate, judge_all
from anyofk.judging.calibration import Calibration
from anyofk.judging.plan import Plan
from anyofk.judging.settings import Settings
from anyofk.records import Call, Candidate, Problem, Stream, Tests

REFERENCE = "def f(x): return 2 * x"


def problem(code="assert f(2) == 4", reference=REFERENCE, **fields):
    fields = {"entry_point": "f", "tests": (Tests(code=code),), **fields}
    return Problem("p", reference=reference, **fields)


@pytest.fixture
def measured(level):
    def run(given, **settings):
        return calibrate(given, level=level, **settings)

    return run


def test_a_plain_problem_is_isolated_and_its_checks_are_counted(measured):
    found = measured(problem("assert f(2) == 4\nfor i in range(5):\n    assert f(i) == 2 * i"))
    assert (found.fault, found.mode, found.checks_expected) == ("", "isolated", 6)
    assert found.reference_cpu_s > 0


def test_a_problem_without_checks_is_faulty(measured):
    assert "no check" in measured(problem("x = f(1)")).fault
    assert "no tests" in measured(problem("")).fault


def test_a_reference_that_fails_is_a_fault_of_the_problem(measured):
    assert "reference fails" in measured(problem("assert f(2) == 5")).fault


def test_a_slow_reference_is_a_fault_and_never_judged_in_process(measured, monkeypatch):
    monkeypatch.setattr("anyofk.judging.calibrating.REFERENCE_TIME_S", 0.5)
    found = measured(problem(reference="def f(x):\n    while True: pass"), allow_inprocess=True)
    assert "runs into a limit" in found.fault
    assert found.mode == "isolated"


def test_a_reference_that_depends_on_the_hash_seed_is_flaky(measured):
    reference = "def f(words): return ','.join({w for w in words})"
    flaky = problem("assert f(['red', 'blue', 'green']) == 'green,red,blue'", reference)
    assert "flaky" in measured(flaky).fault
    steady = problem("assert sorted(f(['red', 'blue']).split(',')) == ['blue', 'red']", reference)
    assert measured(steady).fault == ""


def test_tests_that_evaluate_results_are_not_isolated(measured):
    found = measured(problem("assert eval(f('2')) == 22"))
    assert "mode inprocess" in found.fault
    assert "eval" in found.fault
    allowed = measured(problem("assert eval(f('2')) == 22"), allow_inprocess=True)
    assert (allowed.fault, allowed.mode) == ("", "inprocess")
    assert "eval" in allowed.reason


def test_compiling_a_pattern_is_no_evaluation(measured):
    found = measured(problem("import re\nassert re.compile('4').match(str(f(2)))"))
    assert (found.fault, found.mode) == ("", "isolated")


def test_what_isolation_breaks_is_judged_in_process_only_where_allowed(measured):
    identity = problem("assert f(f) is f", "def f(x): return x")
    assert "forged" in measured(identity).fault
    found = measured(identity, allow_inprocess=True)
    assert (found.fault, found.mode) == ("", "inprocess")


def test_in_process_verdicts_say_that_they_are_forgeable(level, kept):
    given = problem("assert eval(f('2')) == 22")
    candidate = Candidate("p", 0, REFERENCE)
    settings = {"level": level, "calibrations": kept, "allow_inprocess": True}
    (verdict,) = judge_all([(given, candidate)], **settings)
    assert (verdict.passed, verdict.forgeable, verdict.mode) == (True, True, "inprocess")


def test_the_reference_says_which_arguments_it_changes(measured):
    found = measured(problem("a = [2, 1]\nf(a, [3])\nassert a == [1, 2]", "def f(a, b): a.sort()"))
    assert found.mutated == {"f": [0]}


def test_the_reference_says_what_calls_must_return(level, kept, measured):
    calls = Tests(calls=(Call(([1, 2, 3],), oracle=True), Call(([4],), oracle=True)))
    given = problem(reference="def f(xs): return sum(xs)", tests=(calls,))
    assert measured(given).expected == [[6, 4]]
    emptied = Candidate("p", 0, "def f(xs):\n    xs.clear()\n    return 0")
    (verdict,) = judge_all([(given, emptied)], level=level, calibrations=kept)
    assert verdict.outcome == "wrong_answer"


def test_faults_of_form_are_told(measured):
    streams = Tests(streams=(Stream("1", "1"),))
    mixed = problem(tests=(streams, Tests(code="assert f(1)")))
    assert "mixes" in measured(mixed).fault
    assert "not judged yet" in measured(problem(language="rust")).fault
    unnamed = problem(tests=(Tests(calls=(Call((1,), 2),)),), entry_point=None)
    assert "entry point" in measured(unnamed).fault
    orphan = problem(tests=(Tests(calls=(Call((1,), oracle=True),)),), reference=None)
    assert "has none" in measured(orphan).fault
    odd = problem(tests=(Tests(calls=(Call((1,), 2),), comparison="roughly"),))
    assert "roughly" in measured(odd).fault
    deep = []
    for _ in range(150):
        deep = [deep]
    nested = problem(tests=(Tests(calls=(Call((deep,), 2),)),))
    assert "no plain data" in measured(nested).fault
    assert "can't be read" in measured(problem("assert f(")).fault


def test_limits_follow_a_slow_reference():
    slow = Calibration("c", reference_cpu_s=2.0, checker_cpu_s=1.0, referenced=True)
    plan = Plan(problem(), slow, Settings(time_limit=3.0))
    assert plan.time_limit == 8.0
    assert plan.limits().cpu_s == 8.0
    assert plan.limits().wall_s > 8.0 + 1.0
    assert plan.checker_limits().cpu_s == 10.0
    assert Plan(problem(), Calibration("c"), Settings(time_limit=3.0)).time_limit == 3.0


def test_calibrations_are_kept_by_content(tmp_path):
    kept, settings = Calibrations(tmp_path), Settings()
    found = Calibration(problem().content_id, names=("f",), expected=[[1]], checks_expected=3)
    kept.keep(problem(), settings, found)
    assert kept.find(problem(), settings) == found
    assert kept.find(problem("assert f(1) == 2"), settings) is None
    assert kept.find(problem(), replace(settings, level="fence")) is None


def test_a_fault_is_not_kept(tmp_path):
    kept = Calibrations(tmp_path)
    kept.keep(problem(), Settings(), Calibration("c", fault="it is flaky"))
    assert kept.find(problem(), Settings()) is None


def test_a_damaged_file_is_as_none(tmp_path):
    kept = Calibrations(tmp_path)
    kept.keep(problem(), Settings(), Calibration("c"))
    (path,) = tmp_path.glob("*/*.json")
    for text in ("", "{", "[]", json.dumps({"problem": 1, "odd": 2})):
        path.write_text(text)
        assert kept.find(problem(), Settings()) is None


def test_a_directory_that_can_not_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    Calibrations(tmp_path / "file").keep(problem(), Settings(), Calibration("c"))


def test_concurrent_writers_leave_one_whole_file(tmp_path):
    kept, settings = Calibrations(tmp_path), Settings()

    def write(n):
        kept.keep(problem(), settings, Calibration("c", checks_expected=n, names=("f",) * 1000))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(64)))
    found = kept.find(problem(), settings)
    assert found.checks_expected in range(64)
    assert len(list(tmp_path.glob("*/*"))) == 1
