import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom
from simulation import POPULATIONS, Mixture, least

from anyofk.errors import UsageError
from anyofk.stats import (
    INTERVALS,
    benchmark_interval,
    benchmark_mean,
    clopper_pearson,
    curve_band,
    kg_capped_interval,
    kg_interval,
    korn_graubard,
    pass_at_k,
    t_interval,
    variance_of_mean,
    wilson_interval,
    z_interval,
)

DRAWS = 1500


def values_of(population, rng, shape, n, k):
    table = pass_at_k(n, np.arange(n + 1), k)
    return table[rng.binomial(n, population.draw(rng, shape))]


def covered(interval, truth):
    return np.mean((interval.low <= truth) & (truth <= interval.high))


@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("problems", [20, 164])
def test_the_default_interval_covers_the_population_mean(name, k, problems):
    rng = np.random.default_rng(11)
    values = values_of(POPULATIONS[name], rng, (DRAWS, problems), 20, k)
    truth = POPULATIONS[name].mean_pass_at_k(k)
    assert covered(kg_interval(values), truth) >= least(0.95, DRAWS)
    assert covered(kg_capped_interval(values), truth) >= least(0.95, DRAWS)


def test_many_draws_of_similar_problems_do_not_hide_a_rare_kind():
    # with n = 200 all seen problems may look alike, though one in a hundred always passes
    rng = np.random.default_rng(12)
    rare = Mixture(0.01, 0.2, 1.0)
    values = values_of(rare, rng, (DRAWS, 164), 200, 1)
    assert covered(kg_interval(values), rare.mean_pass_at_k(1)) >= least(0.95, DRAWS)
    assert covered(t_interval(values), rare.mean_pass_at_k(1)) < 0.9


def test_z_and_t_cover_far_too_little_near_nought():
    rng = np.random.default_rng(13)
    values = values_of(POPULATIONS["Beta(.02, .4)"], rng, (DRAWS, 20), 20, 1)
    truth = POPULATIONS["Beta(.02, .4)"].mean_pass_at_k(1)
    assert covered(z_interval(values), truth) < 0.8
    assert covered(t_interval(values), truth) < 0.8


@pytest.mark.parametrize("name", ["Beta(.3, .3)", "Beta(.02, .4)", "Beta(8, .2)"])
def test_the_band_covers_the_whole_curve(name):
    rng = np.random.default_rng(14)
    ks = (1, 2, 5, 10)
    table = np.stack([pass_at_k(20, np.arange(21), k) for k in ks])
    truth = np.array([POPULATIONS[name].mean_pass_at_k(k) for k in ks])
    hits = []
    for _ in range(400):
        counts = rng.binomial(20, POPULATIONS[name].draw(rng, 50))
        low, high, _ = curve_band(table[:, counts])
        hits.append(np.all((low <= truth) & (truth <= high)))
    assert np.mean(hits) >= least(0.95, 400)


FIXED = {
    "all .01": lambda m: np.full(m, 0.01),
    "all .3": lambda m: np.full(m, 0.3),
    "all .6": lambda m: np.full(m, 0.6),
    "half 1, half .005": lambda m: np.where(np.arange(m) % 2, 1.0, 0.005),
    "half 0, half .8": lambda m: np.where(np.arange(m) % 2, 0.0, 0.8),
    "half .01, half .5": lambda m: np.where(np.arange(m) % 2, 0.01, 0.5),
    "one .3, others 0": lambda m: np.where(np.arange(m) == 0, 0.3, 0.0),
    "one .7, others 1": lambda m: np.where(np.arange(m) == 0, 0.7, 1.0),
    "even": lambda m: (np.arange(m) + 0.5) / m,
}


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize(("n", "k"), [(20, 1), (20, 5), (20, 10), (64, 8), (20, 15)])
def test_the_benchmark_interval_covers_the_mean_of_these_problems(name, n, k):
    rng = np.random.default_rng(15)
    p = FIXED[name](20)
    truth = np.mean(1 - (1 - p) ** k)
    counts = rng.binomial(n, np.broadcast_to(p, (DRAWS, 20)))
    assert covered(benchmark_interval(n, counts, k), truth) >= least(0.95, DRAWS)


def test_sampling_errors_alone_cover_too_little():
    from anyofk.stats import variance_unbiased  # noqa: PLC0415 -- only here

    rng = np.random.default_rng(16)
    p = FIXED["half .01, half .5"](20)
    counts = rng.binomial(20, np.broadcast_to(p, (DRAWS, 20)))
    mean = pass_at_k(20, counts, 5).mean(axis=-1)
    half = 1.96 * np.sqrt(variance_unbiased(20, counts, 5).sum(axis=-1)) / 20
    assert np.mean(np.abs(mean - np.mean(1 - (1 - p) ** 5)) <= half) < 0.92


def test_the_benchmark_interval_narrows_with_more_draws_and_has_width_at_the_ends():
    for c, low, high in ((0, 0.0, None), (1, None, 1.0)):
        few = benchmark_interval([20] * 10, [20 * c] * 10, 5)
        many = benchmark_interval([200] * 10, [200 * c] * 10, 5)
        assert few.high - few.low > many.high - many.low > 0
        assert low is None or few.low == low
        assert high is None or few.high == high
    wide, narrow = (benchmark_interval([n] * 50, [n // 2] * 50, 2) for n in (10, 1000))
    assert narrow.high - narrow.low < (wide.high - wide.low) / 5


def test_one_problem_or_n_below_twice_k_still_has_a_benchmark_interval():
    low, high, n_eff = benchmark_interval([8], [3], 8)
    assert (low, high) == pytest.approx((0.025, 1.0))
    assert n_eff == 1.0
    assert benchmark_interval([20], [10], 5).low < pass_at_k(20, 10, 5)
    with pytest.raises(UsageError, match="no problems"):
        benchmark_interval([], [], 1)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60), st.sampled_from([0.5, 0.9, 0.99]))
def test_intervals_hold_the_mean_within_nought_and_one(values, level):
    mean = np.mean(values)
    for name in ("kg", "kg-capped"):
        low, high, n_eff = INTERVALS[name](values, level=level)
        assert 0.0 <= low <= mean + 1e-9
        assert mean - 1e-9 <= high <= 1.0
        assert low < high
        assert n_eff > 0
    assert kg_capped_interval(values, level=level).n_eff <= len(values)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40))
def test_swapping_right_and_wrong_mirrors_the_interval(values):
    here = kg_interval(values)
    there = kg_interval([1 - v for v in values])
    assert there.low == pytest.approx(1 - here.high, abs=1e-6)
    assert there.high == pytest.approx(1 - here.low, abs=1e-6)


def test_with_nothing_passed_it_is_the_exact_binomial_limit():
    for m in (5, 50, 500):
        low, high, n_eff = kg_interval(np.zeros(m))
        assert (low, n_eff) == (0.0, m)
        assert high == pytest.approx(1 - 0.025 ** (1 / m))


def test_clopper_pearson_inverts_the_binomial_test():
    for hits in (0, 3, 10):
        low, high = clopper_pearson(hits / 10, 10, level=0.9)
        assert hits == 0 or binom.sf(hits - 1, 10, float(low)) == pytest.approx(0.05)
        assert hits == 10 or binom.cdf(hits, 10, float(high)) == pytest.approx(0.05)
    low, _ = clopper_pearson(0.25, 7.3)
    assert float(low) == pytest.approx(beta.ppf(0.025, 0.25 * 7.3, 7.3 * 0.75 + 1))


def test_ordinary_values_get_nearly_the_t_interval():
    rng = np.random.default_rng(17)
    values = rng.beta(2, 2, 400)
    here, there = kg_interval(values), t_interval(values)
    assert here.low == pytest.approx(there.low, abs=2e-3)
    assert here.high == pytest.approx(there.high, abs=2e-3)
    assert here.n_eff > 400


def test_t_and_z_are_what_they_say():
    values = [0.1, 0.4, 0.9, 0.6]
    se = float(np.sqrt(variance_of_mean(values)))
    assert z_interval(values).high == pytest.approx(0.5 + 1.959964 * se, abs=1e-6)
    assert t_interval(values).high == pytest.approx(0.5 + 3.182446 * se, abs=1e-6)


def test_wilson_is_the_known_one_and_takes_only_noughts_and_ones():
    low, high, n_eff = wilson_interval([1] * 134 + [0] * 30)
    assert (low, high) == pytest.approx((0.750879573769226, 0.8687527907891857), abs=1e-12)
    assert n_eff == 164
    assert wilson_interval([0, 0]).low == 0.0
    assert wilson_interval([1, 1]).high == 1.0
    with pytest.raises(UsageError, match="0/1 values"):
        wilson_interval([0.5, 1])
    with pytest.raises(UsageError, match="no clusters"):
        wilson_interval([0, 1], cluster=["a", "b"])


def test_clusters_widen_every_interval_that_knows_them():
    values, cluster = [0.0, 0.1, 0.9, 1.0] * 5, [0, 0, 1, 1] * 5
    for name in ("kg", "kg-capped", "t", "z"):
        plain, grouped = INTERVALS[name](values), INTERVALS[name](values, cluster=cluster)
        assert grouped.high - grouped.low > plain.high - plain.low


def test_leading_axes_give_many_intervals_at_once():
    values = np.random.default_rng(18).random((3, 2, 12))
    for name in ("kg", "kg-capped", "t", "z"):
        many = INTERVALS[name](values)
        assert many.low.shape == (3, 2)
        assert many.low[1, 1] == pytest.approx(INTERVALS[name](values[1, 1]).low)
    counts = np.random.default_rng(19).integers(0, 21, (3, 2, 12))
    many = benchmark_interval(20, counts, 4)
    assert many.high.shape == (3, 2)
    assert many.high[2, 0] == pytest.approx(benchmark_interval(20, counts[2, 0], 4).high)


def test_a_known_variance_needs_no_t():
    known = korn_graubard(0.5, 0.001, 100)
    estimated = korn_graubard(0.5, 0.001, 100, df=4)
    assert known.n_eff == pytest.approx(250)
    assert estimated.n_eff < known.n_eff


def test_what_has_no_interval_is_refused():
    for bad in (0.0, 1.0, -1, 95):
        with pytest.raises(UsageError, match="level must lie"):
            kg_interval([0.1, 0.2], level=bad)
    with pytest.raises(UsageError, match="two problems"):
        kg_interval([0.5])
    for values in ([0.5, 1.5], [0.5, -0.1], [0.5, float("nan")]):
        with pytest.raises(UsageError, match="values must lie"):
            kg_interval(values)
    with pytest.raises(UsageError, match="a curve needs"):
        curve_band([0.1, 0.2])


@pytest.mark.deep
@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("problems", [20, 50, 164])
def test_coverage_at_length(name, k, problems):
    rng = np.random.default_rng(21)
    draws = 30_000
    values = values_of(POPULATIONS[name], rng, (draws, problems), 20, k)
    assert covered(kg_interval(values), POPULATIONS[name].mean_pass_at_k(k)) >= 0.945
    p = POPULATIONS[name].draw(rng, (draws, problems))
    found = benchmark_interval(20, rng.binomial(20, p), k)
    assert covered(found, np.mean(1 - (1 - p) ** k, axis=-1)) >= 0.945


def test_the_mean_is_that_of_the_benchmark():
    assert benchmark_mean([20] * 3, [0, 10, 20], 1) == 0.5
