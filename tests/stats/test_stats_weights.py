from fractions import Fraction
from itertools import product
from math import prod

import enumeration
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import dead_group_share, pass_at_k_weights
from strategies import rewards

LINEAR = ("none", "loo", "loo_minus_one", "pkpo_sloo", "mean_centred")
UNBIASED = ("none", "loo", "loo_minus_one", "pkpo_sloo", "auto")


def exactly(values):
    result = np.empty(len(values), dtype=object)
    result[:] = [Fraction(v) for v in values]
    return result


def fits(baseline, n, k):
    return {"loo": n > k, "pkpo_sloo": n > k, "loo_weighted": n >= 2}.get(baseline, True)


@given(st.lists(rewards, min_size=1, max_size=6), st.data())
def test_each_form_is_its_definition(group, data):
    k = data.draw(st.integers(1, len(group)))
    for baseline in LINEAR:
        if fits(baseline, len(group), k):
            truth = enumeration.weights(group, k, baseline)
            assert list(pass_at_k_weights(exactly(group), k, baseline=baseline)) == truth
            floats = pass_at_k_weights([float(v) for v in group], k, baseline=baseline)
            assert floats == pytest.approx([float(t) for t in truth], abs=1e-13)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=7), st.data())
def test_each_form_is_its_definition_for_passes_and_failures(group, data):
    k = data.draw(st.integers(1, len(group)))
    for baseline in (*LINEAR, "loo_weighted", "chen2025_unscaled"):
        if fits(baseline, len(group), k):
            truth = enumeration.weights(group, k, baseline)
            assert list(pass_at_k_weights(exactly(group), k, baseline=baseline)) == truth
            for form in (group, [bool(v) for v in group], [float(v) for v in group]):
                assert pass_at_k_weights(form, k, baseline=baseline) == pytest.approx(
                    [float(t) for t in truth], abs=1e-14
                )


def expected_gradients(chances, values, n, k, baseline):
    """Average sum(w * score) over all groups, and the true gradient, both by enumeration."""
    actions = range(len(chances))

    def score(action):
        return [int(action == a) - chances[a] for a in actions]

    estimated = [Fraction(0)] * len(chances)
    for draws in product(actions, repeat=n):
        weight = pass_at_k_weights(exactly([values[d] for d in draws]), k, baseline=baseline)
        chance = prod(chances[d] for d in draws)
        for w, d in zip(weight, draws, strict=True):
            estimated = [e + chance * w * s for e, s in zip(estimated, score(d), strict=True)]
    true = [Fraction(0)] * len(chances)
    for draws in product(actions, repeat=k):
        best = max(values[d] for d in draws) * prod(chances[d] for d in draws)
        for d in draws:
            true = [t + best * s for t, s in zip(true, score(d), strict=True)]
    return estimated, true


BINARY = ([Fraction(1, 5), Fraction(4, 5)], [1, 0])
REWARDED = ([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(-1), Fraction(1, 2), 2])


@pytest.mark.parametrize("baseline", [*UNBIASED, "loo_weighted"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_weights_of_passes_are_unbiased_for_the_gradient_of_pass_at_k(baseline, k):
    if fits(baseline, 4, k):
        estimated, true = expected_gradients(*BINARY, 4, k, baseline)
        assert estimated == true


@pytest.mark.parametrize("baseline", UNBIASED)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_weights_of_rewards_are_unbiased_for_the_gradient_of_max_at_k(baseline, k):
    if fits(baseline, 4, k):
        estimated, true = expected_gradients(*REWARDED, 4, k, baseline)
        assert estimated == true


def test_mean_centring_shrinks_the_gradient_to_nothing_at_k_equal_n():
    for k in (1, 2, 3, 4):
        estimated, true = expected_gradients(*BINARY, 4, k, "mean_centred")
        assert estimated == [t * (1 - Fraction(k, 4)) for t in true]


def test_loo_at_k_1_is_rloo_and_chen_at_k_1_is_grpo():
    group = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    rloo = [(v - (sum(group) - v) / 5) / 6 for v in group]
    assert pass_at_k_weights(group, 1, baseline="loo") == pytest.approx(rloo)
    standard = (np.array(group) - np.mean(group)) / np.std(group)
    assert pass_at_k_weights(group, 1, baseline="grpo") == pytest.approx(standard)
    assert pass_at_k_weights(group, 1, baseline="chen2025") == pytest.approx(standard)
    scaled = pass_at_k_weights([0.5, 2.0, 2.0], 1, baseline="grpo")
    assert scaled == pytest.approx([-(2**0.5), 2**-0.5, 2**-0.5])


def test_chen_divides_by_the_spread_of_a_k_subset():
    group = [1] * 3 + [0] * 5
    plain = pass_at_k_weights(group, 2, baseline="chen2025_unscaled")
    rho = 1 - (5 * 4) / (8 * 7)
    scaled = pass_at_k_weights(group, 2, baseline="chen2025")
    assert scaled * (rho * (1 - rho)) ** 0.5 == pytest.approx(plain)


@pytest.mark.parametrize("baseline", ["loo", "loo_minus_one", "mean_centred", "grpo", "chen2025"])
@pytest.mark.parametrize("value", [0, 1])
def test_a_group_without_any_difference_gets_exact_noughts(baseline, value):
    weights = pass_at_k_weights([[value] * 6, [1, 0, 0, 0, 0, 0]], 1, baseline=baseline)
    if baseline != "loo_minus_one":
        assert weights[0].tolist() == [0.0] * 6
    assert np.isfinite(weights).all()
    assert weights[1, 0] > 0
    rewards_too = pass_at_k_weights([2.5] * 6, 1, baseline="grpo")
    assert rewards_too.tolist() == [0.0] * 6


def test_auto_decides_by_n_and_k_alone():
    rng = np.random.default_rng(1)
    for n, k, form in (
        (8, 2, "loo"),
        (16, 4, "loo"),
        (8, 3, "loo_minus_one"),
        (6, 1, "loo"),
        (4, 4, "loo_minus_one"),
        (1, 1, "loo_minus_one"),
    ):
        groups = rng.integers(0, 2, (20, n))
        assert np.array_equal(
            pass_at_k_weights(groups, k), pass_at_k_weights(groups, k, baseline=form)
        )


def test_the_unscored_have_no_part_and_no_weight():
    nan = float("nan")
    with_gap = pass_at_k_weights([1.0, nan, 0.0, 1.0], 1, baseline="loo")
    without = pass_at_k_weights([1.0, 0.0, 1.0], 1, baseline="loo")
    assert with_gap[[0, 2, 3]] == pytest.approx(without)
    assert with_gap[1] == 0.0
    mask = [True, False, True, True]
    for filler in (0.0, 1.0, 99.0):
        masked = pass_at_k_weights([1.0, filler, 0.0, 1.0], 1, baseline="loo", mask=mask)
        assert masked == pytest.approx(with_gap)


@pytest.mark.parametrize("baseline", LINEAR)
def test_groups_of_unequal_size_are_weighed_each_by_its_own(baseline):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(40, 9)).round(1)
    mask = rng.random((40, 9)) < 0.8
    mask[:, :4] = True
    found = pass_at_k_weights(values, 3, baseline=baseline, mask=mask)
    for row in range(40):
        alone = pass_at_k_weights(values[row, mask[row]], 3, baseline=baseline)
        assert found[row, mask[row]] == pytest.approx(alone, abs=1e-15)
        assert np.all(found[row, ~mask[row]] == 0)


@pytest.mark.parametrize("baseline", [*LINEAR, "loo_weighted", "chen2025"])
def test_unequal_groups_of_passes_too(baseline):
    rng = np.random.default_rng(3)
    passed = rng.random((40, 9)) < 0.4
    mask = rng.random((40, 9)) < 0.7
    mask[:, :4] = True
    found = pass_at_k_weights(passed, 3, baseline=baseline, mask=mask)
    for row in range(40):
        alone = pass_at_k_weights(passed[row, mask[row]], 3, baseline=baseline)
        assert found[row, mask[row]] == pytest.approx(alone, abs=1e-15)
        assert np.all(found[row, ~mask[row]] == 0)


def test_a_large_offset_of_the_rewards_costs_no_digits():
    group = np.array([0.0, 0.25, 0.5, 0.5, 1.0, 0.125])
    near = pass_at_k_weights(group, 2, baseline="loo")
    assert pass_at_k_weights(group + 2.0**30, 2, baseline="loo") == pytest.approx(near, abs=1e-15)
    single = pass_at_k_weights((group + 1024).astype("float32"), 2, baseline="loo")
    assert single.dtype == np.float32
    assert single == pytest.approx(near, abs=1e-7)


def test_whole_numbers_keep_their_fractions():
    weights = pass_at_k_weights(np.array([3, 1, 0, 2]), 2, baseline="loo_minus_one")
    truth = enumeration.weights([3, 1, 0, 2], 2, "loo_minus_one")
    assert weights == pytest.approx([float(t) for t in truth])


def test_credit_less_its_mean_is_as_listed():
    found = pass_at_k_weights([1, 0, 0, 1, 0], 2, baseline="mean_centred")
    assert found == pytest.approx([0.12, -0.08, -0.08, 0.12, -0.08], abs=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bool", "int64"])
def test_any_array_of_the_standard_gives_numpys_values(dtype):
    xp = pytest.importorskip("array_api_strict")
    pytest.importorskip("array_api_compat")
    rng = np.random.default_rng(4)
    values = (rng.random((6, 8)) * 2).astype(dtype)
    for baseline in LINEAR:
        found = pass_at_k_weights(xp.asarray(values), 3, baseline=baseline)
        assert found.__array_namespace__() is xp
        assert np.asarray(found) == pytest.approx(
            pass_at_k_weights(values, 3, baseline=baseline), abs=1e-6
        )
    mask = rng.random((6, 8)) < 0.8
    mask[:, :4] = True
    found = pass_at_k_weights(xp.asarray(values), 3, mask=xp.asarray(mask))
    assert np.asarray(found) == pytest.approx(pass_at_k_weights(values, 3, mask=mask), abs=1e-6)


def test_the_share_of_dead_groups():
    groups = [[0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 0]]
    assert dead_group_share(groups, 2, baseline="loo") == 0.75
    assert dead_group_share(groups, 2, baseline="loo_minus_one") == 0.5
    assert dead_group_share(groups, 2, baseline="none") == 0.25


def test_what_cannot_be_weighed_is_refused():
    with pytest.raises(TooFewDrawsError, match="loo weights for pass@4 need groups of at least 5"):
        pass_at_k_weights([0, 0, 0, 0], 4, baseline="loo")
    with pytest.raises(TooFewDrawsError, match="pkpo_sloo weights for pass@4 need groups of at"):
        pass_at_k_weights([0, 1, 0, 0], 4, baseline="pkpo_sloo")
    with pytest.raises(TooFewDrawsError, match="at least 2, got one of n=1"):
        pass_at_k_weights([1], 1, baseline="loo_weighted")
    for baseline in ("none", "loo_minus_one", "mean_centred", "chen2025_unscaled"):
        with pytest.raises(TooFewDrawsError, match="at least 3, got one of n=2"):
            pass_at_k_weights([0, 1], 3, baseline=baseline)
    with pytest.raises(TooFewDrawsError, match="got one of n=1"):
        pass_at_k_weights([[1.0, 0.0], [1.0, float("nan")]], 2)
    with pytest.raises(UsageError, match="no baseline called 'best'"):
        pass_at_k_weights([1, 0], 1, baseline="best")
    with pytest.raises(UsageError, match="0/1 rewards"):
        pass_at_k_weights([0.5, 1.0], 1, baseline="chen2025")
    with pytest.raises(UsageError, match="grpo aims at pass@1"):
        pass_at_k_weights([0, 1, 0], 2, baseline="grpo")
    with pytest.raises(UsageError, match="last axis"):
        pass_at_k_weights([], 1)
    with pytest.raises(UsageError, match="mask must be bool"):
        pass_at_k_weights([0, 1], 1, mask=[True])
    with pytest.raises(UsageError, match="k must be at least 1"):
        pass_at_k_weights([0, 1], 0)
    with pytest.raises(UsageError, match="infinite"):
        pass_at_k_weights([0.0, float("inf")], 1)


def test_none_is_an_outcome_that_was_not_judged():
    found = pass_at_k_weights([1, None, 0, 1], 1, baseline="loo")
    assert found == pytest.approx([1 / 6, 0, -1 / 3, 1 / 6])
    advantages = 3 * pass_at_k_weights([1, None, 0, 1], 1, baseline="mean_centred")
    assert advantages == pytest.approx([1 / 3, 0.0, -2 / 3, 1 / 3], abs=1e-12)
    exact = pass_at_k_weights([Fraction(1), None, Fraction(1, 2)], 1, baseline="loo")
    assert exact.tolist() == [Fraction(1, 4), 0, Fraction(-1, 4)]
