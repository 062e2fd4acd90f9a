import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.errors import DataError
from anyofk.records import (
    Call,
    Candidate,
    Problem,
    Stream,
    Tests,
    canonical_json,
    from_plain,
    parse_json,
    to_plain,
)

atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 99).map(lambda n: 10**800 + n)
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
)
_hashable = st.recursive(
    atoms, lambda inner: st.lists(inner).map(tuple) | st.frozensets(inner), max_leaves=4
)
hashable = st.builds(lambda value: value, _hashable)  # a strategy of short repr
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.sets(hashable)
        | st.dictionaries(hashable, inner)
        | st.dictionaries(st.text("$ab", max_size=3), inner)
    ),
    max_leaves=12,
)


def same(a, b):
    if type(a) is not type(b) or a != b:
        return False
    if isinstance(a, list | tuple):
        return all(map(same, a, b))
    return all(same(a[key], b[key]) for key in a) if isinstance(a, dict) else True


@given(values)
def test_every_plain_value_comes_back_through_json_with_its_types(value):
    text = canonical_json(to_plain(value))
    assert same(from_plain(parse_json(text)), value)


def test_nan_comes_back():
    assert repr(from_plain(to_plain([float("nan"), -float("inf")]))) == "[nan, -inf]"


def test_equal_sets_are_written_alike_whatever_their_order():
    assert to_plain({3, 1, 2}) == to_plain({2, 3, 1})


@pytest.mark.parametrize("value", [object(), [range(3)], {"a": {1: len}}])
def test_other_types_are_refused_by_name(value):
    with pytest.raises(DataError, match=r"of type '(object|range|builtin_function_or_method)'"):
        to_plain(value)


@pytest.mark.parametrize("value", [{"$eval": "1"}, {"$complex": "x"}, {"$int": 3}, {"$set": [[]]}])
def test_a_tag_that_is_unknown_or_does_not_fit_is_refused(value):
    with pytest.raises(DataError, match=r"\$"):
        from_plain(value)


def test_integers_of_5000_digits_are_read_exactly():
    digits = "7" * 5000
    (value,) = parse_json(f"[{digits}]")
    assert value == (10**5000 - 1) // 9 * 7
    assert parse_json(f"-{digits}") == -value


def test_json_that_is_too_deep_is_a_fault_and_no_crash():
    with pytest.raises(ValueError, match="deep"):
        parse_json("[" * 100_000)


def test_a_problem_with_values_that_json_cannot_hold_comes_back_equal():
    calls = (Call(((1, 2), {3}, 1j), frozenset({1})), Call((10**6000,), oracle=True))
    problem = Problem(
        "p\ud800\0",
        prompt="lone \udfff",
        entry_point="f",
        tests=(Tests(calls=calls), Tests("io", streams=(Stream("1", "\0"),), comparison="tokens")),
        reference="def f(*x): pass",
        preamble="import math",
        metadata={"when": (1, 2), "big": 10**5000},
    )
    text = canonical_json(problem.to_json())
    back = Problem.from_json(parse_json(text))
    assert back == problem
    assert back.content_id == problem.content_id


def test_metadata_do_not_move_the_content_id_and_everything_else_does():
    plain = Problem("p", prompt="q", tests=(Tests(code="assert f() == (1,)"),))
    assert Problem("p", "q", None, plain.tests, metadata={"a": 1}).content_id == plain.content_id
    for other in (
        Problem("p", "q", None, (Tests(calls=(Call(((1,),)),)),)),
        Problem("p", "q", None, (Tests(calls=(Call(([1],)),)),)),
        Problem("p", "q", None, plain.tests, preamble="import math"),
    ):
        assert other.content_id != plain.content_id


def test_a_preamble_stands_before_the_program_and_behind_its_future_imports():
    problem = Problem("p", preamble="from math import *")
    plain = Candidate("p", 0, "x = pi\n").program(problem)
    assert plain == "from math import *\nx = pi\n"
    text = "# hi\nfrom __future__ import annotations\nx: Unknown = pi\n"
    namespace = {}
    exec(compile(Candidate("p", 0, text).program(problem), "p", "exec"), namespace)  # noqa: S102  # our own text
    assert namespace["x"] > 3


def test_plain_data_are_what_json_knows():
    assert json.loads(json.dumps(to_plain([{"a": (None, True)}]))) == [
        {"a": {"$tuple": [None, True]}}
    ]


def test_values_that_are_nested_too_deeply_are_refused_both_ways():
    deep = []
    for _ in range(100):
        deep = [deep]
    assert from_plain(to_plain(deep)) == deep
    for _ in range(100_000):
        deep = [deep]
    for function in (to_plain, from_plain):
        with pytest.raises(DataError, match="too deeply"):
            function(deep)
