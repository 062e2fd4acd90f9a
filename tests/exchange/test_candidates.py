import gzip
import io
import json
import os
import threading
import tracemalloc
import warnings

import pytest

from anyofk.errors import CandidateFileError, DuplicateWarning, IdenticalDrawsWarning
from anyofk.exchange import read_candidates
from anyofk.problems import ProblemSet
from anyofk.records import Candidate, Problem

PROBLEMS = ProblemSet(
    "set",
    "",
    (
        Problem("Set/0", prompt="def f(x):\n", entry_point="f", prompt_is_code=True),
        Problem("Set/1", prompt="Write g.", entry_point="g"),
    ),
)
BODY = "    return x\n"
PROGRAM = "def g():\n    return 1\n"


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def read(tmp_path):
    def reader(*rows):
        return read_candidates(written(tmp_path / "samples.jsonl", *rows), PROBLEMS)

    return reader


def line(problem="Set/0", **fields):
    return {"task_id": problem, **fields}


def texts(source):
    return [(c.problem, c.draw, c.form, c.text) for c in source]


def test_completions_are_numbered_in_their_order(read):
    source = read(line(completion="a"), line("Set/1", completion="b"), line(completion="c"))
    assert texts(source) == [
        ("Set/0", 0, "completion", "a"),
        ("Set/1", 0, "completion", "b"),
        ("Set/0", 1, "completion", "c"),
    ]
    assert (source.n, len(source), source.missing) == ({"Set/0": 2, "Set/1": 1}, 3, ())
    assert texts(source) == texts(source)


@pytest.mark.parametrize(
    ("fields", "form", "text"),
    [
        ({"completion": BODY}, "completion", BODY),
        ({"solution": PROGRAM}, "program", PROGRAM),
        ({"solution": PROGRAM, "completion": BODY}, "program", PROGRAM),
        ({"completion": BODY, "solution": None}, "completion", BODY),
        ({"generation": BODY}, "completion", BODY),
        ({"program": PROGRAM}, "program", PROGRAM),
        ({"text": PROGRAM}, "program", PROGRAM),
        ({"text": BODY, "form": "completion"}, "completion", BODY),
    ],
)
def test_every_word_for_the_answer_is_known_and_the_solution_wins(read, fields, form, text):
    (candidate,) = read(line(**fields))
    assert (candidate.form, candidate.text) == (form, text)


@pytest.mark.parametrize("name", ["draw", "sample", "completion_id"])
def test_draw_numbers_are_taken_as_given(read, name):
    source = read(line(completion="a", **{name: 7}), line(completion="b", **{name: 2}))
    assert [c.draw for c in source] == [7, 2]


def test_our_own_form_comes_back_as_it_was_written(read):
    candidates = [
        Candidate("Set/0", 3, BODY, "completion", "length", {"temperature": 0.8}),
        Candidate("Set/1", 0, "\ud800\0", "program", "", {"temperature": 0.8}),
    ]
    source = read(*(candidate.to_json() for candidate in candidates))
    assert list(source) == candidates
    assert source.settings == {"temperature": 0.8}
    assert source.cut_short == 1
    assert list(read_candidates(candidates, PROBLEMS)) == candidates


def test_livecodebench_lists_are_one_candidate_each(tmp_path):
    path = tmp_path / "out.json"
    path.write_text(json.dumps([{"question_id": "Set/0", "code_list": ["a", "b"]}]))
    source = read_candidates(path, PROBLEMS)
    assert texts(source) == [("Set/0", 0, "program", "a"), ("Set/0", 1, "program", "b")]
    assert source.notes == ("out.json is a JSON array, not JSON Lines; it was read as one",)


def test_gzip_and_a_byte_order_mark_are_no_hindrance(tmp_path):
    raw = b"\xef\xbb\xbf" + json.dumps(line(completion=BODY)).encode() + b"\n"
    (tmp_path / "s.jsonl.gz").write_bytes(gzip.compress(raw))
    (tmp_path / "s.jsonl").write_bytes(raw)
    packed = read_candidates(tmp_path / "s.jsonl.gz", PROBLEMS)
    plain = read_candidates(str(tmp_path / "s.jsonl"), PROBLEMS)
    assert list(packed) == list(plain)
    assert packed.digest != plain.digest
    assert plain.digest == read_candidates(tmp_path / "s.jsonl", PROBLEMS).digest


def test_standard_input_is_kept_and_read_twice(monkeypatch):
    raw = gzip.compress(json.dumps(line(completion=BODY)).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    source = read_candidates("-", PROBLEMS)
    assert texts(source) == texts(source) == [("Set/0", 0, "completion", BODY)]
    assert source.name == "standard input"
    assert source.digest.startswith("sha256:")


def test_integer_ids_are_ids(tmp_path):
    problems = ProblemSet("mbpp", "", (Problem("11"),))
    path = written(tmp_path / "s.jsonl", {"task_id": 11, "solution": PROGRAM})
    assert [c.problem for c in read_candidates(path, problems)] == ["11"]


def test_directories_of_programs_are_read_in_natural_order(tmp_path):
    for name, text in {
        "Set_0/10.py": "ten",
        "Set_0/9.py": "nine",
        "Set_0/notes.txt": "no",
        "Set_1_3.py": "three",
        "eval_results.json": "{}",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    source = read_candidates(tmp_path, PROBLEMS)
    assert texts(source) == [
        ("Set/0", 9, "program", "nine"),
        ("Set/0", 10, "program", "ten"),
        ("Set/1", 3, "program", "three"),
    ]
    before = source.digest
    (tmp_path / "Set_0" / "9.py").write_text("other")
    assert read_candidates(tmp_path, PROBLEMS).digest != before


def test_one_program_a_problem_needs_no_draw_number(tmp_path):
    (tmp_path / "Set_0.py").write_text(PROGRAM)
    assert texts(read_candidates(tmp_path, PROBLEMS)) == [("Set/0", 0, "program", PROGRAM)]


def test_programs_named_by_words_are_numbered_in_order(tmp_path):
    (tmp_path / "Set_0").mkdir()
    for name in "ab":
        (tmp_path / "Set_0" / f"{name}.py").write_text(name)
    assert [c.draw for c in read_candidates(tmp_path, PROBLEMS)] == [0, 1]


def test_an_unknown_directory_is_refused(tmp_path):
    (tmp_path / "Other_0").mkdir()
    (tmp_path / "Other_0" / "0.py").write_text(PROGRAM)
    with pytest.raises(CandidateFileError, match="unknown problem 'Other_0'") as caught:
        read_candidates(tmp_path, PROBLEMS)
    assert caught.value.file == "Other_0/0.py"


def refused(read, *rows):
    with pytest.raises(CandidateFileError) as caught:
        read(*rows)
    return caught.value


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"completion": [BODY, BODY]}, "completion", "must be text, not a list"),
        ({"solution": {"a": 1}}, "solution", "must be text, not a table"),
        ({"completion": 3}, "completion", "must be text, not a number"),
        ({"completion": True}, "completion", "must be text, not true or false"),
        ({}, "completion", "no field holds the answer (fields: task_id)"),
        ({"completion": "", "draw": -1}, "draw", "must be a whole number from 0, not -1"),
        ({"completion": "", "draw": "1"}, "draw", "must be a whole number from 0, not '1'"),
        ({"completion": "", "sample": True}, "sample", "must be a whole number"),
        ({"text": "", "form": "chat"}, "form", "field 'form' is 'chat'"),
        ({"text": "", "settings": 3}, "settings", "must be a table"),
        ({"code_list": "x"}, "code_list", "must be a list, not text"),
        ({"code_list": ["x", ["y"]]}, "code_list[1]", "must be text, not a list"),
        ({"task_id": None, "completion": ""}, "task_id", "must be text, not NoneType"),
    ],
)
def test_a_wrong_field_is_refused_with_file_line_and_field(read, fields, field, message):
    error = refused(read, line(completion="a"), {**line(), **fields})
    assert str(error).startswith("samples.jsonl, line 2: ")
    assert message in str(error)
    assert (error.file, error.line, error.field) == ("samples.jsonl", 2, field)
    assert error.hint


def test_a_line_without_an_id_is_refused(read):
    error = refused(read, {"completion": "a"})
    assert "no field says which problem it answers (fields: completion)" in str(error)
    assert error.line == 1


def test_files_of_results_get_a_hint(read):
    error = refused(read, {"eval": {"Set/0": []}, "hash": "0"})
    assert "'anyofk estimate' reads those" in error.hint


@pytest.mark.parametrize(
    ("raw", "line_number", "message"),
    [
        (b'{"task_id": "Set/0", "completion": "a"}\n{"task_id": "Set/0", "comp', 2, "not JSON"),
        (b'{"task_id": "Set/0", "completion": "a"}\n["b"]\n', 2, "a JSON object is needed"),
        (b'{"task_id": "Set/0", "completion": "\xe9"}\n', 1, "byte 0xe9 is not UTF-8"),
        (b'[["a", "b"]]', None, "a JSON object is needed"),
        (b'[{"task_id": "Set/0"', None, "not JSON"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(tmp_path, raw, line_number, message):
    (tmp_path / "s.jsonl").write_bytes(raw)
    with pytest.raises(CandidateFileError, match=message) as caught:
        read_candidates(tmp_path / "s.jsonl", PROBLEMS)
    assert (caught.value.file, caught.value.line) == ("s.jsonl", line_number)


@pytest.mark.parametrize("raw", [b"", b"\n \n", b"[]"])
def test_a_file_without_candidates_is_refused(tmp_path, raw):
    (tmp_path / "s.jsonl").write_bytes(raw)
    with pytest.raises(CandidateFileError, match="holds no candidate"):
        read_candidates(tmp_path / "s.jsonl", PROBLEMS)


def test_an_absent_file_is_refused(tmp_path):
    with pytest.raises(CandidateFileError, match="cannot be read: No such file"):
        read_candidates(tmp_path / "absent.jsonl", PROBLEMS)


def test_unknown_ids_are_listed_with_the_missing_ones(read):
    rows = [line(f"Other/{i}", completion="a") for i in range(8)]
    error = refused(read, line(completion="a"), *rows)
    assert "'Other/4' and 3 more" in str(error)
    assert error.unknown == tuple(f"Other/{i}" for i in range(8))
    assert error.missing == ("Set/1",)
    assert error.line == 2


def test_missing_problems_are_reported_and_left_to_the_caller(read):
    assert read(line(completion="a")).missing == ("Set/1",)


@pytest.mark.parametrize("text", ["", None, " \n\t"])
def test_empty_text_is_a_failed_candidate_and_stays_in_n(read, text):
    source = read(line(completion=BODY), line(completion=text))
    assert source.n == {"Set/0": 2}
    assert source.empty == {"Set/0": 1}
    assert [c.text for c in source] == [BODY, text or ""]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("temperature", 0.0, 0.8),
        ("model", "a", "b"),
        ("top_p", 1, 0.9),
        ("temperature", 0.8, None),
    ],
)
def test_mixed_settings_are_refused_with_their_values(read, name, first, second):
    rows = [line(completion=str(i), **{name: v}) for i, v in enumerate([first, second])]
    error = refused(read, *rows)
    assert (error.field, error.values, error.line) == (name, (first, second), 2)


def test_a_setting_that_only_some_candidates_have_is_mixed_too(read):
    for rows in (
        [line(completion="a", temperature=0.8), line(completion="b")],
        [line(completion="a"), line(completion="b", temperature=0.8)],
    ):
        assert refused(read, *rows).field == "temperature"


def test_equal_settings_in_other_words_and_seeds_of_their_own_are_not_mixed(read):
    source = read(
        line(completion="a", settings={"temperature": 1, "seed": 1}),
        line(completion="b", settings={"temperature": 1.0, "seed": 2}),
    )
    assert source.settings == {"temperature": 1}
    assert [c.settings["seed"] for c in source] == [1, 2]


def test_one_draw_with_two_texts_is_refused_with_both_lines(read):
    error = refused(
        read, line(completion="a", draw=1), line(completion="b"), line(completion="c", draw=1)
    )
    assert "some candidates have a draw number" in str(error)
    error = refused(
        read,
        line(completion="a", draw=1),
        line(completion="b", draw=0),
        line(completion="c", draw=1),
    )
    assert "lines 1 and 3: draw 1 of problem 'Set/0' has two different texts" in str(error)
    assert (error.line, error.draw, error.problem) == (3, 1, "Set/0")


def test_a_draw_that_stands_twice_with_the_same_text_counts_once(read):
    rows = [line(completion="a", draw=0), line(completion="", draw=1)]
    with pytest.warns(DuplicateWarning, match="stood twice .* and count once: 2"):
        source = read(*rows, *rows, line(completion="c", draw=2))
    assert [(c.draw, c.text) for c in source] == [(0, "a"), (1, ""), (2, "c")]
    assert (source.n, source.duplicates, source.empty) == ({"Set/0": 3}, 2, {"Set/0": 1})
    assert source.notes == ("candidates that stood twice and count once: 2",)


def test_the_same_text_without_draw_numbers_is_another_draw(read):
    source = read(line(completion="a"), line(completion="a"), line(completion="b"))
    assert (source.n, source.distinct) == ({"Set/0": 3}, {"Set/0": 2})


@pytest.mark.parametrize(
    ("settings", "deterministic"),
    [
        ({"temperature": 0}, True),
        ({"temperature": 0.0}, True),
        ({"do_sample": False}, True),
        ({"greedy": True}, True),
        ({"temperature": 0.2}, False),
        ({}, False),
    ],
)
def test_draws_that_cannot_differ_are_flagged(read, settings, deterministic):
    source = read(line(completion="a", **settings), line(completion="b", **settings))
    assert source.deterministic is deterministic


def test_identical_draws_everywhere_are_warned_of(read):
    rows = [line(completion="a"), line(completion="a"), line("Set/1", completion="b")]
    with pytest.warns(IdenticalDrawsWarning, match="pass@k is pass@1"):
        read(*rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(*rows, line("Set/1", completion="c"))
        read(rows[0], rows[2])


@pytest.mark.parametrize(
    ("row", "looks"),
    [
        (line(completion=f"Here is the code:\n```python\n{PROGRAM}```\n"), 1),
        (line("Set/1", solution="Sure, here is a program that works."), 1),
        (line("Set/1", solution=f"```python\n{PROGRAM}```"), 1),
        (line("Set/1", solution=f"'''\n```\n'''\n{PROGRAM}"), 0),
        (line("Set/1", solution="def g(:\n"), 0),
        (line("Set/1", solution="Total_sum = 1\n"), 0),
        (line(completion="    '''Return the value of x.'''\n    return x\n"), 0),
    ],
)
def test_chat_replies_are_counted(read, row, looks):
    assert read(row).looks_like_chat == looks


def test_ids_that_share_a_file_name_cannot_be_read_from_a_directory(tmp_path):
    (tmp_path / "a_b.py").write_text(PROGRAM)
    problems = ProblemSet("s", "", (Problem("a/b"), Problem("a_b")))
    with pytest.raises(CandidateFileError, match="may answer 'a/b' or 'a_b'"):
        read_candidates(tmp_path, problems)


def test_a_pipe_is_kept_and_read_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = json.dumps(line(completion=BODY))
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    source = read_candidates(pipe, PROBLEMS)
    writer.join()
    assert texts(source) == texts(source) == [("Set/0", 0, "completion", BODY)]


def test_a_million_unknown_ids_are_not_all_kept(read):
    error = refused(read, *(line(f"x{i}", completion="") for i in range(1200)))
    assert len(error.unknown) == 1000


def test_a_file_that_changes_between_the_passes_is_refused(tmp_path):
    path = written(tmp_path / "s.jsonl", line(completion="a"))
    source = read_candidates(path, PROBLEMS)
    for rows in ([line(completion="b")], [line(completion="a"), line(completion="c")]):
        written(path, *rows)
        with pytest.raises(CandidateFileError, match="changed while it was read"):
            list(source)


def test_a_result_file_beside_the_candidates_is_never_opened(tmp_path):
    path = written(tmp_path / "s.jsonl", line(completion=BODY))
    for name in ("s_eval_results.json", "s.eval_results.json", "s.jsonl_results.jsonl"):
        (tmp_path / name).mkdir()  # to open it would fail
    assert texts(read_candidates(path, PROBLEMS)) == [("Set/0", 0, "completion", BODY)]


def test_verdicts_inside_a_file_of_candidates_are_not_believed(read):
    (candidate,) = read(line(completion=BODY, passed=True, result="passed"))
    assert candidate == Candidate("Set/0", 0, BODY, "completion")


def test_memory_does_not_grow_with_the_texts(tmp_path):
    path = tmp_path / "s.jsonl"
    with path.open("w") as stream:
        for i in range(20_000):
            stream.write(json.dumps(line(completion=f"{i}" + "x" * 1000, draw=i)) + "\n")
    tracemalloc.start()
    source = read_candidates(path, PROBLEMS)
    assert sum(1 for _ in source) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000  # the texts are 20 MB
