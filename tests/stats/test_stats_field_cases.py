"""The field cases about numbers that the pure functions answer."""

import json
import math

import numpy as np
import pytest

from anyofk.errors import TooFewDrawsError
from anyofk.stats import (
    benchmark_mean,
    dead_group_share,
    mcnemar_exact,
    pass_at_k,
    pass_at_k_weights,
    pass_hat_k,
    population_variance,
    wilson_interval,
)


@pytest.fixture(scope="module")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.mark.parametrize(
    "name", ["S-passk-01", "S-passk-02", "S-passk-06", "S-passk-07", "S-passk-08"]
)
def test_a_case_of_counts_gives_its_numbers_or_is_refused(cases, name):
    given, right = cases[name]["input"], cases[name]["right"]
    if "counts" in given:
        n, c = zip(*((row["n"], row["c"]) for row in given["counts"].values()), strict=True)
    else:
        n = [given["samples_per_task"]] * given["tasks_total"]
        c = [1] * given["tasks_passed"] + [0] * (len(n) - given["tasks_passed"])
    for k in given["k"]:
        if right[f"pass@{k}"] is None:
            with pytest.raises(TooFewDrawsError):
                benchmark_mean(n, c, k)
        else:
            assert benchmark_mean(n, c, k) == pytest.approx(right[f"pass@{k}"], abs=1e-12)


def test_the_order_of_the_outcomes_does_not_matter(cases):
    case = cases["S-passk-05"]
    for seed in range(5):
        rows = list(case["input"]["rows"])
        np.random.default_rng(seed).shuffle(rows)
        passed = {"a": [], "b": []}
        for task, _, outcome in rows:
            passed[task].append(outcome == "True" or outcome is True)
        n, c = ([f(v) for v in passed.values()] for f in (len, sum))
        assert benchmark_mean(n, c, 2) == pytest.approx(case["right"]["pass@2"])


def test_the_cases_of_intervals_and_tests(cases):
    right = cases["S-stats-01"]["right"]
    found = wilson_interval([1] * 134 + [0] * 30)
    assert (found.low, found.high) == pytest.approx(right["wilson95"], abs=right["tolerance"])
    p_value = mcnemar_exact(9, 3)
    assert p_value == pytest.approx(cases["S-stats-02"]["right"]["p_exact_mcnemar"], abs=1e-9)
    n, c = zip(*cases["S-stats-03"]["input"]["counts"].values(), strict=True)
    se = math.sqrt(population_variance(n, c, 1))
    assert se == pytest.approx(cases["S-stats-03"]["right"]["se_over_tasks"], abs=1e-9)


def test_at_least_one_of_five_is_not_all_of_five(cases):
    right = cases["S-stats-06"]["right"]
    assert pass_at_k(10, 8, 5) == right["pass@5"]
    assert pass_hat_k(10, 8, 5) == pytest.approx(right["all_5_pass"])
    assert pass_at_k(10, 8, 1) == pytest.approx(right["pass@1"])


def test_a_group_without_any_difference_gives_noughts(cases):
    right = cases["S-rl-01"]["right"]
    found = pass_at_k_weights(cases["S-rl-01"]["input"]["rewards"], 1, baseline="grpo")
    assert found.tolist() == right["advantages"]
    assert dead_group_share([cases["S-rl-01"]["input"]["rewards"], [1, 0, 0, 0]], 1) == 0.5


def test_an_unscored_candidate_gets_no_signal(cases):
    case = cases["S-rl-02"]
    rewards = case["input"]["rewards"]
    weights = pass_at_k_weights(rewards, 1, baseline="mean_centred")
    assert case["right"]["scored"] * weights == pytest.approx(
        case["right"]["advantages"], abs=1e-12
    )


def test_credit_less_the_mean_of_the_credits(cases):
    case = cases["S-rl-03"]
    found = pass_at_k_weights(case["input"]["rewards"], case["input"]["k"], baseline="mean_centred")
    assert found == pytest.approx(case["right"]["advantages"], abs=1e-12)
    assert found.sum() == pytest.approx(0.0, abs=1e-15)
