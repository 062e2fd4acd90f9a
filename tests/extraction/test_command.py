"""The verb that shows what is taken out of a file of raw replies."""

import json

import pytest
from click.testing import CliRunner

from anyofk.cli.extract import command
from anyofk.errors import CandidateFileError

GOOD = "Sure:\n```python\ndef f(x):\n    return x + 1\n```\n"


@pytest.fixture
def run(tmp_path):
    def call(name, content, *arguments):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return CliRunner().invoke(command, [str(path), *arguments], catch_exceptions=False)

    return call


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    "field", ["reply", "response", "raw_solution", "completion", "program", "text", "raw"]
)
def test_each_line_gives_one_object_with_the_keys_of_the_record(run, field):
    content = lines({"task_id": "p", field: GOOD}, {"task_id": "q", field: "No."})
    done = run("a.jsonl", content, "--json", "--entry-point", "f")
    first, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["status"], first["problem"]) == ("ok", "p")
    assert first["code"] == "def f(x):\n    return x + 1\n"
    assert first["place"] == "a.jsonl, line 1"
    assert (second["status"], second["code"]) == ("no_code", None)
    assert second["notes"]
    assert "2 replies (ok 1, no_code 1)" in done.stderr


def test_the_text_form_says_which_part_was_taken_and_why(run):
    done = run("a.jsonl", lines({"reply": GOOD}), "--entry-point", "f")
    assert "ok" in done.stdout
    assert "the last that defines f" in done.stdout
    assert "    def f(x):" in done.stdout


def test_control_characters_of_a_reply_never_reach_the_terminal(run):
    reply = "```python\ndef f(x):\n    return '\x1b[31m'\n```"
    done = run("a.jsonl", lines({"reply": reply}), "--entry-point", "f")
    assert "\x1b" not in done.stdout


def test_a_text_file_is_one_reply(run):
    done = run("reply.md", GOOD, "--json", "--entry-point", "f")
    assert json.loads(done.stdout)["status"] == "ok"


def test_the_reason_why_a_model_stopped_is_read(run):
    cut = {"reply": "```python\ndef f(x):\n    return (x", "finish_reason": "length"}
    done = run("a.jsonl", lines(cut), "--json", "--entry-point", "f")
    assert json.loads(done.stdout)["status"] == "truncated"


def test_the_mode_changes_how_a_reply_is_read(run):
    row = {"reply": "    return x + 1\n", "entry_point": "f", "prompt": "def f(x):\n"}
    done = run("a.jsonl", lines(row), "--json", "--mode", "completion")
    assert json.loads(done.stdout)["code"] == "def f(x):\n    return x + 1\n"


def test_without_an_entry_point_a_reply_is_a_whole_program(run):
    done = run("a.jsonl", lines({"reply": "```python\nprint(input())\n```"}), "--json")
    assert json.loads(done.stdout)["status"] == "ok"


def test_a_function_without_an_entry_point_is_told_what_was_not_said(run):
    content = lines({"reply": "def f(x):\n    return x + 1\n"})
    done = run("a.jsonl", content)
    assert "it reads and prints nothing; defined is f" in done.stdout
    assert "None" not in done.stdout
    assert "hint: where tests call a function, name it" in done.stderr
    assert "hint" not in run("a.jsonl", content, "--entry-point", "f").stderr
    assert "hint" not in run("a.jsonl", content, "--mode", "function").stderr


def test_entry_points_and_prompts_come_from_a_problem_set(run, tmp_path):
    problem = {"id": "p", "entry_point": "g", "prompt": "Write g.", "hidden": "assert g() == 1"}
    (tmp_path / "set.jsonl").write_text(lines(problem), encoding="utf-8")
    row = {"problem": "p", "reply": "```python\ndef g():\n    return 1\n```"}
    done = run("a.jsonl", lines(row), "--json", "--problems", str(tmp_path / "set.jsonl"))
    assert json.loads(done.stdout)["code"].startswith("def g")


def test_a_line_without_a_reply_is_refused_by_its_place(run):
    with pytest.raises(CandidateFileError, match=r"a\.jsonl, line 1: no field holds the reply"):
        run("a.jsonl", lines({"answer": GOOD}), "--json")


def test_a_reply_that_is_no_text_is_refused(run):
    with pytest.raises(CandidateFileError, match="must be text"):
        run("a.jsonl", lines({"reply": 3}), "--json")
