import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from stored_strategies import CANDIDATES, VERDICTS

from anyofk.errors import DataError, StoreError, UnavailableError, UsageError
from anyofk.records import Candidate, Counts, Manifest, Outcome, Problem, Verdict
from anyofk.store import Run, RunWriter, delete_run, find_run, list_runs, make_name, run_path

PROBLEMS = [Problem("a", cluster="x"), Problem("b"), Problem("c")]
MANIFEST, JUDGING = Manifest({"set": "tiny"}), Manifest({"limits": {"time": 3.0}})


def draws(problem="a", number=4):
    return [Candidate(problem, i, f"text {i}") for i in range(number)]


def verdict(draw, outcome=Outcome.PASSED, problem="a", **more):
    return Verdict(problem, draw, outcome, **more)


@pytest.fixture
def path(tmp_path):
    return run_path("tiny", tmp_path)


@pytest.fixture
def writer(path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws("a") + draws("c", 2))
        yield writer


def reading(path):
    return Run(path)


@pytest.mark.usefixtures("writer")
def test_a_new_run_holds_every_candidate_and_no_verdict(path):
    with Run(path) as run:
        assert list(run.candidates()) == draws("a") + draws("c", 2)
        assert list(run.verdicts()) == []
        assert (run.size(), run.pending()) == (6, 6)


def test_the_manifest_of_a_run_joins_what_was_drawn_and_how_it_was_judged(writer, path):
    with Run(path) as run:
        assert run.manifest == Manifest({"set": "tiny", "limits": {"time": 3.0}})
        assert writer.stored() == run.manifest
        assert run.name == "tiny"


def test_counts_follow_the_problem_set_and_show_what_is_not_judged(writer, path):
    for outcome, draw in ((Outcome.PASSED, 0), (Outcome.TIMEOUT, 1), (Outcome.BROKEN, 2)):
        writer.record(verdict(draw, outcome))
    writer.flush()
    with Run(path) as run:
        assert run.counts() == [
            Counts("a", n=2, c=1, broken=2, cluster="x"),
            Counts("b", n=0, c=0),
            Counts("c", n=0, c=0, broken=2),
        ]
        assert run.outcomes()["a"] == {
            Outcome.PASSED: 1,
            Outcome.TIMEOUT: 1,
            Outcome.BROKEN: 1,
        }
        assert run.pending() == 3
        assert "3 problems, 2 candidates judged, 1 passed, 4 broken or not judged" in repr(run)
        assert "<tr><td>a</td><td>2</td><td>1</td><td>2</td></tr>" in run._repr_html_()


def test_what_was_judged_is_not_given_again_but_what_broke_is(writer):
    writer.record(verdict(0))
    writer.record(verdict(1, Outcome.BROKEN))
    writer.flush()
    given = [(c.problem, c.draw) for c in writer.unjudged()]
    assert given == [("a", 1), ("a", 2), ("a", 3), ("c", 0), ("c", 1)]


def test_recording_while_reading_gives_each_candidate_once(path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws("a", 1500))
        seen = []
        for candidate in writer.unjudged():
            seen.append(candidate.draw)
            writer.record(verdict(candidate.draw, Outcome.BROKEN))
        assert seen == list(range(1500))


def test_a_broken_verdict_gives_way_to_a_later_one(writer, path):
    writer.record(verdict(0, Outcome.BROKEN))
    writer.record(verdict(0, Outcome.WRONG_ANSWER, message="check 2"))
    writer.flush()
    with Run(path) as run:
        assert [(v.outcome, v.message) for v in run.verdicts()] == [
            (Outcome.WRONG_ANSWER, "check 2")
        ]


def test_an_equal_verdict_twice_counts_once(writer, path):
    writer.record(verdict(0, cpu_s=0.1))
    writer.record(verdict(0, cpu_s=0.2))
    writer.flush()
    with Run(path) as run:
        assert [v.cpu_s for v in run.verdicts()] == [0.1]


def test_two_verdicts_that_disagree_are_refused(writer):
    writer.record(verdict(0))
    writer.record(verdict(0, Outcome.TIMEOUT))
    with pytest.raises(StoreError, match=r"draw 0 of problem 'a'.*timeout.*passed"):
        writer.flush()


def test_a_verdict_on_a_problem_that_is_not_there_is_refused(writer):
    writer.record(verdict(0, problem="zzz"))
    with pytest.raises(StoreError, match="no such problem"):
        writer.flush()


def test_a_candidate_twice_with_the_same_text_is_stored_once(path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws("a", 2) + draws("a", 2))
        assert len(list(writer.unjudged())) == 2


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Candidate("a", 0, "another text"), "two different texts"),
        (Candidate("nowhere", 0, ""), "'nowhere', which is not in the set"),
        (Candidate("a", 2**70, ""), "is no index"),
    ],
)
def test_bad_candidates_leave_no_half_run(path, bad, says):
    with RunWriter(path) as writer:
        with pytest.raises(DataError, match=says):
            writer.begin(MANIFEST, JUDGING, PROBLEMS, [*draws(), bad])
        assert writer.stored() is None
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws())
        assert len(list(writer.unjudged())) == 4


def test_a_new_judging_starts_without_verdicts_and_keeps_the_old_ones(writer, path):
    writer.record(verdict(0))
    writer.flush()
    writer.begin_judging(Manifest({"limits": {"time": 6.0}}))
    assert len(list(writer.unjudged())) == 6
    with Run(path) as run:
        assert run.manifest.content["limits"] == {"time": 6.0}
        assert list(run.verdicts()) == []
        assert run.query("SELECT judging, count(*) FROM verdicts GROUP BY judging") == [(1, 1)]


def test_starting_afresh_empties_the_run(writer):
    writer.fresh()
    assert writer.stored() is None


@pytest.mark.usefixtures("writer")
def test_a_second_writer_is_refused_and_told_who_writes(path):
    with pytest.raises(UnavailableError, match=f"'tiny' is in use by process {os.getpid()}"):
        RunWriter(path)


def test_closing_leaves_one_file_and_no_lock(path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws())
    assert [file.name for file in path.parent.iterdir()] == ["tiny.db"]


def test_a_full_disk_is_told_and_what_was_stored_stays(writer, path):
    writer.record(verdict(0))
    writer.flush()
    (pages,) = writer._connection.execute("PRAGMA page_count").fetchone()
    writer._connection.execute(f"PRAGMA max_page_count = {pages}")
    for draw in range(1, 4):
        writer.record(verdict(draw, Outcome.EXCEPTION, message="m" * 100_000))
    with pytest.raises(UnavailableError, match="the disk is full"):
        writer.flush()
    with Run(path) as run:
        assert [v.draw for v in run.verdicts()] == [0]
    assert [c.draw for c in writer.unjudged() if c.problem == "a"] == [1, 2, 3]


def test_the_views_answer_plain_sql(writer, path):
    writer.record(verdict(0))
    writer.flush()
    connection = sqlite3.connect(path)
    counts = connection.execute("SELECT problem, n, c, pending FROM counts").fetchall()
    results = connection.execute("SELECT problem, draw, outcome, text FROM results").fetchall()
    connection.close()
    assert counts == [("a", 1, 1, 3), ("b", 0, 0, 0), ("c", 0, 0, 2)]
    assert results == [("a", 0, "passed", "text 0")]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(candidate=CANDIDATES)
def test_any_candidate_comes_back_as_it_went_in(tmp_path, candidate):
    problems = [Problem(name) for name in ("p0", "p\x001", "p\ud8002")]
    with RunWriter(tmp_path / "any.db") as writer:
        writer.fresh()
        writer.begin(MANIFEST, JUDGING, problems, [candidate])
        with Run(tmp_path / "any.db") as run:
            assert list(run.candidates()) == [candidate]
            assert list(run.problems()) == [problem.id for problem in problems]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(judged=VERDICTS)
def test_any_verdict_comes_back_as_it_went_in(tmp_path, judged):
    with RunWriter(tmp_path / "any.db") as writer:
        writer.fresh()
        writer.begin(MANIFEST, JUDGING, [Problem("p")], draws("p", 6))
        writer.record(judged)
        writer.flush()
        with Run(tmp_path / "any.db") as run:
            assert list(run.verdicts()) == [judged]


KILLED = """
import sys
from pathlib import Path
from anyofk.records import Candidate, Manifest, Outcome, Problem, Verdict
from anyofk.store import RunWriter
path = Path(sys.argv[1])
with RunWriter(path) as writer:
    if writer.stored() is None:
        drawn = (Candidate("p", i, "x" * 100) for i in range(20_000))
        writer.begin(Manifest({}), Manifest({}), [Problem("p")], drawn)
    for candidate in writer.unjudged():
        outcome = Outcome.PASSED if candidate.draw % 3 else Outcome.TIMEOUT
        writer.record(Verdict("p", candidate.draw, outcome))
"""


def test_a_run_killed_at_any_moment_goes_on_to_the_same_counts(tmp_path):
    path = tmp_path / "killed.db"
    for wait in (0.05, 0.2, 0.25, 0.3, 0.4):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=True)
    with Run(path) as run:
        assert run.counts() == [Counts("p", n=20_000, c=13_333)]
    assert [file.name for file in tmp_path.iterdir()] == ["killed.db"]


@pytest.mark.usefixtures("writer")
def test_a_run_is_known_for_what_it_is_while_its_log_holds_everything(path):
    """As a kill would leave it: nothing has moved from the log to the file."""
    left = path.with_name("left.db")
    for ending in ("", "-wal"):
        content = path.with_name(path.name + ending).read_bytes()
        left.with_name(left.name + ending).write_bytes(content)
    assert find_run("left", path.parent) == left
    with Run(left) as run:
        assert run.size() == 6
    delete_run(left)
    assert sorted(p.name for p in path.parent.glob("left*")) == []


def test_names_prefixes_and_paths_find_a_run(tmp_path):
    for name in ("apple", "apricot", "pear"):
        with RunWriter(run_path(name, tmp_path)) as writer:
            writer.begin(MANIFEST, JUDGING, PROBLEMS, draws())
    pear = tmp_path / "pear.db"
    (tmp_path / "pear.db.bak").write_text("")
    (tmp_path / "notes.db").write_text("no database at all")
    assert [p.name for p in list_runs(tmp_path)] == ["apple.db", "apricot.db", "pear.db"]
    assert find_run("pear", tmp_path) == find_run("p", tmp_path) == pear
    assert find_run(str(pear), Path("elsewhere")) == pear
    with pytest.raises(StoreError, match="'ap' fits 2 runs: apple, apricot"):
        find_run("ap", tmp_path)
    with pytest.raises(StoreError, match="no run called 'paer'") as caught:
        find_run("paer", tmp_path)
    assert caught.value.hint == "did you mean 'pear'?"


def test_deleting_takes_a_run_and_refuses_anything_else(tmp_path, path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws())
        with pytest.raises(UnavailableError, match="in use"):
            delete_run(path)
    delete_run(path)
    assert not path.exists()
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(StoreError, match="no stored run and was not touched"):
        delete_run(other)
    with pytest.raises(StoreError, match="no stored run"):
        RunWriter(other)
    assert other.exists()


def test_other_files_and_newer_versions_are_refused_by_name(tmp_path, writer, path):
    text = tmp_path / "text.db"
    text.write_text("hello " * 500)
    with pytest.raises(StoreError, match=r"text\.db' is no stored run"):
        Run(text)
    with pytest.raises(StoreError, match="no run at"):
        Run(tmp_path / "absent.db")
    writer._connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="schema version 99") as caught:
        Run(path)
    assert "upgrade" in caught.value.hint


@pytest.mark.parametrize("name", ["", "../up", "-x", ".hidden", "a/b", "a\nb", "x" * 200])
def test_names_that_could_leave_the_folder_are_refused(tmp_path, name):
    with pytest.raises(UsageError, match="is no name for a run"):
        run_path(name, tmp_path)


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("some dir/my samples.jsonl.gz", "HumanEval"), "my-samples-HumanEval"),
        (("…", "…"), "run"),
        (("--x.json",), "x"),
    ],
)
def test_a_run_is_named_from_what_it_is_about(tmp_path, parts, name):
    assert make_name(*parts) == name
    run_path(make_name(*parts), tmp_path)


def test_a_run_in_a_folder_that_cannot_be_written_can_be_read(tmp_path, path):
    with RunWriter(path) as writer:
        writer.begin(MANIFEST, JUDGING, PROBLEMS, draws())
    tmp_path.chmod(0o555)
    try:
        with Run(path) as run:
            assert run.size() == 4
    finally:
        tmp_path.chmod(0o755)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UnavailableError, match="folder of runs"):
        RunWriter(tmp_path / "file" / "runs" / "x.db")
