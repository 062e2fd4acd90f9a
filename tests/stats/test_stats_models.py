import json

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import betabinom, bootstrap

from anyofk.errors import DataError, UsageError
from anyofk.stats import (
    bootstrap_interval,
    bootstrap_means,
    carried_shares,
    counts_of_outcomes,
    extrapolate_pass_at_k,
    fit_beta,
    gain_threshold,
    gradient_weight,
    misjudged_chance,
    pass_at_k,
    population_variance,
    posterior_pass_at_k,
)
from strategies import run_counts


def test_a_beta_law_is_found_again():
    rng = np.random.default_rng(1)
    counts = betabinom.rvs(30, 0.6, 1.7, size=4000, random_state=rng)
    law = fit_beta([30] * 4000, counts)
    assert (law.a, law.b) == pytest.approx((0.6, 1.7), rel=0.1)
    counts[rng.random(4000) < 0.3] = 0
    inflated = fit_beta([30] * 4000, counts, zeros=True)
    assert inflated.zero == pytest.approx(0.3, abs=0.06)
    assert inflated.log_likelihood > fit_beta([30] * 4000, counts).log_likelihood


def test_both_models_and_the_plug_in_are_given_and_miss_as_known(shared):
    data = json.loads((shared / "golden" / "published_counts.json").read_text())
    rng = np.random.default_rng(2)
    base = np.array(data["c_base"])
    found = np.mean(
        [
            extrapolate_pass_at_k(16, rng.hypergeometric(base, 128 - base, 16), 128)[1:]
            for _ in range(2)
        ],
        axis=0,
    )
    assert found == pytest.approx([0.910, 0.880, 0.823], abs=0.006)


def test_certain_problems_do_not_break_the_fit():
    for c in ([0, 0, 0], [10, 10, 10], [0, 10, 0], [5, 5, 5]):
        guess = extrapolate_pass_at_k([10] * 3, c, 1000)
        assert all(0 <= value <= 1 for value in guess[1:])
    with pytest.raises(UsageError, match="at least one draw"):
        fit_beta([0, 3], [0, 1])


def test_fifty_problems_without_a_pass_are_not_half_solved():
    found = posterior_pass_at_k([8] * 50, [0] * 50, 8)
    assert found.benchmark.mean < 0.03
    assert found.population.low <= found.population.mean <= found.population.high < 0.2
    assert found.problem_mean == pytest.approx(found.benchmark.mean)


def test_the_posterior_learns_the_kind_of_problems_and_shrinks_towards_it():
    n, c = [20] * 40, [10] * 38 + [0, 20]
    found = posterior_pass_at_k(n, c, 1)
    assert 0.0 < found.problem_mean[-2] < 0.5 < found.problem_mean[-1] < 1.0
    assert found.population.low < 0.5 < found.population.high
    wide = posterior_pass_at_k([20] * 41, [*c, 0], 1, level=0.99)
    assert wide.population.high - wide.population.low > 0.05
    undrawn = posterior_pass_at_k([*n, 0], [*c, 0], 1)
    assert undrawn.problem_mean[-1] == pytest.approx(undrawn.population.mean)
    assert undrawn.problem_sd[-1] > undrawn.problem_sd[0]


def test_the_posterior_intervals_hold_over_the_law_that_they_assume():
    rng = np.random.default_rng(3)
    hits = {"population": 0, "benchmark": 0}
    for _ in range(60):
        p = rng.beta(0.5, 1.0, 40)
        found = posterior_pass_at_k([10] * 40, rng.binomial(10, p), 5)
        truth = 1 - np.prod([(1 + i) / (1.5 + i) for i in range(5)])
        hits["population"] += found.population.low <= truth <= found.population.high
        inside = found.benchmark.low <= np.mean(1 - (1 - p) ** 5) <= found.benchmark.high
        hits["benchmark"] += inside
    assert min(hits.values()) >= 46  # of 60: a true .95 falls below once in a million


def test_the_posterior_refuses_a_single_problem():
    with pytest.raises(UsageError, match="two problems"):
        posterior_pass_at_k([5], [2], 1)


def test_bootstrap_replicates_have_the_right_spread():
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 21, 200)
    values = pass_at_k(20, counts, 5)
    for bayesian in (False, True):
        means = bootstrap_means(values, bayesian=bayesian)
        assert means.mean() == pytest.approx(values.mean(), abs=0.003)
        spread = population_variance(np.full(200, 20), counts, 5)
        assert means.var() == pytest.approx(spread, rel=0.08)
    both = bootstrap_means(np.stack([values, values**2]), replicates=500)
    assert both.shape == (500, 2)
    assert np.corrcoef(both.T)[0, 1] > 0.9


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_intervals_agree_with_scipys(method):
    values = np.random.default_rng(5).beta(0.4, 1.5, 80)
    low, high, _ = bootstrap_interval(values, method=method, replicates=20_000)
    truth = bootstrap(
        (values,),
        np.mean,
        method=method.replace("bca", "BCa"),
        n_resamples=20_000,
        rng=np.random.default_rng(6),
    ).confidence_interval
    assert (low, high) == pytest.approx((truth.low, truth.high), abs=0.004)


def test_bootstrap_intervals_are_repeatable_and_refuse_what_they_cannot():
    one = bootstrap_interval([0.0, 0.5, 1.0], method="bayesian", seed=3)
    assert one.low == bootstrap_interval([0.0, 0.5, 1.0], method="bayesian", seed=3).low
    flat = bootstrap_interval([0.5] * 5, method="bca")
    assert flat.low == flat.high == 0.5
    with pytest.raises(UsageError, match="no bootstrap called"):
        bootstrap_interval([0.0, 1.0], method="hierarchical")
    with pytest.raises(UsageError, match="two problems"):
        bootstrap_interval([0.5], method="bca")


@given(run_counts(k=6))
def test_the_shares_carried_add_up(run):
    n, c = run
    shares = carried_shares(n, c, 3)
    assert shares.sum() == pytest.approx(1.0 if any(c) else 0.0)


def test_the_gradient_weight_is_unbiased_and_crosses_one_at_the_threshold():
    from fractions import Fraction  # noqa: PLC0415 -- only here

    from enumeration import expectation  # noqa: PLC0415 -- only here

    p = Fraction(1, 3)
    for k in (1, 2, 4):
        truth = k * (1 - p) ** (k - 1)
        found = expectation(5, p, lambda c, k=k: gradient_weight(5, c, k))
        assert float(found) == pytest.approx(float(truth))
    for k in (2, 4, 8, 16, 64):
        q = 1 - gain_threshold(k)
        assert k * q ** (k - 1) == pytest.approx(1.0)
    with pytest.raises(UsageError, match="same pace"):
        gain_threshold(1)
    assert gradient_weight([3, 3], [1, 2], 1).tolist() == [1.0, 1.0]


def test_a_verifier_that_errs_moves_the_chance():
    assert misjudged_chance(0.0, false_pass=0.01, false_fail=0.5) == 0.01
    assert misjudged_chance([0.0, 1.0], false_pass=0.1, false_fail=0.2).tolist() == [0.1, 0.8]
    with pytest.raises(UsageError, match="false_pass must lie"):
        misjudged_chance(0.5, false_pass=2, false_fail=0)


def test_outcomes_are_counted_and_missing_ones_are_not_read_as_failures():
    n, c = counts_of_outcomes(np.array([[True, False, True], [False, False, False]]))
    assert (n.tolist(), c.tolist()) == ([3, 3], [2, 0])
    ragged = [[1, 0], [1, None, float("nan")]]
    n, c = counts_of_outcomes(ragged, missing="drop")
    assert (n.tolist(), c.tolist()) == ([2, 1], [1, 1])
    with pytest.raises(DataError, match="problem 1 has missing outcomes"):
        counts_of_outcomes(ragged)
    with pytest.raises(DataError, match="neither true nor false"):
        counts_of_outcomes([[0.5]])
