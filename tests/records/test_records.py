"""Records: frozen, plain, JSON both ways, named by content."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.records import (
    Call,
    Candidate,
    Manifest,
    Outcome,
    Problem,
    Stream,
    Tests,
    Verdict,
    canonical_json,
    content_id,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=10,
)


@given(PLAIN)
def test_canonical_json_is_ascii_and_reads_back(value):
    text = canonical_json(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@given(st.dictionaries(ANY_TEXT, st.integers()))
def test_a_content_id_does_not_depend_on_the_order_of_keys(value):
    assert content_id(value) == content_id(dict(reversed(value.items())))


@given(ANY_TEXT, ANY_TEXT)
def test_a_candidate_survives_json_whatever_its_text(problem, text):
    candidate = Candidate(problem, 3, text, "completion", "length", {"temperature": 0.8})
    assert Candidate.from_json(json.loads(canonical_json(candidate.to_json()))) == candidate


@given(st.sampled_from(Outcome), ANY_TEXT)
def test_a_verdict_survives_json_whatever_its_message(outcome, message):
    verdict = Verdict("p", 0, outcome, message, 1, None, 0.5, 0.5, 12.0)
    assert Verdict.from_json(json.loads(canonical_json(verdict.to_json()))) == verdict


def full_problem():
    calls = (Call((1, [2]), 3), Call(("x",), oracle=True))
    hidden = Tests(calls=calls, streams=(Stream("1\n", "2\n"),), comparison="floats")
    public = Tests("public", public=True, code="assert f(1) == 1")
    return Problem("p", "do it", "f", (public, hidden), "def f(x): ...", metadata={"split": "test"})


def test_a_problem_survives_json():
    problem = full_problem()
    assert Problem.from_json(json.loads(canonical_json(problem.to_json()))) == problem


def test_metadata_moves_no_content_id_and_everything_else_does():
    problem = full_problem()
    same = dataclasses.replace(problem, metadata={})
    assert same.content_id == problem.content_id
    changed = {
        "id": "q", "prompt": "do that", "entry_point": "g", "tests": (), "reference": None,
        "prompt_is_code": True, "cluster": "c", "language": "lean", "time_limit": 1.0,
        "memory_mb": 1, "mode": "stdio",
    }  # fmt: skip
    for field, value in changed.items():
        assert dataclasses.replace(problem, **{field: value}).content_id != problem.content_id


def test_a_public_problem_has_no_room_for_what_is_hidden():
    public = full_problem().public()
    assert [group.name for group in public.tests] == ["public"]
    assert not hasattr(public, "reference")


@pytest.mark.parametrize("record", [full_problem(), Candidate("p", 0, ""), Manifest()])
def test_records_are_frozen(record):
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.anything = 1


def test_manifests_name_what_differs_by_its_path():
    ours = Manifest({"limits": {"time": 3.0, "memory": 1024}, "level": "jail"})
    theirs = Manifest({"limits": {"time": 3.0}, "level": "fence"})
    assert ours.differences(theirs) == [
        "level: jail, now fence",
        "limits.memory: 1024, now absent",
    ]
    assert ours.content_id != theirs.content_id
