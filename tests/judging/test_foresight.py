"""Which tests let their calls be sent ahead: those whose arguments can't hold a result."""

import pytest

from anyofk.judging.inside.foresight import independent

CHECK = "def check(candidate):\n    {}\n"


@pytest.mark.parametrize(
    "body",
    [
        "assert candidate(1, 3) == 3",
        "assert candidate([1, (2, 'x')], {'a': -1.5}) is None",
        "assert candidate(1) == candidate(2)",
        "assert all(candidate(1) for _ in range(3))",
        "assert candidate(x=1) == 1",
    ],
)
def test_calls_with_written_out_arguments_may_be_sent_ahead(body):
    assert independent([CHECK.format(body), "import math"], ["f", "candidate"])


@pytest.mark.parametrize(
    "body",
    [
        "n = candidate(7); assert candidate(n) == 11",
        "assert candidate(candidate('ab')) == 'ab'",
        "for x in (1, 2): assert candidate(x) == x",
        "f = candidate; assert f(f(1)) == 1",
        "assert list(map(candidate, [1, 2])) == [1, 2]",
        "helper(candidate, 3)",
        "assert candidate(*[1, 2]) == 3",
        "assert candidate(**values) == 3",
    ],
)
def test_a_call_that_may_hold_a_result_keeps_all_calls_back(body):
    assert not independent([CHECK.format(body)], ["f", "candidate"])


def test_the_name_that_check_gives_the_program_is_known():
    assert not independent(["def check(g):\n    assert g(g(1)) == 1\n"], ["f"])
    assert independent(["def check(g):\n    assert g(1) == 1\n\ncheck(f)\n"], ["f"])


def test_one_dependent_group_or_setup_keeps_all_calls_back():
    assert not independent(["assert f(1) == 1", "def run(x):\n    return f(x)\n"], ["f"])
