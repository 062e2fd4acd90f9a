"""Whatever bytes a file holds, a reader gives a result or one of our errors."""

import gzip
import json
import warnings
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from anyofk.errors import AnyofkWarning, DataError
from anyofk.exchange import read_candidates, read_counts
from anyofk.problems import ProblemSet, read_problems
from anyofk.records import Problem

SET = ProblemSet("s", "", (Problem("p"),))
ROWS = [
    {"id": "p", "entry_point": "f", "hidden": {"calls": [{"args": [1, [2]], "expected": 3}]}},
    {"id": "p", "hidden": {"streams": [{"stdin": "1", "stdout": "2"}], "tolerance": 0.1}},
    {"task_id": "p", "prompt": "def f():\n", "entry_point": "f", "test": "assert f()"},
    {"task_id": "Mbpp/2", "prompt": "", "entry_point": "f", "canonical_solution": "def f(): 1"}
    | {"base_input": [[[1], [2]]], "plus_input": [], "atol": 0},
    {"task_id": 3, "text": "t", "code": "def f(): pass", "test_list": ["assert f()"]},
    {"question_id": "q", "question_content": "", "private_test_cases": "[]", "metadata": "{}"},
    {"id": "q", "input_output": json.dumps({"inputs": ["1"], "outputs": ["1"], "fn_name": "f"})},
    {"id": "q", "content": "", "test": "eJw=", "labels": "{}"},
    {"task_id": "p", "completion": "x", "draw": 0, "temperature": 0.8},
    {"problem": "p", "n": 3, "c": 1},
    {"problem": "p", "draw": 3, "outcome": "passed"},
]
SEEDS = [
    *((json.dumps(row) + "\n" + json.dumps(row) + "\n").encode() for row in ROWS),
    json.dumps(ROWS).encode(),
    gzip.compress(json.dumps(ROWS[0]).encode()),
    b"problem,n,c\na,3,1\n",
]
SWAPS = st.sampled_from(
    [
        *(b"0", b'"', b"[", b"]", b"{", b"}", b",", b":", b"-", b"null", b"1e999", b"\n"),
        *(b"\xff", b'"\\ud800"', b"\0", b"true", b"[[[", b"9" * 5000),
    ]
)


@st.composite
def mutated(draw):
    raw = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 6)))
        raw = raw[:start] + draw(SWAPS) + raw[end:]
    return raw


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=60) | mutated())
def test_no_bytes_make_a_reader_fail_in_another_way_than_by_name(tmp_path_factory, raw):
    path = tmp_path_factory.getbasetemp() / "fuzz"
    path.write_bytes(raw)
    for read in (
        read_problems,
        read_counts,
        lambda path: list(read_candidates(path, SET)),
    ):
        with suppress(DataError), warnings.catch_warnings():
            warnings.simplefilter("ignore", AnyofkWarning)
            read(path)
