"""The parts of judging that decide without a sandbox."""

import ast
import math
import tracemalloc

import pytest

from anyofk.judging.agenda import Agenda
from anyofk.judging.calibration import Calibration
from anyofk.judging.comparison import first_difference, rule, same_output
from anyofk.judging.composition import isolated, together
from anyofk.judging.inside.instrument import Checks, check_is_uncalled, instrumented
from anyofk.judging.inside.preparation import inspected
from anyofk.judging.messages import MAX_LENGTH, one_line, shown
from anyofk.judging.packages import imported
from anyofk.judging.retries import worth_a_retry
from anyofk.judging.settings import Settings, judging_facts
from anyofk.judging.trial import Ran, Task, Trial
from anyofk.sandbox import Exit

PASSED = b'{"outcome":"passed","message":"","held":3,"reached":3,"calls":3,"group":""}'
DONE = Exit(1, "done")


def ran(program=DONE, report=PASSED, kind="done"):
    return Ran(program, Exit(1, kind, report=report))


def said(**changes):
    words = {"outcome": "passed", "message": "", "held": 3, "reached": 3, "calls": 3, "group": ""}
    return str({**words, **changes}).replace("'", '"').encode()


def test_a_pass_needs_a_call_and_the_checks_of_the_reference():
    assert isolated(ran(), Calibration("p", checks_expected=3)).passed
    assert isolated(ran(), Calibration("p")).passed
    assert not isolated(ran(), Calibration("p", checks_expected=4)).passed
    assert not isolated(ran(report=said(calls=0)), Calibration("p")).passed
    assert not isolated(ran(report=said(held=0, reached=0)), Calibration("p")).passed
    assert not isolated(ran(report=said(held=2)), Calibration("p")).passed
    assert isolated(ran(report=said(held=2)), Calibration("p", checks_failed=1)).passed


KILLED = {
    "cpu": "timeout",
    "wall": "timeout",
    "overload": "timeout",
    "memory": "memory_limit",
    "output": "output_limit",
    "forbidden": "forbidden",
    "signal": "crashed",
}


@pytest.mark.parametrize("kind", KILLED)
def test_how_the_program_was_killed_is_the_outcome_when_it_went_silent(kind):
    gone = said(outcome="gone")
    assert isolated(ran(Exit(1, kind), gone), Calibration("p")).outcome == KILLED[kind]
    assert isolated(ran(DONE, gone), Calibration("p")).outcome == "exited"


@pytest.mark.parametrize("kind", KILLED)
def test_a_checker_that_died_of_the_data_is_the_candidates_failure(kind):
    judged = isolated(ran(DONE, b"", kind), Calibration("p"))
    assert judged.outcome == KILLED[kind]
    assert isolated(ran(DONE, b"junk"), Calibration("p")).outcome == "crashed"


@pytest.mark.parametrize("report", [b"", b"{", b"[]", b'{"outcome": 7}', b"null", PASSED[:-9]])
def test_nothing_that_a_program_reports_makes_a_pass_or_breaks(report):
    judged = together(Ran(Exit(1, "done", report=report)), Calibration("p", checks_expected=3))
    assert judged.outcome == "exited"


def test_broken_is_only_what_fails_without_the_candidate():
    assert isolated(Ran(fault="no namespaces"), Calibration("p")).outcome == "broken"
    assert isolated(ran(report=said(outcome="fault")), Calibration("p")).outcome == "broken"
    assert isolated(Ran(lost=True), Calibration("p")).outcome == "crashed"


def test_only_what_says_too_little_is_run_again():
    assert worth_a_retry(Ran(lost=True))
    assert worth_a_retry(Ran(fault="x"))
    assert worth_a_retry(ran(Exit(1, "wall")))
    assert worth_a_retry(ran(report=said(outcome="fault")))
    assert not worth_a_retry(ran(Exit(1, "cpu")))
    assert not worth_a_retry(ran())


def test_a_worker_stays_with_its_problem_and_shares_only_when_it_must():
    agenda, anything = Agenda(), lambda _: True
    for key in ("a", "b", "a", "a"):
        agenda.add(Task(key, iter(())), Trial(None))
    assert agenda.take("b", {"a"}, anything)[0].key == "b"
    assert agenda.take("b", {"a"}, anything)[0].key == "a"
    assert agenda.take("", set(), lambda _: False) is None
    assert [agenda.take("a", set(), anything)[0].key for _ in range(2)] == ["a", "a"]
    assert (agenda.take("a", set(), anything), len(agenda)) == (None, 0)


def run_test(source, function):
    checks = Checks()
    names = {**checks.names(source.splitlines()), "f": function}
    message = ""
    try:
        exec(instrumented(source, "<test>", frozenset({"f"})), names)  # noqa: S102 -- our own text
    except AssertionError as error:
        message = str(error)
    return checks.held, checks.failed, message


def test_every_executed_check_is_counted():
    source = "for i in range(3):\n    assert f(i) == i, 'note'\nif f(0):\n    assert False\n"
    assert run_test(source, lambda x: x) == (3, 0, "")


def test_a_failed_check_says_which_and_what():
    source = "assert f(1) == 2"
    words = "check failed: assert f(1) == 2 -- expected 2, got 1"
    assert run_test(source, lambda x: x) == (0, 1, words)
    assert run_test("assert 2 == f(1)", lambda x: x)[2].endswith("-- expected 2, got 1")
    assert run_test("assert f(1) > 2", lambda x: x)[2].endswith("-- left 1, right 2")
    assert run_test("assert f(0), 'is zero'", lambda x: x)[2].endswith(
        "assert f(0), 'is zero' (is zero)"
    )


def test_both_sides_of_a_check_are_evaluated_once():
    calls = []
    assert run_test("assert f(1) == f(2)", calls.append)[0] == 1
    assert calls == [1, 2]


def test_calls_of_assert_functions_are_checks():
    source = "def assert_one(x):\n    if x != 1: raise AssertionError('not one')\nassert_one(f(1))"
    assert run_test(source, lambda x: x) == (1, 0, "")
    assert run_test(source, lambda _: 5) == (0, 0, "not one")


def test_a_check_function_is_called_only_where_the_test_does_not():
    assert check_is_uncalled(ast.parse("def check(c):\n    assert c(1)"))
    assert not check_is_uncalled(ast.parse("def check(c):\n    assert c(1)\ncheck(f)"))
    assert not check_is_uncalled(ast.parse("assert f(1)"))


def inspect(code, context="", setup=""):
    group = {"code": code, "setup": setup, "calls": []}
    return inspected({"context": context, "entry": "f", "groups": [group]})


def test_inspection_finds_what_a_test_takes_from_where():
    found = inspect(
        "import re\nassert f(Pair(1), math.pi, helper, [x for x in y])", "def helper(): 0"
    )
    assert found["free"] == ["Pair", "f", "y"]
    assert found["modules"] == ["math"]
    assert found["context"]
    assert inspect("assert g(a)", setup="a = 1")["free"] == ["g"]


@pytest.mark.parametrize(
    "call", ["eval(f(1))", "exec(f(1))", "pickle.loads(f(1))", "__import__(f(1))"]
)
def test_inspection_finds_tests_that_would_evaluate_results(call):
    assert inspect(f"import pickle\nassert {call}")["untrusting"]


def test_inspection_tells_whether_there_is_any_check():
    assert not inspect("x = f(1)\nprint(x)")["checks"]
    assert inspect("def check(c):\n    assert c(1)")["checks"]
    assert inspect("import numpy as np\nnp.testing.assert_allclose(f(1), 1)")["checks"]


EVALPLUS = [
    (0.1, 0.1 + 1e-7, True),
    (0.1, 0.2, False),
    ([0.1, 0.2], [0.1, 0.2 + 1e-7], True),
    ([0.1, 0.2], (0.1, 0.2), False),
    ([0.1], [0.1, 0.2], False),
    (1.0, 1, True),
    (0.5, "0.5", False),
    (math.inf, math.inf, True),
    (math.inf, 1e308, False),
    ([1, 2], [1, 2], True),
    ([1, 2], [1, 2.0000001], False),
    ({"a": 1}, {"a": 1}, True),
    (None, None, True),
    (0.1, None, False),
]


@pytest.mark.parametrize(("expected", "got", "right"), EVALPLUS, ids=repr)
def test_floats_are_compared_as_evalplus_compares_them(expected, got, right):
    assert rule("evalplus")(expected, got, ()) is right


def test_a_root_may_be_any_root():
    coefficients = [-6, 11, -6, 1]
    find_zero = rule("evalplus:find_zero", 1e-4)
    assert all(find_zero(None, root, [coefficients]) for root in (1, 2.0, 3.00001))
    assert not find_zero(None, 1.5, [coefficients])
    assert not find_zero(None, "1", [coefficients])


def test_results_without_order_are_compared_as_sets():
    same = rule("set")
    assert same([1, 2, 3], (3, 2, 1, 1), ())
    assert same([[1, 2], [3]], [[3], [1, 2]], ())
    assert not same([1, 2], [1], ())
    assert not same([1], None, ())


OUTPUTS = [
    ("tokens", "1 2\n3", "1  2 3\n\n", True),
    ("tokens", "1", "1.0", False),
    ("floats", "1", "1.0", False),
    ("floats", "1.0", "1", True),
    ("floats", "1e-9", "0.0", True),
    ("floats", "1.5", "nan", False),
    ("floats", "1.5", "1_5", False),
    ("floats", "100000000.0", "100000000.5", True),
    ("exact", "a b\n", "a b", True),
    ("exact", "a b", "a  b", False),
]


@pytest.mark.parametrize(("name", "expected", "got", "right"), OUTPUTS)
def test_outputs_are_compared_by_the_declared_rule(name, expected, got, right):
    assert same_output(name, expected.encode(), got.encode(), 1e-6) is right


def test_the_first_words_that_differ_are_found():
    assert first_difference(b"1 2 3", b"1 5 3") == (b"2", b"5")
    assert first_difference(b"1 2", b"1") == (b"2", b"")
    assert first_difference(b"1", b"1\n") == (b"", b"")
    assert first_difference(b"1 2", b"1 2 5 6 7") == (b"", b"5")


@pytest.mark.parametrize("name", ["tokens", "floats"])
def test_an_output_of_millions_of_words_costs_no_more_than_its_size(name):
    got = b"ab " * 2_000_000
    tracemalloc.start()
    try:
        assert not same_output(name, b"ab ab", got, 1e-6)
        assert first_difference(b"ab ab", got) == (b"", b"ab")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(got)


def test_messages_are_cut_and_escaped():
    assert one_line("a\x1b[0m\u202eb\ud800\n") == "a\\x1b[0m\\u202eb\\ud800\\n"
    assert len(one_line("x" * 10_000)) == MAX_LENGTH
    assert one_line("naïve ✓") == "naïve ✓"
    assert len(shown(list(range(10**6)))) < MAX_LENGTH
    assert shown(10**5000) == "<an int of 16610 bits>"
    assert len(shown({"k" * 10**6: ["v" * 10**6] * 100})) < MAX_LENGTH


def test_packages_are_found_where_they_are_imported():
    assert imported("import numpy as np", trusted=False) == {"numpy"}
    assert imported("def f():\n    from numpy.linalg import norm", trusted=False) == {"numpy"}
    assert imported("# numpy is important", trusted=False) == set()
    assert imported("import os, json", trusted=True) == set()
    assert imported("import no_such_package_here", trusted=True) == set()
    assert imported("import pytest", trusted=False) == set()
    assert {"pytest", "pluggy"} <= imported("import pytest", trusted=True)
    assert imported("import anyofk", trusted=True) == set()


def test_the_facts_of_a_judging_name_all_that_moves_verdicts():
    facts = judging_facts(Settings(level="fence", time_limit=2.0))
    assert (facts["level"], facts["time_limit"]) == ("fence", 2.0)
    assert {"interpreter", "scoring_rules", "memory_mb", "time_factor"} <= facts.keys()
