"""The rules that keep mode ``isolated`` unforgeable, each with programs that break its absence.

Every program runs in the jail; each was right in the forger's eyes: it would pass a checker
that lacks the rule.
"""

import pytest

from anyofk.judging import judge
from anyofk.records import Call, Tests

pytestmark = pytest.mark.hostile

DOUBLE = "assert f(2) == 4\nassert f(3) == 6\n"
REFERENCE = "def f(x):\n    return 2 * x\n"

# Each with the outcome it must get; none where several are right.
FORGERS = {
    "an object that equals everything": (
        (
            "class A:\n    __eq__ = lambda s, o: True\n    __hash__ = lambda s: 0\n"
            "def f(x): return A()"
        ),
        "wrong_answer",
    ),
    "an int that equals everything": (
        (
            "class A(int):\n    __eq__ = lambda s, o: True\n    __ne__ = lambda s, o: False\n"
            "    __hash__ = int.__hash__\n"
            "def f(x): return A(0)"
        ),
        "wrong_answer",
    ),
    "a right reply to no request": (
        (
            "import os\n"
            "def f(x):\n"
            "    body = b'[\"r\",4,[]]'\n"
            "    for fd in range(3, 64):\n"
            "        try: os.write(fd, len(body).to_bytes(4, 'little') + body)\n"
            "        except OSError: pass\n"
            "    return 0"
        ),
        "wrong_answer",
    ),
    "a stop where a value is due": (
        "def f(x): raise StopIteration",
        "exception",
    ),
    "a message that claims 4 GB": (
        (
            "import os\n"
            "for fd in range(3, 64):\n"
            "    try: os.write(fd, b'\\xff' * 4)\n"
            "    except OSError: pass\n"
            "def f(x): return 0"
        ),
        "wrong_answer",
    ),
    "leaving with status 0": ("import os\ndef f(x): os._exit(0)", "exited"),
    "sys.exit in the call": ("import sys\ndef f(x): sys.exit(0)", "exited"),
    "sys.exit at load": ("def f(x): return 0\nimport sys\nsys.exit(0)", "exited"),
    "an exception that prints as passed": (
        "class passed(Exception):\n    __str__ = lambda s: 'passed'\ndef f(x): raise passed",
        "exception",
    ),
    "an exception whose text never ends": (
        "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(x): raise E",
        "timeout",
    ),
    "junk for the report": (
        (
            "import os\n"
            "for fd in range(3, 64):\n"
            '    try: os.write(fd, b\'{"outcome":"passed","held":2,"reached":2,"calls":2}\')\n'
            "    except OSError: pass\n"
            "def f(x): return 0"
        ),
        "wrong_answer",
    ),
    "patched builtins": (
        (
            "import builtins\n"
            "builtins.isinstance = lambda *a: True\n"
            "builtins.range = lambda *a: ()\n"
            "def f(x): return 0"
        ),
        None,
    ),
    "frames of a checker": (
        (
            "import sys\n"
            "def f(x):\n"
            "    frame = sys._getframe()\n"
            "    while frame:\n"
            "        for value in frame.f_locals.values():\n"
            "            if value == 2 * x and value != x: return value\n"
            "        frame = frame.f_back\n"
            "    return 0"
        ),
        "wrong_answer",
    ),
    "nothing defined": ("x = 1", "missing_entry_point"),
    "another name": ("def g(x): return 2 * x", "missing_entry_point"),
    "nothing at all": ("  \n", "no_code"),
    "no Python": ("def f(x:\n", "syntax_error"),
    "a null byte": ("def f(x): return 2 * x\0", "syntax_error"),
    "a lone surrogate": ("def f(x): return '\ud800'", "syntax_error"),
    "deep brackets": ("def f(x): return " + "(" * 3000 + "x" + ")" * 3000, "syntax_error"),
    "a crash": ("import ctypes\ndef f(x): ctypes.string_at(0)", "crashed"),
    "much memory": ("def f(x): return bytearray(1 << 31)", "memory_limit"),
    "much output": (
        "import os\ndef f(x):\n    while True: os.write(1, b'x' * (1 << 20))",
        "output_limit",
    ),
    "a file outside": ("def f(x): open('/usr/forged', 'w'); return 2 * x", None),
}


@pytest.mark.parametrize("reference", [None, REFERENCE], ids=["alone", "with a reference"])
@pytest.mark.parametrize("name", FORGERS)
def test_a_forger_does_not_pass(name, reference, level):
    program, outcome = FORGERS[name]
    verdict = judge(program, DOUBLE, time_limit=1.0, reference=reference, level=level)
    assert verdict.judged, verdict
    assert not verdict.passed, verdict
    assert outcome is None or verdict.outcome == outcome, verdict


@pytest.mark.parametrize("name", FORGERS)
def test_after_a_forger_an_honest_program_passes(name, level):
    judge(FORGERS[name][0], DOUBLE, time_limit=1.0, level=level)
    assert judge(REFERENCE, DOUBLE, level=level).passed


FORGED_OPENINGS = [
    '["loaded",["f"],"",[]]',
    '["loaded",["f"],"",[["stop"],["stop"]]]',
    '["loaded",["f"],"",[["r",{"H":[1,"object","A"]},[]],["r",0,[]]]]',
    '["loaded",["f"],"",[["r",4,[[0,{"V":"int"}]]],["r",6,[]]]]',
    '["loaded",["f"],"",[["b",[4,6],null],["r",6,[]]]]',
    '["loaded",["f"],"",[7,8]]',
    '["loaded"]',
    '["r",4,[]]',
    '["x",["StopIteration"],[],""]',
    '["syntax"]',
    '{"loaded":1}',
    "[]",
    "7",
]


@pytest.mark.parametrize("message", FORGED_OPENINGS)
def test_an_opening_that_does_not_fit_is_no_pass_and_breaks_nothing(message, level):
    program = (
        "import os\n"
        f"body = {message.encode()!r}\n"
        "for fd in range(3, 32):\n"
        "    try: os.write(fd, len(body).to_bytes(4, 'little') + body)\n"
        "    except OSError: pass\n"
        "def f(x): return 0\n"
    )
    verdict = judge(program, DOUBLE, reference=REFERENCE, level=level)
    assert verdict.judged, verdict
    assert not verdict.passed, verdict


def test_calls_that_turn_out_otherwise_are_made_live(level):
    """What is foreseen follows the reference; another right program may lead elsewhere."""
    test = (
        "first = f(0)\nassert first in (1, 2)\nassert f(first) in (1, 2)\nassert f(first) == first"
    )
    right = "def f(x): return x or 1"
    other = "def f(x): return x or 2"
    assert judge(right, test, reference=right, level=level).passed
    assert judge(other, test, reference=right, level=level).passed
    assert not judge("def f(x): return 1 + x % 2", test, reference=right, level=level).passed


def test_a_stop_from_a_call_does_not_end_the_loop_of_a_test(level):
    """``zip(map(f, xs), ws)`` would run no check at all."""
    test = "for got, want in zip(map(f, [2, 3]), [4, 6]):\n    assert got == want\n"
    for kind in ("StopIteration", "GeneratorExit", "StopAsyncIteration"):
        verdict = judge(f"def f(x): raise {kind}", test, reference=REFERENCE, level=level)
        assert verdict.outcome == "exception", verdict


def test_fewer_checks_than_the_reference_had_are_no_pass(level):
    test = (
        "assert f(1) is not None\nfor got, want in zip(f(3), [1, 2, 3]):\n    assert got == want\n"
    )
    right = "def f(n): return list(range(1, n + 1))"
    assert judge(right, test, reference=right, level=level).passed
    verdict = judge("def f(n): return []", test, reference=right, level=level)
    assert (verdict.outcome, verdict.checks_passed, verdict.checks_expected) == (
        "wrong_answer",
        1,
        4,
    )


def test_without_a_reference_at_least_one_check_must_run(level):
    verdict = judge("def f(n): return []", "for x in f(3):\n    assert x", level=level)
    assert verdict.outcome == "wrong_answer"
    assert "checks were reached" in verdict.message


def test_a_check_that_fails_in_a_call_back_can_not_be_swallowed(level):
    test = "def seen(x):\n    assert x == 1\n    return x\nassert f(seen) == 1\n"
    right = "def f(g): return g(1)"
    forger = "def f(g):\n    try: g(2)\n    except BaseException: pass\n    return 1"
    assert judge(right, test, reference=right, level=level).passed
    assert not judge(forger, test, reference=right, level=level).passed


def test_a_call_back_is_dead_after_its_call(level):
    test = "f(lambda: 7)\nassert f(None) == 7\n"
    keeper = "kept = []\ndef f(g):\n    kept.append(g)\n    return kept[0]()"
    verdict = judge(keeper, test, level=level)
    assert verdict.outcome == "wrong_answer"
    assert "call-back" in verdict.message


def test_two_objects_of_the_program_are_not_compared_by_its_own_code(level):
    program = (
        "class A:\n    def __init__(self, n): self.n = n\n    __eq__ = lambda s, o: True\n"
        "def f(n): return A(n)"
    )
    assert judge(program, "assert f(1) == f(2)", level=level).outcome == "wrong_answer"


def test_arguments_come_back_changed_only_where_the_reference_changes_them(level):
    in_place = "def f(xs): xs.sort()"
    sorts = "a = [3, 1, 2]\nf(a)\nassert a == [1, 2, 3]\n"
    assert judge(in_place, sorts, reference=in_place, level=level).passed
    pure = "def f(xs): return sorted(xs)"
    returns = "a = [3, 1, 2]\nassert f(a) == sorted(a)\n"
    junk = "def f(xs):\n    xs[:] = []\n    return []"
    assert judge(pure, returns, reference=pure, level=level).passed
    assert not judge(junk, returns, reference=pure, level=level).passed
    assert not judge(junk, returns, level=level).passed


def test_names_of_the_prompt_are_never_taken_from_the_candidate(level):
    prompt = "def helper(x):\n    return x + 1\n\ndef f(x):\n    '''Twice helper.'''\n"
    test = "def check(g):\n    for i in range(3):\n        assert g(i) == 2 * helper(i)\n"
    forger = "def helper(x): return 0\ndef f(x): return 0"
    right = "def helper(x): return x + 1\ndef f(x): return 2 * helper(x)"
    settings = {"entry_point": "f", "prompt": prompt, "level": level}
    assert judge(right, test, **settings).passed
    assert judge(forger, test, **settings).outcome == "wrong_answer"


def test_a_module_that_the_test_forgot_to_import_is_the_real_one(level):
    test = "assert math.isclose(f(1), 2.0)"
    forger = "class math:\n    isclose = lambda *a: True\ndef f(x): return 0"
    assert judge(forger, test, level=level).outcome == "wrong_answer"
    assert judge("def f(x): return 2.0", test, level=level).passed


CHECKER_STARVERS = {
    "colliding hashes": (
        "m = (1 << 61) - 1\ndef f(x): return {i * m for i in range(20000)}",
        "assert sorted(f(1)) == 0",
    ),
    "a huge range": ("def f(x): return range(1 << 60)", "assert list(f(1)) == [1]"),
    "an endless generator": (
        "def f(x):\n    while True: yield 1",
        "assert list(f(1)) == [1]",
    ),
    "a slow regular expression": (
        "def f(x): return 'a' * 40 + 'b'",
        "import re\nassert re.fullmatch('(a|a|aa)+', f(1))",
    ),
    "an exponent of a Decimal": (
        "from decimal import Decimal\ndef f(x): return Decimal('1e300000000')",
        "assert int(f(1)) == 1",
    ),
}


@pytest.mark.parametrize("name", CHECKER_STARVERS)
def test_data_that_starves_the_checker_is_the_candidates_failure(name, level):
    program, test = CHECKER_STARVERS[name]
    verdict = judge(program, test, time_limit=1.0, memory_mb=256, level=level)
    assert verdict.judged, verdict
    assert not verdict.passed, verdict
    assert judge(REFERENCE, DOUBLE, level=level).passed


HOSTILE_TEXTS = ["\x1b[31mred", "a\nb", "\u202egnp.exe", "\ud800", "x" * 100_000, "\0"]


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_messages_are_one_short_line_without_control_characters(text, level):
    for program in (f"def f(x): return {text!r}", f"def f(x): raise ValueError({text!r})"):
        verdict = judge(program, DOUBLE, level=level)
        assert not verdict.passed
        assert len(verdict.message) <= 500
        assert verdict.message.isprintable()
        verdict.message.encode("utf-8")


def test_a_result_of_5000_digits_does_no_harm(level):
    verdict = judge("def f(x): return 10 ** 5000", DOUBLE, level=level)
    assert verdict.outcome == "wrong_answer"
    test = "table = {1: 2}\nassert table[f(1)] == 2\n"
    assert judge("def f(x): return 10 ** 5000", test, level=level).outcome == "wrong_answer"


def test_a_test_that_swallows_everything_does_not_hide_a_broken_conversation(level):
    test = "for i in range(3):\n    try:\n        f(i)\n    except:\n        pass\nassert True\n"
    verdict = judge("import os\ndef f(x): os._exit(0)", test, level=level)
    assert verdict.outcome == "exited"


def test_a_long_result_is_compared_without_being_carried(level):
    right = "def f(n): return list(range(n))"
    calls = Tests(calls=(Call((3,), oracle=True), Call((200_000,), oracle=True)))
    settings = {"entry_point": "f", "reference": right, "level": level}
    assert judge(right, calls, **settings).passed
    assert judge("def f(n): return [float(i) for i in range(n)]", calls, **settings).passed
    wrong = judge("def f(n): return list(range(n - (n > 3))) + [0][:n > 3]", calls, **settings)
    assert (wrong.outcome, wrong.checks_passed) == ("wrong_answer", 1)
    opaque = judge("def f(n): return list(range(n)) if n < 9 else object()", calls, **settings)
    assert opaque.outcome == "wrong_answer"
