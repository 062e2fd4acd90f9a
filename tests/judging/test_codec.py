"""The codec carries plain data exactly, and builds nothing else from hostile bytes."""

import collections
import enum
import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.judging.codec import MAX_DEPTH, CodecError, decode, dumps, encode, loads
from anyofk.judging.digests import digest

SURROGATES = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF), max_size=8)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    SURROGATES,
    st.text(max_size=8),
    st.binary(max_size=8),
    st.binary(max_size=8).map(bytearray),
    st.complex_numbers(allow_nan=False),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.integers(0, 9).map(range),
    st.sampled_from([int, str, list, len, sorted, type(None)]),
)
HASHABLE = st.one_of(st.integers(), st.text(max_size=4), st.booleans(), SURROGATES)


def containers(inner):
    pairs = st.dictionaries(HASHABLE, inner, max_size=4)
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        pairs,
        pairs.map(collections.OrderedDict),
        st.dictionaries(HASHABLE, st.integers(), max_size=4).map(collections.Counter),
        st.lists(inner, max_size=4).map(collections.deque),
        st.sets(HASHABLE, max_size=4),
        st.frozensets(HASHABLE, max_size=4),
    )


DATA = st.recursive(SCALARS, containers, max_leaves=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(list("tszdDofnqIWBYCEFRVGNH")) | st.text(max_size=2), inner, max_size=2
        )
    ),
    max_leaves=12,
)
PLAIN = {
    *(type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset),
    *(dict, range, Decimal, Fraction, collections.OrderedDict, collections.defaultdict),
    *(collections.Counter, collections.deque, type, type(len)),
}


def carried(value):
    return decode(loads(dumps(encode(value))))


def parts(value):
    yield value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from parts(key)
            yield from parts(item)
    elif isinstance(value, list | tuple | set | frozenset | collections.deque):
        for item in value:
            yield from parts(item)


def types(value):
    return collections.Counter(type(part) for part in parts(value))


@given(DATA)
def test_plain_data_comes_back_equal_and_of_the_same_types(value):
    back = carried(value)
    assert back == value
    assert types(back) == types(value)


@given(JSON)
def test_hostile_messages_build_nothing_but_plain_types(message):
    try:
        value = decode(message)
    except CodecError:
        return
    assert {type(part) for part in parts(value)} <= PLAIN


@given(st.binary(max_size=200))
def test_hostile_bytes_are_refused_or_are_json(data):
    try:
        message = loads(data)
    except CodecError:
        return
    json.dumps(message)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"t":' * 100_000,
        b'{"I":"0x' + b"f" * 10 + b'"',
        b"1" * 10_000,
        b'{"N":["O",[1],"00"]}',
        b'{"V":"eval"}',
        b'{"V":["int"]}',
        b'{"F":["1","0"]}',
        b'{"d":[1]}',
        b'{"H":[1,"object","x"]}',
        b'{"R":["0","1","0"]}',
    ],
)
def test_known_hostile_messages_are_refused(data):
    with pytest.raises(CodecError):
        decode(loads(data))


def test_nan_and_infinities_survive():
    assert math.isnan(carried(math.nan))
    assert carried([math.inf, -math.inf, -0.0]) == [math.inf, -math.inf, 0.0]
    assert math.copysign(1, carried(-0.0)) == -1


def test_two_surrogates_do_not_melt_into_one_character():
    assert carried("\ud83d\ude00") == "\ud83d\ude00"
    assert len(carried("\ud83d\ude00")) == 2


def test_a_huge_integer_survives():
    assert carried(10**6000) == 10**6000


def test_data_that_contains_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(CodecError, match="deeper"):
        encode(value)


def test_data_nests_up_to_the_bound_and_no_deeper():
    value = 0
    for _ in range(MAX_DEPTH):
        value = [value]
    assert carried(value) == value
    with pytest.raises(CodecError):
        encode([value])


class Colour(enum.IntEnum):
    RED = 1


class Liar(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class Pair(NamedTuple):
    a: int
    b: int


def test_subclasses_that_compare_as_their_base_go_as_their_base():
    assert (carried(Pair(1, 2)), type(carried(Pair(1, 2)))) == ((1, 2), tuple)
    assert (carried(Colour.RED), type(carried(Colour.RED))) == (1, int)


def test_a_subclass_that_lies_about_equality_is_no_data():
    with pytest.raises(CodecError, match="Liar"):
        encode(Liar(0))
    assert encode([Liar(0)], lambda value: {"H": type(value).__name__}) == [{"H": "Liar"}]


def test_numpy_scalars_and_arrays_are_data():
    numpy = pytest.importorskip("numpy")
    assert carried(numpy.int64(5)) == 5
    assert carried(numpy.float32(0.5)) == 0.5
    array = numpy.arange(6, dtype="f4").reshape(2, 3)
    back = carried(array)
    assert back.dtype == array.dtype
    assert (back == array).all()
    with pytest.raises(CodecError):
        encode(numpy.array([object()]))


@given(DATA)
def test_equal_data_has_equal_digests(value):
    try:
        before = digest(value)
    except CodecError:
        return
    assert before == digest(carried(value))


def test_digests_tell_values_apart_and_numbers_together():
    assert digest([1, 2.0, True]) == digest([1.0, 2, 1])
    assert digest([1, 2]) != digest([2, 1])
    assert digest([1, 2]) != digest((1, 2))
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    with pytest.raises(CodecError):
        digest([0.5])
