import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
from installed import KINDS, SCRIPT, samples, write_lines

from anyofk.store import RunWriter

VERIFY = ("verify", "samples.jsonl", "--problems", "set.jsonl", "--time-limit", "0.5")
pytestmark = pytest.mark.usefixtures("_sandbox")


def test_one_json_object_holds_counts_outcomes_and_estimates(anyofk, files):
    write_lines(files / "samples.jsonl", samples(KINDS))
    done = anyofk(*VERIFY, "--json", "-k", "1,5")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["level"] in {"vm", "jail", "fence"}
    assert list(found["problems"]) == ["two", "three", "four"]
    assert found["problems"]["two"] == {
        "n": 7,
        "c": 1,
        "broken": 0,
        "outcomes": dict.fromkeys(KINDS, 1),
    }
    one = found["estimates"]["1"]
    assert one["value"] == pytest.approx(1 / 7)
    assert one["low"] <= one["value"] <= one["high"]
    assert set(found["estimates"]) == {"1", "5"}
    assert found["modes"] == {"isolated": 21}
    assert found["synthetic"] is False
    assert (files / "runs" / f"{found['run']}.db").is_file()


@pytest.mark.usefixtures("files")
def test_a_table_shows_every_estimate_with_its_interval(anyofk):
    done = anyofk(*VERIFY, "-k", "5", "--level", "0.9", "--target", "population")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any(line.startswith("pass@1 ") and "0.1667" in line for line in lines)
    assert any(line.startswith("pass@5 ") for line in lines)
    assert "90 % low" in done.stdout
    assert "18 candidates judged" in done.stdout
    assert "missing_entry_point" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.usefixtures("files")
def test_the_same_command_again_judges_nothing_and_says_the_same(anyofk):
    first, second = anyofk(*VERIFY, "--json"), anyofk(*VERIFY, "--json")
    assert first.stdout == second.stdout
    assert "18 of 18 were judged before" in second.stderr


def test_another_limit_is_refused_until_the_run_is_named_or_made_afresh(anyofk, files):
    anyofk(*VERIFY)
    other = anyofk(*VERIFY[:-1], "0.6")
    assert other.returncode == 2
    assert "judging.time_limit: 0.5, now 0.6" in other.stderr
    assert "hint: give this one another --name, or --fresh" in other.stderr
    assert anyofk(*VERIFY[:-1], "0.6", "--name", "other").returncode == 0
    assert anyofk(*VERIFY[:-1], "0.6", "--fresh").returncode == 0
    assert sorted(p.name for p in (files / "runs").iterdir()) == ["other.db", "samples-set.db"]


def test_runs_are_kept_where_the_option_or_the_environment_says(anyofk, files):
    anyofk(*VERIFY, "--runs", "here")
    anyofk(*VERIFY, env={"ANYOFK_RUNS": str(files / "there")})
    assert (files / "here" / "samples-set.db").is_file()
    assert (files / "there" / "samples-set.db").is_file()
    assert not (files / "runs").exists()


def test_candidates_come_from_standard_input_too(anyofk, files):
    text = (files / "samples.jsonl").read_text()
    done = anyofk("verify", "-", *VERIFY[2:], "--no-store", "--json", stdin=text)
    assert json.loads(done.stdout)["problems"]["two"]["n"] == 6


def test_a_folder_that_takes_no_run_is_named(anyofk, files):
    (files / "runs").write_text("a file")
    done = anyofk(*VERIFY)
    assert done.returncode == 4
    assert "folder of runs 'runs' cannot be made" in done.stderr


def test_without_a_store_nothing_is_left(anyofk, files):
    done = anyofk(*VERIFY, "--no-store", "--json")
    assert json.loads(done.stdout)["run"] is None
    assert not (files / "runs").exists()


@pytest.mark.usefixtures("files")
def test_more_attempts_than_draws_give_null_with_the_reason(anyofk):
    done = anyofk(*VERIFY, "-k", "1,100", "--json")
    found = json.loads(done.stdout)["estimates"]
    assert done.returncode == 2
    assert found["1"]["value"] > 0
    assert (found["100"]["value"], found["100"]["reason"]) == (None, "n_less_than_k")
    assert "hint: draw 94 more, or ask for k <= 6" in done.stderr


def test_missing_problems_leave_no_number_unless_counted_as_failed(anyofk, files):
    write_lines(files / "samples.jsonl", samples(names=("two", "three")))
    done = anyofk(*VERIFY, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 5
    assert found["estimates"]["1"]["value"] is None
    assert found["estimates"]["1"]["reason"] == "missing_problems"
    assert found["estimates"]["1"]["bounds"] == pytest.approx([2 / 18, 8 / 18])
    filled = anyofk(*VERIFY, "--json", "--missing", "fail")
    assert filled.returncode == 0
    assert json.loads(filled.stdout)["estimates"]["1"]["value"] == pytest.approx(2 / 18)
    assert "1 of 3 problems have no candidate: counted as failed" in filled.stderr


def test_a_faulty_problem_is_never_a_pass_and_leaves_bounds(anyofk, files):
    faulty = {"id": "bad", "entry_point": "f", "hidden": "assert f(1) == 2"}
    faulty["reference"] = "def f(x):\n    return 0\n"
    rows = [json.loads(line) for line in (files / "set.jsonl").read_text().splitlines()]
    write_lines(files / "set.jsonl", [*rows, faulty])
    extra = [{"task_id": "bad", "solution": "def f(x):\n    return 2\n"}]
    write_lines(files / "samples.jsonl", [*samples(("passed",)), *extra])
    done = anyofk(*VERIFY, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 5
    assert found["problems"]["bad"] == {"n": 0, "c": 0, "broken": 1, "outcomes": {"broken": 1}}
    assert found["estimates"]["1"]["bounds"] == [0.75, 1.0]
    assert found["estimates"]["1"]["reason"] == "unjudged_candidates"
    assert any("bad (1: faulty problem" in warning for warning in found["warnings"])
    assert "warning: not judged, in neither n nor c: bad" in done.stderr


def test_draws_without_chance_are_warned_of_and_have_no_pass_at_5(anyofk, files):
    rows = [{**row, "temperature": 0.0} for row in samples(("passed",) * 5)]
    write_lines(files / "samples.jsonl", rows)
    done = anyofk(*VERIFY, "--json", "-k", "1,5")
    found = json.loads(done.stdout)
    assert found["estimates"]["1"]["value"] == 1
    assert found["estimates"]["5"]["value"] is None
    assert found["estimates"]["5"]["reason"] == "identical_draws"
    assert any("without chance (temperature 0)" in warning for warning in found["warnings"])
    assert any("same text" in warning for warning in found["warnings"])
    assert anyofk(*VERIFY).returncode == 0


def test_unequal_n_and_chat_replies_are_warned_of(anyofk, files):
    chat = {"task_id": "two", "solution": "Sure, here it is:\n```python\ndef f(x): return x\n```"}
    write_lines(files / "samples.jsonl", [*samples(("passed", "wrong_answer")), chat])
    done = anyofk(*VERIFY)
    assert "warning: problems have different n, from 2 to 3" in done.stderr
    assert "1 of 7 candidates fail and look like chat replies" in done.stderr


def test_passes_near_the_limit_are_listed(anyofk, files):
    slow = (
        "import time\nEND = time.process_time() + 0.45\n"
        "while time.process_time() < END:\n    pass\ndef f(x):\n    return x + 2\n"
    )
    write_lines(files / "samples.jsonl", [{"task_id": "two", "solution": slow}])
    done = anyofk(*VERIFY, "--missing", "fail", "--json")
    assert json.loads(done.stdout)["problems"]["two"]["c"] == 1
    assert "passed above 80% of the time limit (two)" in done.stderr


def test_a_memory_limit_is_a_verdict(anyofk, files):
    hungry = "def f(x):\n    return len(bytearray(400 * 2**20)) * 0 + x + 2\n"
    write_lines(files / "samples.jsonl", [{"task_id": "two", "solution": hungry}])
    small = anyofk(*VERIFY, "--json", "--memory-mb", "100", "--name", "small")
    large = anyofk(*VERIFY, "--json", "--memory-mb", "1000", "--name", "large")
    outcomes = [json.loads(d.stdout)["problems"]["two"]["outcomes"] for d in (small, large)]
    assert outcomes == [{"memory_limit": 1}, {"passed": 1}]


def test_what_needs_one_process_is_judged_only_when_allowed_and_called_forgeable(anyofk, files):
    needs = {
        "id": "two",
        "entry_point": "f",
        "mode": "inprocess",
        "reference": "def f(x):\n    return x + 2\n",
        "hidden": "assert f(1) == 3",
    }
    write_lines(files / "set.jsonl", [needs])
    write_lines(files / "samples.jsonl", samples(("passed", "wrong_answer"), ("two",)))
    refused = anyofk(*VERIFY, "--json")
    allowed = anyofk(*VERIFY, "--json", "--allow-inprocess", "--name", "allowed")
    assert json.loads(refused.stdout)["problems"]["two"]["c"] == 0
    assert refused.returncode == 5
    found = json.loads(allowed.stdout)
    assert found["problems"]["two"]["c"] == 1
    assert any("are forgeable" in warning for warning in found["warnings"])


@pytest.mark.usefixtures("files")
def test_the_number_of_workers_moves_no_count(anyofk):
    one, four = (
        json.loads(anyofk(*VERIFY, "--json", "--no-store", "--workers", n).stdout) for n in (1, 4)
    )
    assert one["problems"] == four["problems"]


@pytest.mark.usefixtures("files")
def test_a_weak_level_is_accepted_only_by_name(anyofk):
    done = anyofk(*VERIFY, "--json", "--allow-weak", "limits")
    assert json.loads(done.stdout)["level"] in {"vm", "jail", "fence"}
    assert anyofk(*VERIFY, "--allow-weak", "anything").returncode == 2


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('{"task_id": "two", "solution": ["a", "b"]}', "line 1"),
        ('{"task_id": "nowhere", "solution": "x"}', "nowhere"),
        ("{broken", "line 1"),
    ],
)
def test_bad_candidates_stop_with_3_and_leave_no_run(anyofk, files, line, names):
    (files / "samples.jsonl").write_text(line + "\n")
    done = anyofk(*VERIFY)
    assert done.returncode == 3
    assert done.stdout == ""
    assert names in done.stderr
    assert not list(files.glob("runs/*"))


def test_hostile_ids_and_messages_do_no_harm_to_a_terminal(anyofk, files):
    hostile = "\x1b]0;gone\x07[red]\u202eid\ud800"
    problem = {"id": hostile, "entry_point": "f", "hidden": "assert f('') == 1"}
    write_lines(files / "set.jsonl", [problem])
    answer = "def f(x):\n    raise ValueError('\\x1b[31m\\x00\\ud800' + '9' * 5000)\n"
    write_lines(files / "samples.jsonl", [{"task_id": hostile, "solution": answer}] * 2)
    done = anyofk(*VERIFY, "--interval", "kg")
    assert done.returncode == 0, done.stderr
    for harm in ("\x1b", "\x07", "\u202e", "\x00"):
        assert harm not in done.stdout + done.stderr
    shown = anyofk("export", "samples-set", "--format", "verdicts")
    assert [json.loads(line)["problem"] for line in shown.stdout.splitlines()] == [hostile] * 2


def start(folder, *more):
    return subprocess.Popen(
        [SCRIPT, *VERIFY, "--json", *more],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


@pytest.fixture
def many(files):
    """Enough candidates to be interrupted in the middle: the last ones take their time."""
    kinds = ("passed", "wrong_answer", "exception", "passed", "syntax_error") * 20
    slow = samples(("timeout",) * 6, ("four",))
    write_lines(files / "samples.jsonl", [*samples(kinds), *slow])
    return files


def judged(folder):
    file = folder / "runs" / "samples-set.db"
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM verdicts").fetchone()[0]
    except sqlite3.Error:
        return 0


def wait_for_verdicts(folder, process, number):
    while judged(folder) < number and process.poll() is None:
        time.sleep(0.02)


def test_killed_at_any_moment_a_run_goes_on_to_the_same_counts(anyofk, many):
    wanted = json.loads(anyofk(*VERIFY, "--json", "--no-store").stdout)["problems"]
    for number in (0, 50, 150):
        process = start(many)
        wait_for_verdicts(many, process, number)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = judged(many)
    done = anyofk(*VERIFY, "--json")
    assert json.loads(done.stdout)["problems"] == wanted
    assert f"{before} of 306 were judged before" in done.stderr
    assert [p.name for p in (many / "runs").iterdir()] == ["samples-set.db"]
    assert judged(many) == 306


@pytest.mark.deep
def test_killed_at_twenty_random_moments_a_run_goes_on_to_the_same_counts(anyofk, many):
    wanted = json.loads(anyofk(*VERIFY, "--json", "--no-store").stdout)["problems"]
    for _ in range(20):
        process = start(many)
        time.sleep(random.uniform(0.0, 4.0))  # noqa: S311 - a moment, no secret
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = anyofk(*VERIFY, "--json")
    assert json.loads(done.stdout)["problems"] == wanted
    assert judged(many) == 306


def test_an_interrupt_leaves_a_run_that_goes_on(anyofk, many):
    process = start(many)
    wait_for_verdicts(many, process, 1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"the same command goes on" in said
    assert 0 < judged(many) < 306
    assert anyofk(*VERIFY).returncode == 0
    assert judged(many) == 306


@pytest.mark.usefixtures("files")
def test_a_run_that_another_process_writes_is_refused(anyofk, tmp_path):
    with RunWriter(tmp_path / "runs" / "samples-set.db"):
        second = anyofk(*VERIFY)
    assert second.returncode == 4
    assert f"'samples-set' is in use by process {os.getpid()}" in second.stderr


def test_extract_judges_the_programs_in_replies(anyofk, files):
    fenced = [
        {"task_id": row["task_id"], "reply": f"Here:\n```python\n{row['solution']}```\n"}
        for row in samples()
        if row["solution"]
    ]
    write_lines(files / "replies.jsonl", fenced)
    done = anyofk("verify", "replies.jsonl", "--problems", "set.jsonl", "--extract", "--json")
    assert done.returncode == 0, done.stderr
    outcomes = json.loads(done.stdout)["problems"]["two"]["outcomes"]
    assert outcomes["passed"] == outcomes["syntax_error"] == outcomes["missing_entry_point"] == 1


@pytest.mark.usefixtures("files")
def test_a_reply_mode_without_extract_is_refused(anyofk):
    done = anyofk("verify", "samples.jsonl", "--problems", "set.jsonl", "--reply-mode", "stdin")
    assert done.returncode == 2
    assert "--reply-mode needs --extract" in done.stderr
