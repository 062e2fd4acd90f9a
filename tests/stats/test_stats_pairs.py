import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, false_discovery_control, ttest_rel
from simulation import least

from anyofk.errors import UsageError
from anyofk.stats import (
    benjamini_hochberg,
    crossings,
    difference_band,
    holm,
    mcnemar_exact,
    noise_corrected_correlation,
    paired_conservative,
    paired_covariance,
    paired_differences,
    paired_non_inferiority,
    paired_t,
    paired_variance,
    pass_at_k,
    rank_intervals,
    stretches,
)


@pytest.fixture(scope="module")
def real(shared):
    data = json.loads((shared / "golden" / "published_counts.json").read_text())
    n = [data["n"]] * len(data["c_base"])
    return (n, data["c_base"]), (n, data["c_rl"]), data["published_se"]


def test_real_counts_give_the_known_differences(real):
    base, trained, published_se = real
    known = {1: (0.07596, 0.944), 8: (0.01449, 0.949), 32: (-0.00447, 0.918), 64: (-0.01299, 0.884)}
    for k, (difference, correlation) in known.items():
        found = paired_t(paired_differences(base, trained, k))
        assert found.value == pytest.approx(difference, abs=5e-6)
        assert found.se == pytest.approx(published_se[k - 1], rel=1e-12)
        each = np.corrcoef(pass_at_k(*base, k), pass_at_k(*trained, k))[0, 1]
        assert each == pytest.approx(correlation, abs=5e-4)
        assert noise_corrected_correlation(base, trained, k) > each


def test_the_two_curves_cross_where_they_are_known_to(real):
    base, trained, _ = real
    ks = [1, 4, 8, 16, 32, 64, 128]
    differences = paired_differences(base, trained, ks).T
    band = difference_band(differences)
    found = stretches(ks, band.low, band.high)
    assert [s.better for s in found] == ["b", "undecided", "a"]
    assert 16 < crossings(ks, band.value)[0] < 32
    assert 2.0 < band.critical < 2.8


def test_the_paired_variance_and_covariance_are_those_of_the_differences():
    a, b = ([8, 8, 12], [2, 5, 12]), ([16, 8, 8], [3, 8, 8])
    one, other = pass_at_k(*a, 2), pass_at_k(*b, 2)
    assert paired_variance(a, b, 2) == pytest.approx(np.var(other - one, ddof=1) / 3)
    assert paired_covariance(a, b, 2) == pytest.approx(np.cov(one, other)[0, 1])
    with pytest.raises(UsageError, match="shape"):
        paired_differences(a, ([8], [1]), 1)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=40))
def test_paired_t_is_scipys_where_values_spread(values):
    values = np.array(values)
    if np.std(values) > 1e-6:
        found, truth = paired_t(values), ttest_rel(values, np.zeros_like(values))
        assert found.p_value == pytest.approx(truth.pvalue, rel=1e-9)
        low, high = truth.confidence_interval()
        assert (found.low, found.high) == pytest.approx((low, high))


def test_equal_differences_are_no_certainty():
    for m in (10, 100):
        none = paired_t(np.zeros(m))
        assert none.p_value == 1.0
        assert none.high == -none.low == pytest.approx(1 - 0.05 ** (1 / m))
    same = paired_t([0.5] * 10)
    assert same.low < 0.5 < same.high
    assert same.p_value == 2 / 1024


def test_swapping_the_models_mirrors_the_result():
    values = np.random.default_rng(1).uniform(-1, 1, 30)
    for test in (paired_t, paired_conservative):
        here, there = test(values), test(-values)
        assert (there.low, there.high) == pytest.approx((-here.high, -here.low))
        assert there.p_value == pytest.approx(here.p_value)


SKEWED = {
    "one gained in a hundred": (lambda rng, s: (rng.random(s) < 0.01) * 1.0, 0.01),
    "one gained, all lose a little": (
        lambda rng, s: np.where(rng.random(s) < 0.01, 1.0, -0.01),
        0.01 - 0.0099,
    ),
    "one lost much, others gain a little": (
        lambda rng, s: rng.choice([-1.0, -0.1, 0.0, 0.05], p=[0.01, 0.1, 0.5, 0.39], size=s),
        -0.0005,
    ),
    "even": (lambda rng, s: rng.choice([-1.0, 1.0], size=s), 0.0),
}


@pytest.mark.parametrize("name", SKEWED)
def test_the_conservative_interval_holds_where_paired_t_does_not(name):
    draw, truth = SKEWED[name]
    rng = np.random.default_rng(2)
    draws = 150
    found = [paired_conservative(draw(rng, 50)) for _ in range(draws)]
    assert np.mean([f.low <= truth <= f.high for f in found]) >= least(0.95, draws)
    if name == "one lost much, others gain a little":
        failing = [paired_t(draw(rng, 50)) for _ in range(1000)]
        assert np.mean([f.low <= truth <= f.high for f in failing]) < 0.88


def test_the_conservative_p_value_is_where_its_interval_meets_nought():
    values = [0.0] * 60 + [0.5] * 20 + [-0.25] * 5
    found = paired_conservative(values)
    assert 0 < found.p_value < 0.05
    assert found.low > 0
    at_the_edge = paired_conservative(values, level=1 - found.p_value)
    assert at_the_edge.low == pytest.approx(0.0, abs=1e-6)
    assert paired_conservative(np.zeros(10)).p_value == 1.0


def test_clusters_widen_the_difference():
    values, cluster = np.tile([0.3, 0.2, -0.1, -0.2], 5), np.tile([0, 0, 1, 1], 5)
    for test in (paired_t, paired_conservative):
        plain, grouped = test(values), test(values, cluster=cluster)
        assert grouped.high - grouped.low > plain.high - plain.low
        assert grouped.se > plain.se


def test_the_band_holds_for_all_k_together():
    rng = np.random.default_rng(3)
    hits = []
    for i in range(150):
        start = rng.normal(0, 0.2, (1, 60))
        values = np.clip(start + rng.normal(0, 0.1, (6, 60)), -1, 1)
        band = difference_band(values, seed=i)
        hits.append(np.all((band.low <= 0) & (band.high >= 0)))
    assert np.mean(hits) >= least(0.95, 150)


def test_a_band_is_repeatable_and_wider_than_a_single_interval():
    values = np.random.default_rng(4).uniform(-0.5, 0.5, (3, 40))
    one, two = difference_band(values), difference_band(values)
    assert one.critical == two.critical
    assert one.low[0] < paired_t(values[0]).low
    flat = difference_band(np.zeros((2, 40)))
    assert flat.high == pytest.approx(1 - 0.05 ** (1 / 40))
    with pytest.raises(UsageError, match="shape"):
        difference_band([0.1, 0.2])


def test_crossings_lie_between_the_signs():
    assert crossings([1, 2, 4], [0.1, 0.2, 0.3]) == []
    assert crossings([1, 2, 4], [0.1, 0.0, -0.1]) == [2.0]
    assert crossings([1, 2, 4], [0.1, 0.0, 0.1]) == []
    assert crossings([1, 2, 4, 8], [0.1, -0.1, -0.1, 0.1]) == pytest.approx([2**0.5, 2**2.5])


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(only_a, only_b):
    total = only_a + only_b
    truth = binomtest(only_a, total).pvalue if total else 1.0
    assert mcnemar_exact(only_a, only_b) == pytest.approx(truth, rel=1e-9)


def test_mcnemar_of_many_problems_and_of_none():
    assert mcnemar_exact(9, 3) == pytest.approx(0.14599609375, abs=1e-15)
    assert mcnemar_exact(700, 600) == pytest.approx(binomtest(700, 1300).pvalue, rel=1e-9)
    with pytest.raises(UsageError, match="negative"):
        mcnemar_exact(-1, 3)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_the_closed_test_and_benjamini_hochberg_is_scipys(p):
    adjusted = holm(p)
    for i, own in enumerate(p):
        # closure: the largest, over sets that hold i, of the set's Bonferroni p-value
        others = sorted(p[:i] + p[i + 1 :], reverse=True)
        closed = max(
            min(1.0, (size + 1) * min([own, *others[:size]])) for size in range(len(others) + 1)
        )
        assert adjusted[i] == pytest.approx(closed)
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


def test_what_is_no_p_value_is_refused():
    for bad in ([0.5, 1.5], [-0.1], [float("nan")], [[0.1]]):
        with pytest.raises(UsageError, match="p-values"):
            holm(bad)
    for bad in ([0.5], [[0.1, 0.2]], [0.5, 1.5]):
        with pytest.raises(UsageError, match="differences"):
            paired_t(bad)


def test_the_closed_test_used_above_needs_only_the_largest_others():
    p = [0.01, 0.03, 0.04]
    closed = []
    for i in range(3):
        sets = [s for size in (1, 2, 3) for s in combinations(range(3), size) if i in s]
        closed.append(max(min(1.0, len(s) * min(p[j] for j in s)) for s in sets))
    assert holm(p) == pytest.approx(closed)


def test_non_inferiority_is_a_one_sided_t_test():
    values = np.random.default_rng(5).normal(0.0, 0.1, 50).clip(-1, 1)
    p = paired_non_inferiority(values, 0.03)
    assert p == pytest.approx(ttest_rel(values, np.full(50, -0.03), alternative="greater").pvalue)
    assert paired_non_inferiority(-values - 0.2, 0.03) > 0.999
    same = paired_non_inferiority(np.zeros(100), 0.03)
    assert same == pytest.approx(0.97**100)
    assert paired_non_inferiority(np.full(10, -0.5), 0.03) == 1.0
    with pytest.raises(UsageError, match="margin"):
        paired_non_inferiority(values, 0.0)


def test_rank_intervals_leave_room_for_all_that_is_not_shown():
    unshown = np.ones((4, 4))
    assert rank_intervals([0.1, 0.2, 0.3, 0.4], unshown) == [(1, 4)] * 4
    shown = np.zeros((4, 4))
    assert rank_intervals([0.1, 0.4, 0.3, 0.2], shown) == [(4, 4), (1, 1), (2, 2), (3, 3)]
    with pytest.raises(UsageError, match="shape"):
        rank_intervals([0.1, 0.2], [[1.0]])
