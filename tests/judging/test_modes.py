"""The other modes, and what honest programs of unusual form may do in each."""

import pytest

from anyofk.errors import ProblemError, UsageError
from anyofk.judging import judge
from anyofk.records import Call, Stream, Tests

STREAMS = Tests(streams=(Stream("1 2\n", "3\n"), Stream("5 6\n", "11\n")), comparison="tokens")


@pytest.fixture
def run(level):
    def run(program, streams=STREAMS, **settings):
        return judge(program, streams, mode="stdio", level=level, **settings)

    return run


READERS = [
    "print(sum(map(int, input().split())))",
    "import sys\nprint(sum(map(int, sys.stdin.read().split())))",
    "import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))",
    (
        "import sys\nd = sys.stdin.buffer.read().split()\n"
        "sys.stdout.buffer.write(b'%d' % sum(map(int, d)))"
    ),
    "import os\nd = os.read(0, 99).split()\nos.write(1, b'%d\\n' % sum(map(int, d)))",
    "import sys\nprint(sum(map(int, open(0).read().split())))\nsys.exit(0)",
    "if __name__ == '__main__':\n    print(sum(map(int, input().split())))",
]


@pytest.mark.parametrize("program", READERS, ids=range(len(READERS)))
def test_every_way_of_reading_and_writing_is_real(program, run):
    verdict = run(program)
    assert verdict.passed, verdict
    assert (verdict.checks_passed, verdict.mode) == (2, "stdio")


STREAM_FAILURES = {
    "print(3)": "wrong_answer",
    "print(": "syntax_error",
    "1 / 0": "exception",
    "import sys\nprint(3)\nsys.exit(1)": "exited",
    "import os\nos._exit(3)": "exited",
    "while True: pass": "timeout",
    "import os\nos.abort()": "crashed",
    "x = bytearray(1 << 31)": "memory_limit",
    "while True: print('x' * 10000)": "output_limit",
}


@pytest.mark.parametrize("program", STREAM_FAILURES)
def test_a_stream_that_fails_says_how(program, run):
    verdict = run(program, time_limit=1.0)
    assert verdict.outcome == STREAM_FAILURES[program], verdict
    assert verdict.message.startswith("test ")


def test_the_first_failing_test_is_named(run):
    verdict = run("input()\nprint(3)")
    assert verdict.checks_passed == 1
    assert verdict.message == "test 2 of 2: expected '11', got '3'"


def test_each_stream_has_the_whole_time_limit(run):
    burn = (
        "import time\nwhile time.process_time() < 0.7: pass\nprint(sum(map(int, input().split())))"
    )
    assert run(burn, time_limit=1.2).passed


def test_floats_are_near_where_a_float_is_expected_and_integers_exact(run):
    near = Tests(streams=(Stream("", "0.5 7"),), comparison="floats", tolerance=1e-6)
    assert run("print('0.5000000001   7')", near).passed
    assert not run("print('0.51 7')", near).passed
    assert not run("print('0.5 7.0000000001')", near).passed
    assert not run("print('nan 7')", near).passed


def test_exact_output_may_differ_only_at_the_ends_of_lines(run):
    exact = Tests(streams=(Stream("", "a  b\nc\n"),), comparison="exact")
    assert run("print('a  b ')\nprint('c')\nprint()", exact).passed
    assert not run("print('a b')\nprint('c')", exact).passed


def test_a_custom_checker_decides_and_starving_it_is_the_candidates_failure(run):
    checker = "def check(stdin, stdout, expected):\n    return int(stdout) ** 2 == int(stdin)"
    streams = Tests(streams=(Stream("9", ""),), checker=checker)
    assert run("print(-3)", streams).passed
    assert run("print(4)", streams).outcome == "wrong_answer"
    assert "checker stopped" in run("print('x')", streams).message
    slow = "def check(stdin, stdout, expected):\n    while stdout.strip() == '1': pass"
    starved = run("print(1)", Tests(streams=(Stream("", ""),), checker=slow))
    assert starved.outcome == "timeout"


def test_nothing_that_a_program_prints_of_itself_matters(run):
    assert not run("print('[\"done\"]')").passed
    forged = (
        "import os\nfor fd in range(3, 32):\n"
        "    try: os.write(fd, b'[\"done\"]')\n    except OSError: pass"
    )
    assert not run(forged).passed


UNITTEST = """
import unittest
from unittest.mock import patch
class TestCases(unittest.TestCase):
    def test_double(self):
        self.assertEqual(f(2), 4)
    @patch('random.random', return_value=0.5)
    def test_patched(self, _):
        import random
        self.assertEqual(f(random.random()), 1.0)
"""


def test_unittests_are_run_in_process_and_marked_forgeable(level):
    settings = {"mode": "inprocess", "entry_point": "f", "level": level}
    verdict = judge("def f(x): return 2 * x", UNITTEST, **settings)
    assert (verdict.passed, verdict.forgeable, verdict.checks_passed) == (True, True, 2)
    wrong = judge("def f(x): return x", UNITTEST, **settings)
    assert wrong.outcome == "wrong_answer"
    assert "test_double" in wrong.message
    assert judge("def g(x): return x", UNITTEST, **settings).outcome == "missing_entry_point"


def test_no_test_that_ran_is_no_pass_in_process(level):
    empty = (
        "import unittest\nclass T(unittest.TestCase):\n"
        "    def helper(self):\n        self.assertTrue(1)"
    )
    settings = {"mode": "inprocess", "level": level}
    assert judge("x = 1", empty, **settings).outcome == "wrong_answer"


def test_unittests_are_refused_where_isolation_is_demanded(level):
    with pytest.raises(ProblemError, match="unittest"):
        judge("def f(x): return 2 * x", UNITTEST, entry_point="f", level=level)


def test_an_unknown_mode_is_refused():
    with pytest.raises(UsageError, match="no mode called 'proof'"):
        judge("", "", mode="proof")


HONEST = {
    "a main guard": "def f(x): return 2 * x\nif __name__ == '__main__': 1 / 0",
    "a byte order mark": "\ufeffdef f(x): return 2 * x",
    "a coding line": "#!/usr/bin/python\n# -*- coding: latin-1 -*-\ndef f(x): return 2 * x",
    "an import from the future": "from __future__ import annotations\ndef f(x: Odd): return 2 * x",
    "windows line ends": "def f(x):\r\n    y = 2 * x\r\n    return y\r\n",
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: 'int'\n"
        "def f(x): return P(2 * x).a"
    ),
    "a lambda": "f = lambda x: 2 * x",
    "a builtin": "import operator, functools\nf = functools.partial(operator.mul, 2)",
    "a callable object": "class D:\n    def __call__(self, x): return 2 * x\nf = D()",
    "a class Solution": "class Solution:\n    def f(self, x): return 2 * x",
    "a named tuple inside": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n"
        "def f(x): return P(2 * x)[0]"
    ),
    "a temporary file": (
        "import tempfile\ndef f(x):\n    with tempfile.TemporaryFile() as t:\n"
        "        t.write(b'x' * 2 * x)\n        return t.tell()"
    ),
    "its own asserts": "def f(x): return 2 * x\nassert f(1) == 2",
    "much talk": "def f(x):\n    print('talk ' * 1000)\n    return 2 * x",
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(20000)\n"
        "def g(n): return 0 if n == 0 else 1 + g(n - 1)\ndef f(x): return 2 * x + g(9000) - 9000"
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_of_unusual_form_passes(name, level):
    test = "assert f(2) == 4\nassert f(3) == 6"
    verdict = judge(HONEST[name], test, entry_point="f", level=level)
    assert verdict.passed, verdict
    assert verdict.adapter == ("Solution().f" if name == "a class Solution" else "")


TRAFFIC = {
    "an exception of a builtin kind": (
        "def f(x): raise ValueError('no', x)",
        "try:\n    f(3)\n    assert False\nexcept ValueError as e:\n    assert e.args == ('no', 3)",
    ),
    "a generator": (
        "def f(n):\n    yield from range(n)",
        "g = f(3)\nassert next(g) == 0\nassert list(g) == [1, 2]\nassert next(g, None) is None",
    ),
    "a closure": ("def f(n): return lambda x: x + n", "assert f(2)(3) == 5"),
    "a call-back": (
        "def f(g, xs): return [g(x) for x in xs]",
        "assert f(str, [1]) == ['1']\nassert f(lambda x: -x, [1, 2]) == [-1, -2]",
    ),
    "a call-back that raises": (
        "def f(g):\n    try: return g()\n    except KeyError: return 'caught'",
        "def bad(): raise KeyError('k')\nassert f(bad) == 'caught'",
    ),
    "a class": (
        (
            "class f:\n    def __init__(self): self.n = 0\n    def up(self, by=1):\n"
            "        self.n += by\n        return self.n\n    def __len__(self): return self.n"
        ),
        (
            "c = f()\nassert c.up() == 1\nassert c.up(by=4) == 5\nassert c.n == 5\n"
            "assert len(c) == 5\nc.n = 0\nassert not c"
        ),
    ),
    "an object given back": (
        (
            "class N:\n    def __init__(self, v): self.v = v\n"
            "def f(n): return N(n) if isinstance(n, int) else n.v"
        ),
        "assert f(f(7)) == 7",
    ),
    "a counter": (
        "from collections import Counter\ndef f(s): return Counter(s)",
        "assert f('aab') == {'a': 2, 'b': 1}",
    ),
    "text with surrogates": ("def f(s): return s", "assert f('\\ud800x') == '\\ud800x'"),
    "nan": ("def f(): return float('nan')", "x = f()\nassert x != x"),
}


@pytest.mark.parametrize("name", TRAFFIC)
def test_values_of_all_kinds_cross_the_border(name, level):
    program, test = TRAFFIC[name]
    verdict = judge(program, test, entry_point="f", reference=program, level=level)
    assert verdict.passed, verdict


RULES = [
    ("equal", 0.0, 1, 1, 2),
    ("sequence", 0.0, [1, 2], (1, 2), [2, 1]),
    ("floats", 1e-6, [0.1], [0.1000000001], [0.2]),
    ("set", 0.0, [1, 2, 2], [2, 1], [1]),
    ("one_of", 0.0, [1, 2], 2, 3),
    ("not_none", 0.0, True, "match", None),
    ("evalplus", 0.0, 0.5, 0.50000001, 0.6),
    ("evalplus:find_zero", 1e-4, None, 2.0, 3.0),
]


@pytest.mark.parametrize("case", RULES, ids=lambda case: case[0])
def test_calls_are_compared_by_the_declared_rule(case, level):
    rule, tolerance, expected, right, wrong = case
    arguments = ([-2, 1],) if rule == "evalplus:find_zero" else (0,)
    calls = Tests(calls=(Call(arguments, expected),), comparison=rule, tolerance=tolerance)
    settings = {"entry_point": "f", "level": level}
    assert judge(f"def f(x): return {right!r}", calls, **settings).passed
    verdict = judge(f"def f(x): return {wrong!r}", calls, **settings)
    assert verdict.outcome == "wrong_answer"
    assert "expected" in verdict.message


def test_a_group_of_exceptions_is_one_for_the_test_and_for_the_verdict(level):
    catches = (
        "try:\n    f(1)\nexcept* ValueError as found:\n    kinds = len(found.exceptions)\n"
        "assert kinds == 2\n"
    )
    raises = "def f(x):\n    raise ExceptionGroup('many', [ValueError('a'), ValueError('b'), {}])\n"
    assert judge(raises.replace(", {}", ""), catches, level=level).passed
    other = raises.replace("{}", "RuntimeError(1), ExceptionGroup('x', [KeyError(2)])")
    verdict = judge(other, "assert f(1) == 2\n", level=level)
    assert verdict.outcome == "exception"
    assert verdict.message.startswith("ExceptionGroup: many")
