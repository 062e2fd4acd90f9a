import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from installed import SCRIPT, write_lines

from anyofk.cli.entry import VERBS, group

ROWS = [{"problem": f"p{i}", "n": 10, "c": i, "cluster": f"c{i % 4}"} for i in range(11)]


def estimates_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["estimates"]


# estimate


@pytest.fixture
def counts(tmp_path):
    return write_lines(tmp_path / "counts.jsonl", ROWS)


def test_plain_counts_are_estimated_and_their_form_is_told(anyofk, counts):
    done = anyofk("estimate", counts, "-k", "1,10", "--json")
    found = json.loads(done.stdout)
    assert found["form"] == "plain counts"
    assert found["problems"] == 11
    assert found["estimates"]["1"]["value"] == pytest.approx(0.5)
    assert found["estimates"]["10"]["value"] == pytest.approx(10 / 11)
    table = anyofk("estimate", counts, "-k", "10")
    assert "plain counts" in table.stderr
    assert re.search(r"^pass@1 +0\.5000", table.stdout, re.MULTILINE)
    assert re.search(r"^pass@10 +0\.9091", table.stdout, re.MULTILINE)


def test_the_default_k_goes_as_far_as_n_allows(anyofk, counts):
    assert list(estimates_of(anyofk("estimate", counts, "--json"))) == ["1", "5", "10"]


def test_every_option_of_an_estimate_moves_it(anyofk, counts):
    usual = estimates_of(anyofk("estimate", counts, "-k", "1", "--json"))["1"]
    for options in (
        ("--target", "benchmark"),
        ("--level", "0.5"),
        ("--interval", "t"),
        ("--cluster",),
    ):
        moved = estimates_of(anyofk("estimate", counts, "-k", "1", "--json", *options))["1"]
        assert (moved["low"], moved["high"]) != (usual["low"], usual["high"]), options
        assert moved["value"] == usual["value"]


def test_an_estimate_that_does_not_exist_stops_with_2_and_a_hint(anyofk, counts):
    done = anyofk("estimate", counts, "-k", "1,11", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["estimates"]["11"]["value"] is None
    assert "error: pass@11 needs at least 11 draws" in done.stderr
    assert "hint: draw 1 more, or ask for k <= 10" in done.stderr


def test_broken_candidates_stop_with_5_and_give_bounds(anyofk, tmp_path):
    rows = [{"problem": "a", "n": 3, "c": 2, "broken": 1}]
    done = anyofk("estimate", write_lines(tmp_path / "c.jsonl", rows), "--json", "-k", "1")
    assert done.returncode == 5
    assert json.loads(done.stdout)["estimates"]["1"]["bounds"] == [0.5, 0.75]


@pytest.mark.parametrize("k", ["0", "1,x", "", "-1", "1.5", "1,,2"])
def test_a_list_of_k_that_means_nothing_is_a_usage_error(anyofk, counts, k):
    done = anyofk("estimate", counts, f"-k{k}")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")


def test_files_that_hold_no_counts_stop_with_3(anyofk, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    for name in ("x.csv", "absent.csv"):
        done = anyofk("estimate", name)
        assert done.returncode == 3
        assert done.stdout == ""
        assert name in done.stderr
        assert "hint: " in done.stderr


# runs and export


def at(stored, *arguments):
    return (*arguments, "--runs", stored / "runs")


def test_runs_are_listed_with_their_numbers(anyofk, stored):
    done = anyofk(*at(stored, "runs"), "--json")
    (run,) = json.loads(done.stdout)["runs"]
    assert (run["run"], run["problems"], run["candidates"], run["judged"]) == ("small", 3, 18, 18)
    assert (run["passed"], run["broken"], run["pending"]) == (3, 0, 0)
    wide, narrow = (
        anyofk(*at(stored, "runs"), env={"COLUMNS": width}).stdout for width in ("100", "50")
    )
    assert "small" in wide
    assert "created" in wide
    assert "small" in narrow
    assert "created" not in narrow


def test_runs_are_listed_by_a_verb_of_its_own_too(anyofk, stored):
    alone = anyofk(*at(stored, "runs")).stdout
    assert anyofk(*at(stored, "runs", "list")).stdout == alone


def test_an_estimate_of_a_stored_run_names_the_verb_for_it(anyofk, stored):
    for given, folder in ((stored / "runs" / "small.db", "none"), ("small", stored / "runs")):
        done = anyofk("estimate", given, env={"ANYOFK_RUNS": str(folder)})
        assert done.returncode == 3
        assert f"error: {given} is a stored run" in done.stderr
        assert f"hint: anyofk runs show {given}" in done.stderr


def test_an_empty_folder_of_runs_is_no_error(anyofk):
    done = anyofk("runs")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no run is stored in 'runs'" in done.stderr


def test_a_run_is_shown_again_under_another_question(anyofk, stored):
    usual = anyofk(*at(stored, "runs", "show", "sm"), "--json", "-k", "1,2")
    found = json.loads(usual.stdout)
    assert set(found["estimates"]) == {"1", "2"}
    other = anyofk(
        *at(stored, "runs", "show", "small"), "--json", "--target", "benchmark",
        "--level", "0.8", "--interval", "auto", "--missing", "fail",
    )  # fmt: skip
    assert json.loads(other.stdout)["estimates"]["1"]["target"] == "benchmark"
    assert "18 candidates judged" in anyofk(*at(stored, "runs", "show", "small")).stdout


def test_a_damaged_run_is_named_and_hides_no_other(anyofk, tmp_path, stored):
    (tmp_path / "runs").mkdir()
    whole = (stored / "runs" / "small.db").read_bytes()
    (tmp_path / "runs" / "whole.db").write_bytes(whole)
    (tmp_path / "runs" / "cut.db").write_bytes(whole[:8192])
    done = anyofk("runs", "--json")
    assert [run["run"] for run in json.loads(done.stdout)["runs"]] == ["whole"]
    assert "warning: " in done.stderr
    assert "cut.db" in done.stderr


def test_an_unknown_run_is_named_with_what_was_meant(anyofk, stored):
    done = anyofk(*at(stored, "export", "smal1"))
    assert done.returncode == 3
    assert "error: no run called 'smal1'" in done.stderr
    assert "hint: did you mean 'small'?" in done.stderr


def test_deleting_runs_takes_all_that_were_named_or_none(anyofk, tmp_path, stored):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.db").write_bytes((stored / "runs" / "small.db").read_bytes())
    assert anyofk("runs", "rm", "one", "nothing").returncode == 3
    assert len(list(folder.iterdir())) == 2
    done = anyofk("runs", "rm", "one", "two", "--json")
    assert len(json.loads(done.stdout)["deleted"]) == 2
    assert list(folder.iterdir()) == []


def test_deleting_refuses_what_is_no_run(anyofk, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    done = anyofk("runs", "rm", "notes.txt")
    assert done.returncode == 3
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_exported_verdicts_are_one_json_line_a_candidate(anyofk, stored):
    done = anyofk(*at(stored, "export", "small"), "--format", "verdicts")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 18
    assert list(lines[0]) == [
        "problem", "draw", "outcome", "message", "checks_passed", "checks_expected",
        "cpu_s", "wall_s", "mode", "level",
    ]  # fmt: skip
    assert lines[0]["outcome"] == "passed"


def test_exported_counts_come_back_as_the_same_estimate(anyofk, stored, tmp_path):
    done = anyofk(
        *at(stored, "export", "small"), "--format", "counts", "--output", "counts.csv", "--json"
    )
    assert json.loads(done.stdout)["lines"] == 4
    assert (tmp_path / "counts.csv").read_text().startswith("problem,n,c")
    again = estimates_of(anyofk("estimate", "counts.csv", "-k", "2", "--json"))
    shown = estimates_of(anyofk(*at(stored, "runs", "show", "small"), "-k", "2", "--json"))
    assert again == shown


def test_the_form_of_human_eval_has_its_four_fields(anyofk, stored):
    done = anyofk(*at(stored, "export", "small"), "--format", "human-eval")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {tuple(row) for row in rows} == {("task_id", "completion", "result", "passed")}
    assert sum(row["passed"] for row in rows) == 3


def test_an_export_that_cannot_be_made_leaves_no_file(anyofk, stored, tmp_path):
    done = anyofk(*at(stored, "export", "small"), "--format", "nonsense", "-o", "x")
    assert done.returncode == 2
    assert "no export form called 'nonsense'" in done.stderr
    nowhere = anyofk(*at(stored, "export", "small"), "-o", "no/such/folder/x")
    assert nowhere.returncode == 4
    assert anyofk(*at(stored, "export", "small"), "--json").returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_has_seen_enough_is_no_error(stored):
    line = f"{SCRIPT} export small --runs {stored / 'runs'} | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


# problems, doctor, demo


def test_problem_sets_are_listed_and_shown_without_hidden_tests(anyofk, files):
    listed = json.loads(anyofk("problems", "list", "--json").stdout)["problem_sets"]
    assert {"name": "basics", "here": True} in listed
    assert "basics" in anyofk("problems", "list").stdout
    shown = json.loads(anyofk("problems", "show", files / "set.jsonl", "--json").stdout)
    assert (shown["problems"], shown["ids"]) == (3, ["two", "three", "four"])
    assert "odd 1" in anyofk("problems", "show", files / "set.jsonl").stdout
    one = anyofk("problems", "show", files / "set.jsonl", "two", "--json")
    assert json.loads(one.stdout)["entry_point"] == "f"
    assert "assert" not in one.stdout + anyofk("problems", "show", "set.jsonl", "two").stdout


def test_an_unknown_problem_or_set_is_named(anyofk, files):
    assert "no problem 'tow'" in anyofk("problems", "show", files / "set.jsonl", "tow").stderr
    done = anyofk("problems", "get", "no-such-set", "--fresh", "--json")
    assert done.returncode == 4
    assert "'no-such-set'" in done.stderr


def test_the_doctor_tells_the_level_and_what_was_probed(anyofk):
    found = json.loads(anyofk("doctor", "--json").stdout)
    assert found["level"] in {"vm", "jail", "fence", "limits", "none"}
    assert isinstance(found["probes"], dict)
    assert found["facts"]["python"]
    table = anyofk("doctor").stdout
    assert found["level"] in table
    assert "network" in table


@pytest.mark.usefixtures("_sandbox")
def test_the_demo_judges_live_and_says_whose_replies_these_are(anyofk, tmp_path):
    done = anyofk("demo", "-k", "1,4,8", "--time-limit", "1", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert "recorded replies of smollm2, drawn on 2026" in done.stderr
    assert "synthetic" not in done.stdout
    for k in (1, 4, 8):
        assert re.search(
            rf"^pass@{k} +0\.\d{{4}} +0\.\d{{4}} +0\.\d{{4}}", done.stdout, re.MULTILINE
        )
    assert "wrong_answer" in done.stdout
    assert list(tmp_path.iterdir()) == []


# the edge


def test_help_names_every_verb_with_its_own_first_line(anyofk):
    shown = " ".join(anyofk("--help").stdout.split())
    for verb, line in VERBS.items():
        assert f"{verb} {line}" in shown
        command = group.get_command(None, verb)
        assert command.help.splitlines()[0] == line
        assert anyofk(verb, "-h").returncode == 0


def loaded_by(*arguments):
    code = (
        "import sys\nfrom anyofk.cli import main\nmain(sys.argv[1:])\n"
        "print(' '.join(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_loads_nothing_heavy():
    modules = loaded_by("--help")
    assert not modules & {"scipy", "numpy", "rich", "sqlite3", "anyofk.judging", "anyofk.stats"}


def test_importing_anyofk_loads_neither_torch_nor_ray_nor_an_http_client():
    code = "import sys, anyofk; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    barred = {"torch", "ray", "pydantic", "httpx", "requests", "urllib3", "numpy", "scipy", "rich"}
    assert not set(done.stdout.split()) & barred


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("verfy",), "no verb called 'verfy' (did you mean 'verify'?)"),
        (("verify",), "missing argument 'SAMPLES'"),
        (("verify", "x"), "missing option '--problems'"),
        (("doctor", "--nonsense"), "no such option"),
        (("runs", "show"), "missing argument 'RUN'"),
    ],
)
def test_a_command_that_means_nothing_stops_with_2_and_names_its_help(anyofk, arguments, says):
    done = anyofk(*arguments)
    assert done.returncode == 2
    assert f"error: {says}" in done.stderr
    assert "--help" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("path", [(), ("problems",), ("models",)])
def test_a_group_alone_shows_its_help_as_it_is(anyofk, path):
    done = anyofk(*path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Usage: {' '.join(('anyofk', *path))}")
    assert "error:" not in done.stderr
    assert "\\n" not in done.stderr


def test_the_version_is_printed(anyofk):
    assert re.fullmatch(r"anyofk \d+\.\d+\.\d+\n", anyofk("--version").stdout)


def test_a_traceback_is_shown_on_demand_alone(anyofk):
    assert "Traceback" not in anyofk("estimate", "absent.csv").stderr
    assert "Traceback" in anyofk("estimate", "absent.csv", "--debug").stderr


def test_a_fault_of_our_own_says_what_to_report(monkeypatch, capsys):
    from anyofk.cli import doctor, main  # noqa: PLC0415 - patched here alone

    def fails(**_):
        raise ZeroDivisionError("seven")

    monkeypatch.setattr(doctor.command, "callback", fails)
    assert main(["doctor"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: anyofk itself failed: ZeroDivisionError: seven")
    assert "hint: this is our fault" in said


def test_a_file_that_the_system_refuses_is_no_fault_of_ours(monkeypatch, capsys):
    from anyofk.cli import doctor, main  # noqa: PLC0415 - patched here alone

    def fails(**_):
        raise PermissionError(13, "Permission denied", "/some/where")

    monkeypatch.setattr(doctor.command, "callback", fails)
    assert main(["doctor"]) == 4
    assert capsys.readouterr().err.startswith("error: '/some/where': permission denied")


def test_every_option_is_mentioned_in_a_test():
    tests = Path(__file__).resolve().parents[1]
    texts = "".join(p.read_text("utf-8") for p in tests.rglob("*.py"))
    for path, command in commands(group):
        for parameter in command.params:
            named = [name for name in parameter.opts if name.startswith("-")]
            assert not named or any(f'"{name}' in texts for name in named), (path, named)


def commands(command, path="anyofk"):
    yield path, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from commands(command.get_command(None, name), f"{path} {name}")
