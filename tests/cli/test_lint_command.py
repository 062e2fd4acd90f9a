"""`anyofk lint` as a user runs it."""

import json

import pytest

ROWS = ["problem,n,c", *(f"p{i},10,{i % 5}" for i in range(40))]


@pytest.fixture
def lint(anyofk, tmp_path):
    (tmp_path / "counts.csv").write_text("\n".join(ROWS) + "\n", "utf-8")

    return lambda *arguments: anyofk("lint", *arguments)


def test_what_is_wrong_is_told_with_what_is_right(lint):
    done = lint("counts.csv", "--reported", "1=0.20,5=0.567,100=1.0")
    assert done.returncode == 0, done.stderr
    assert "wrong: plug_in" in done.stdout
    assert "wrong: n_less_than_k" in done.stdout
    assert "counted as solved" in done.stdout
    assert "incomplete: no_interval" in done.stdout
    assert "to do: use 1 - C(n - c, k) / C(n, k)" in done.stdout


def test_one_json_object_holds_the_faults_and_the_right_numbers(lint):
    done = lint("counts.csv", "--reported", "1=0.20,5=0.567", "--json")
    found = json.loads(done.stdout)
    assert (found["file"], found["problems"], found["wrong"]) == ("counts.csv", 40, 1)
    assert found["faults"][0]["what"] == "plug_in"
    assert found["faults"][0]["right"] == pytest.approx(found["right"]["5"]["value"])
    assert found["right"]["5"]["low"] < found["right"]["5"]["value"]


def test_the_gate_is_for_those_who_ask(lint):
    assert lint("counts.csv", "--reported", "1=0.30").returncode == 0
    assert lint("counts.csv", "--reported", "1=0.30", "--fail-if-wrong").returncode == 1
    assert lint("counts.csv", "--reported", "1=0.20", "--fail-if-wrong").returncode == 0


def test_the_results_of_a_tool_are_held_against_its_own_table(lint, tmp_path):
    verdicts = [
        [{"base_status": s, "plus_status": s} for s in row] for row in ("ppf", "pff", "fff")
    ]
    for row in verdicts:
        for verdict in row:
            for name, letter in verdict.items():
                verdict[name] = {"p": "pass", "f": "fail"}[letter]
    content = {
        "eval": {f"T/{i}": row for i, row in enumerate(verdicts)},
        "pass_at_k": {"base": {"pass@1": 0.3}, "plus": {"pass@1": 1 / 3, "pass@10": 0.9}},
    }
    (tmp_path / "results.json").write_text(json.dumps(content), "utf-8")
    several = lint("results.json", "--reported", "results.json")
    assert several.returncode == 2
    assert "hint: choose one" in several.stderr
    done = lint("results.json", "--reported", "results.json", "--table", "plus", "--json")
    assert done.returncode == 0, done.stderr
    faults = json.loads(done.stdout)["faults"]
    assert [(f["k"], f["what"]) for f in faults if f["weight"] == "wrong"] == [
        (10, "n_less_than_k")
    ]


def test_the_problem_set_tells_what_is_missing(lint, tmp_path):
    rows = [
        {
            "id": f"p{i}",
            "entry_point": "f",
            "hidden": "assert f(1) == 2",
            "reference": "f = lambda x: 2",
        }
        for i in range(42)
    ]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = lint("counts.csv", "--problems", "set.jsonl", "--fail-if-wrong")
    assert done.returncode == 1
    assert "2 of 42 problems have no draw: p40, p41" in done.stdout


def test_clean_counts_and_wrong_usage(lint):
    clean = lint("counts.csv")
    assert (clean.returncode, clean.stdout) == (0, "nothing wrong was found\n")
    assert lint("counts.csv", "--table", "plus").returncode == 2
    assert lint("counts.csv", "--reported", "1=x").returncode == 2
    assert lint("counts.csv", "--reported", "none.json").returncode == 3
    assert lint("none.csv").returncode == 3
