"""Values of every JSON type and size in every field of every form: read, or refused by name."""

import json
import os
import sys
import threading
import warnings
from contextlib import suppress

import pytest

from anyofk.errors import AnyofkWarning, CandidateFileError, DataError, ProblemError, shown
from anyofk.exchange import read_candidates, read_counts
from anyofk.exchange.results import read_results
from anyofk.problems import ProblemSet, read_problems
from anyofk.records import Problem

LONG = "9" * 5000
VALUES = [
    *("null", "true", "0", "-1", "1.5", "1e400", "NaN", '""', '"x"', '"\\ud800"', '"a\\u0000b"'),
    *("[]", "[[]]", "{}", '{"a": []}', '{"$set": [[]]}', LONG, f"-{LONG}", f'"{LONG}"'),
    "[" * 3000 + "]" * 3000,
]
SET = ProblemSet("s", "", (Problem("p"),))
RESULTS = [
    {"problem": "p", "n": 5, "c": 2, "broken": 0, "cluster": "x"},
    {"example_id": "p", "count": 5, "correct": 2, "model": "m"},
    {"problem": "p", "draw": 0, "outcome": "passed"},
    {"task_id": "p", "passed": True, "result": "passed", "completion": "x"},
    {"question_id": "p", "graded_list": [True]},
    {"eval": {"p": [{"base_status": "pass", "plus_status": "pass"}]}},
]
CANDIDATES = [
    {"problem": "p", "text": "x", "form": "program", "draw": 0, "finish_reason": "stop"},
    {"task_id": "p", "completion": "x", "temperature": 0.8, "settings": {}, "model": "m"},
    {"question_id": "p", "code_list": ["x"], "do_sample": True},
]
PROBLEMS = [
    {"id": "p", "entry_point": "f", "hidden": "assert f(1)", "time_limit": 1, "memory_mb": 64},
    {"task_id": 2, "text": "t", "code": "def f(x): return x", "test_list": ["assert f(1)"]},
    {"problem_id": 1, "question": "q", "input_output": '{"inputs": ["1"], "outputs": ["1"]}'},
    {"id": 1, "content": "q", "test": '{"inputs": ["1"], "outputs": ["1"]}', "labels": "{}"},
]
FIELDS = [
    *((read, row, name) for row in RESULTS for name in row for read in (read_counts, read_results)),
    *(
        (lambda path: list(read_candidates(path, SET)), row, name)
        for row in CANDIDATES
        for name in row
    ),
    *((read_problems, row, name) for row in PROBLEMS for name in row),
]


def line(row, name="", value=""):
    return ", ".join(f'"{k}": {value if k == name else json.dumps(v)}' for k, v in row.items())


@pytest.mark.parametrize(
    ("read", "row", "name"), FIELDS, ids=lambda x: x if isinstance(x, str) else ""
)
def test_a_field_may_hold_anything_and_the_reader_refuses_by_name_or_reads(
    tmp_path, read, row, name
):
    path = tmp_path / "f.jsonl"
    for value in VALUES:
        for before in ("", f"{{{line(row)}}}\n"):
            path.write_text(f"{before}{{{line(row, name, value)}}}\n", encoding="utf-8")
            with suppress(DataError), warnings.catch_warnings():
                warnings.simplefilter("ignore", AnyofkWarning)
                read(path)


def test_an_id_of_five_thousand_digits_is_an_id(tmp_path):
    path = tmp_path / "counts.jsonl"
    path.write_text(f'{{"problem": {LONG}, "n": 2, "c": 1}}\n', encoding="utf-8")
    assert read_counts(path).counts()[0].problem == LONG


def test_a_message_shows_a_value_of_any_size_shortly():
    loop = []
    loop.append(loop)
    for value in (10**5000, [10**5000], "x" * 10**6, loop, float("nan")):
        assert 0 < len(shown(value)) <= 120


def test_a_key_that_stands_twice_is_refused_with_its_line(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"problem": "p", "problem": "q", "program": ""}\n', encoding="utf-8")
    with pytest.raises(CandidateFileError, match="'problem' stands twice") as caught:
        read_candidates(path, SET)
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"problem": "p", "n": 2, "c": 1}\n', lambda path: read_counts(path).counts()[0].c),
        ("problem,n,c\np,2,1\n", lambda path: read_counts(path).counts()[0].c),
        (
            '{"problem": "p", "draw": 0, "outcome": "passed"}\n',
            lambda path: len(read_results(path).verdicts()),
        ),
        ('{"id": "p", "hidden": "assert f(1)"}\n', lambda path: len(read_problems(path))),
        ('{"problem": "p", "program": ""}\n', lambda path: len(read_candidates(path, SET))),
    ],
    ids=["counts", "table", "results", "problems", "candidates"],
)
def test_a_pipe_is_read_like_a_file(tmp_path, text, read):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,), kwargs={"encoding": "utf-8"})
    writer.start()
    assert read(path) == 1
    writer.join()


@pytest.mark.parametrize(
    "read", [read_problems, read_counts, lambda path: read_candidates(path, SET)]
)
def test_an_empty_path_is_no_folder(tmp_path, monkeypatch, read):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.py").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="empty"):
        read("")


def test_a_closed_standard_input_is_said(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(CandidateFileError, match="standard input is closed"):
        read_candidates("-", SET)


def test_limits_beyond_what_a_float_counts_are_refused(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(
        f'{{"id": "p", "hidden": "assert f(1)", "time_limit": {LONG}}}', encoding="utf-8"
    )
    with pytest.raises(ProblemError, match=r"must be below 2\*\*53"):
        read_problems(path)
