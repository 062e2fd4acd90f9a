"""The field cases about files of candidates, in our own words and as they are shared."""

import json
import warnings

import pytest

from anyofk.errors import CandidateFileError, DuplicateWarning, IdenticalDrawsWarning
from anyofk.exchange import read_candidates
from anyofk.problems import ProblemSet
from anyofk.records import Problem


def case(shared, identifier):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text().splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == identifier)


@pytest.fixture
def read(shared, tmp_path):
    def reader(identifier):
        given = case(shared, identifier)["input"]
        problems = ProblemSet("case", "", tuple(map(Problem, given["tasks"])))
        path = tmp_path / "samples.jsonl"
        path.write_text("\n".join(given["lines"]) + "\n")
        return read_candidates(path, problems)

    return reader


def test_a_list_of_programs_in_one_line_is_refused_with_its_line(read, shared):
    with pytest.raises(CandidateFileError, match="must be text, not a list") as caught:
        read("S-samples-01")
    assert caught.value.line == case(shared, "S-samples-01")["right"]["line"]
    assert "one line for each candidate" in caught.value.hint


def test_a_json_array_is_read_as_one_and_said_so(read):
    source = read("S-samples-02")
    assert source.n == {"t1": 1}
    assert "read as one" in source.notes[0]


def test_unknown_and_missing_ids_are_named(read, shared):
    right = case(shared, "S-samples-03")["right"]
    with pytest.raises(CandidateFileError) as caught:
        read("S-samples-03")
    assert list(caught.value.unknown) == right["ids"]
    assert list(caught.value.missing) == right["missing"]


def test_empty_candidates_stay_in_n(read, shared):
    right = case(shared, "S-samples-04")["right"]
    source = read("S-samples-04")
    assert (source.n, source.empty) == (right["n"], right["empty"])


def test_mixed_temperatures_are_refused_with_their_values(read, shared):
    right = case(shared, "S-samples-05")["right"]
    with pytest.raises(CandidateFileError) as caught:
        read("S-samples-05")
    assert (caught.value.field, list(caught.value.values)) == (right["field"], right["values"])


def test_greedy_copies_are_warned_of_and_flagged(read, shared):
    right = case(shared, "S-samples-06")["right"]
    with pytest.warns(IdenticalDrawsWarning):
        source = read("S-samples-06")
    assert (source.n, source.distinct) == (right["n"], right["distinct"])
    assert source.deterministic


def test_verdicts_of_an_earlier_file_are_not_reused(read, tmp_path, shared):
    stale = case(shared, "S-samples-07")["input"]["cached_results"]
    (tmp_path / "samples_eval_results.json").write_text(json.dumps(stale))
    (candidate,) = read("S-samples-07")
    assert candidate.text == "def f(x):\n    return x\n"


def test_a_resumed_file_counts_each_draw_once(shared, tmp_path):
    rows = case(shared, "S-passk-04")["input"]["rows"]
    right = case(shared, "S-passk-04")["right"]
    problems = ProblemSet("case", "", (Problem("t1"), Problem("t2")))
    path = tmp_path / "samples.jsonl"
    lines = [{"task_id": t, "sample": s, "completion": f"{t} {s} {p}"} for t, s, p in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in lines))
    with pytest.warns(DuplicateWarning):
        source = read_candidates(path, problems)
    assert source.duplicates == right["duplicates_dropped"]
    assert source.n == {"t1": 2, "t2": 2}


@pytest.mark.parametrize("identifier", ["S-passk-03", "S-passk-09"])
def test_missing_problems_are_named_and_nothing_at_all_is_an_error(shared, tmp_path, identifier):
    given = case(shared, identifier)
    problems = ProblemSet("case", "", tuple(map(Problem, given["input"]["tasks"])))
    rows = [
        {"task_id": task, "completion": str(i)}
        for task, counts in given["input"]["counts"].items()
        for i in range(counts["n"])
    ]
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if rows:
            missing = read_candidates(path, problems).missing
            assert list(missing) == given["right"]["tasks"]
        else:
            with pytest.raises(CandidateFileError, match="holds no candidate"):
                read_candidates(path, problems)
