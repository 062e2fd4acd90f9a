import math
import random
import time
from fractions import Fraction

import enumeration
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import fail_at_k, pass_at_k, pass_hat_k
from anyofk.stats.kernel import _group_size, _quick
from strategies import chances, counts_and_k


def ulps(value, truth):
    """Count the units in the last place of the truth between a float and it."""
    if truth == 0:
        return 0 if value == 0 else math.inf
    return float(abs(Fraction(value) - truth) / Fraction(math.ulp(float(truth))))


def fail_exactly(n, c, k):
    small, large = min(c, k), max(c, k)
    return Fraction(math.comb(n - large, small), math.comb(n, small))


SMALL = [(n, c, k) for n in range(1, 8) for c in range(n + 1) for k in range(1, n + 1)]


def test_small_cases_equal_enumeration_of_all_subsets():
    for n, c, k in SMALL:
        truth = enumeration.pass_at_k(n, c, k)
        assert pass_at_k(n, c, k, exact=True) == truth
        assert fail_at_k(n, c, k, exact=True) == 1 - truth
        assert pass_hat_k(n, c, k, exact=True) == enumeration.at_least(n, c, k, k)


@pytest.mark.parametrize("n", [1, 2, 17, 64, 130, 200])
def test_all_counts_of_one_n_are_within_the_bounds(n):
    c = np.arange(n + 1)
    ks = sorted({1, 2, 3, n // 3, n // 2, n - 1, n} & set(range(1, n + 1)))
    fails, passes = fail_at_k(n, c, ks), pass_at_k(n, c, ks)
    for i in range(n + 1):
        for j, k in enumerate(ks):
            truth = fail_exactly(n, i, k)
            assert ulps(fails[i, j], truth) <= 16
            assert ulps(passes[i, j], 1 - truth) <= 4


@pytest.mark.parametrize(
    ("largest", "cases", "bounds"), [(10**4, 400, (16, 4)), (10**9, 60, (32, 16))]
)
def test_large_counts_are_within_the_bounds(largest, cases, bounds):
    draw = random.Random(largest)  # noqa: S311 -- repeatable, not secret
    for _ in range(cases):
        n = draw.randint(largest // 2, largest)
        reach = 3 * math.isqrt(n) if draw.random() < 0.5 else min(n, 20_000)
        c, k = draw.randint(0, reach), draw.randint(1, min(reach, 4000))
        truth = fail_exactly(n, c, k)
        if truth > Fraction(1, 10**300):
            assert ulps(fail_at_k(n, c, k), truth) <= bounds[0]
        assert ulps(pass_at_k(n, c, k), 1 - truth) <= bounds[1]


def test_a_tiny_chance_keeps_its_digits():
    assert ulps(pass_at_k(10**9, 3, 10), 1 - fail_exactly(10**9, 3, 10)) <= 4
    assert pass_at_k(10**9, 1, 1) == 1e-9


def test_huge_c_and_k_end_early_at_nought():
    start = time.perf_counter()
    assert fail_at_k(10**9, 5 * 10**8, 4 * 10**8) == 0.0
    assert pass_at_k(10**9, 5 * 10**8, 4 * 10**8) == 1.0
    assert time.perf_counter() - start < 1.0


@given(counts_and_k(largest=60))
def test_it_is_symmetric_in_c_and_k(case):
    n, c, k = case
    if c:
        assert fail_at_k(n, c, k, exact=True) == fail_at_k(n, k, c, exact=True)


@given(counts_and_k())
def test_edges_are_exact(case):
    n, c, k = case
    value = pass_at_k(n, c, k)
    assert 0.0 <= value <= 1.0
    assert (value == 0.0) == (c == 0)
    assert n - c >= k or value == 1.0
    assert pass_at_k(n, n, k) == 1.0
    assert pass_hat_k(n, n, k) == 1.0


@given(counts_and_k(largest=120))
def test_more_passes_or_more_attempts_never_lower_it(case):
    n, c, k = case
    here = pass_at_k(n, c, k, exact=True)
    if c < n:
        assert pass_at_k(n, c + 1, k, exact=True) >= here
    if k < n:
        assert pass_at_k(n, c, k + 1, exact=True) >= here


@given(counts_and_k(largest=60))
def test_throwing_one_draw_away_at_random_does_not_move_it(case):
    n, c, k = case
    if k < n:
        lost_pass = pass_at_k(n - 1, c - 1, k, exact=True) if c else 0
        lost_fail = pass_at_k(n - 1, c, k, exact=True) if c < n else 0
        assert pass_at_k(n, c, k, exact=True) == (c * lost_pass + (n - c) * lost_fail) / Fraction(n)


@given(st.integers(1, 12), chances, st.data())
def test_all_three_are_unbiased(n, p, data):
    k = data.draw(st.integers(1, n))
    q = 1 - p
    expected = {
        pass_at_k: 1 - q**k,
        fail_at_k: q**k,
        pass_hat_k: p**k,
    }
    for estimator, truth in expected.items():
        assert enumeration.expectation(n, p, lambda c, e=estimator: e(n, c, k, exact=True)) == truth


def test_shapes_broadcast_and_a_list_of_k_adds_the_last_axis():
    n, c = np.full((3, 1), 10), np.arange(4)
    assert pass_at_k(n, c, 2).shape == (3, 4)
    assert pass_at_k(n, c, [2]).shape == (3, 4, 1)
    assert pass_at_k(n, c, [1, 2, 5]).shape == (3, 4, 3)
    assert pass_at_k(10, 3, [1, 2]).shape == (2,)
    assert pass_at_k([], [], [1, 2]).shape == (0, 2)
    assert isinstance(pass_at_k(10, 3, 2), float)
    assert pass_at_k(np.array([10, 5]), 3, [1, 2], exact=True).dtype == object


def test_many_problems_give_the_very_values_of_single_ones():
    rng = np.random.default_rng(5)
    n = rng.integers(20, 400, 3000)
    c = rng.integers(0, n + 1)
    ks = [1, 3, 20]
    table = pass_at_k(n, c, ks)
    for i in range(0, 3000, 37):
        for j, k in enumerate(ks):
            assert table[i, j] == pytest.approx(pass_at_k(n[i], c[i], k), rel=1e-14)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int64", "float32", "float64"])
def test_every_integer_type_is_widened_first(dtype):
    assert pass_at_k(np.array(5, dtype), np.array(2, dtype), 2) == 0.7
    n, c = np.full(100, 200, "uint8"), np.full(100, 199, "uint8")
    assert np.all(pass_at_k(n, c, 2) == 1.0)


@pytest.mark.parametrize(
    ("n", "c", "k", "words"),
    [
        (5, 2, 0, "k must be at least 1"),
        (5, 2, -1, "k must be at least 1"),
        (5, 2, 1.5, "k is no integer"),
        (5, 2, True, "k must be a count, got bool"),
        (5, 2, [[1]], "k must be one integer or a list"),
        (5, 6, 1, "c=6 passed of n=5 judged"),
        (5, -1, 1, "c is negative"),
        (-5, 0, 1, "n is negative"),
        (5.5, 2, 1, "n is no integer"),
        (float("nan"), 2, 1, "n is no integer"),
        (float("inf"), 2, 1, "n is no integer"),
        ([5, 5], [1, 7], 1, "c=7 passed of n=5 judged"),
        ([True, False], [1, 0], 1, "n must be a count, got bool"),
        ([1, 2, 3], [1, 2], 1, "shape"),
        (["5"], [1], 1, "n must be a count"),
        (2**60, 1, 1, "larger than 2\\*\\*53"),
        (2**80, 1, 1, "larger than 2\\*\\*53"),
    ],
)
def test_an_argument_that_means_nothing_is_refused_by_name(n, c, k, words):
    with pytest.raises(UsageError, match=words):
        pass_at_k(n, c, k)


@pytest.mark.parametrize("estimator", [pass_at_k, fail_at_k, pass_hat_k])
def test_k_above_n_is_refused_with_how_many_problems_and_the_smallest_n(estimator):
    with pytest.raises(TooFewDrawsError, match="3 of 4 problems") as caught:
        estimator([4, 9, 5, 20], [0, 9, 1, 2], [1, 10])
    assert caught.value.k == 10
    assert caught.value.problems == 3
    assert caught.value.smallest_n == 4
    assert caught.value.hint


def test_told_so_it_gives_nan_where_k_is_above_n_and_numbers_elsewhere():
    table = pass_at_k([4, 9], [0, 9], [1, 5], insufficient="nan")
    assert np.isnan(table[0, 1])
    assert table[0, 0] == 0.0
    assert table[1].tolist() == [1.0, 1.0]
    assert math.isnan(fail_at_k(4, 0, 5, insufficient="nan"))
    with pytest.raises(UsageError, match="insufficient"):
        pass_at_k(4, 0, 2, insufficient="skip")


def test_a_million_problems_take_far_less_than_a_second():
    rng = np.random.default_rng(0)
    n = np.full(10**6, 200)
    c = rng.integers(0, 201, 10**6)
    ks = [1, 2, 5, 10, 20, 50, 60, 80, 90, 100]
    start = time.process_time()
    assert pass_at_k(n, c, ks).shape == (10**6, 10)
    taken = time.process_time() - start
    loop = time.process_time()
    for passed in c[:2000]:
        for k in ks:
            _ = 1.0 - np.prod(1.0 - k / np.arange(200 - passed + 1, 201))
    assert taken < (time.process_time() - loop) * 500 / 100


@pytest.mark.parametrize("n", [40, 700, 10**6])
def test_the_quick_way_is_right_by_itself(n):
    c = np.array([min(n, 45), 40, 12, 5, 1, 0])
    k = min(30, n // 3)
    small, large = np.minimum(c, k), np.maximum(c, k)
    found = _quick(np.full(6, n), small, large, _group_size(n))
    for passed, value in zip(c.tolist(), found, strict=True):
        assert ulps(value, fail_exactly(n, passed, k)) <= 16


def test_long_products_are_right_up_to_the_last_subset_of_failures():
    for n, c, k in ((600, 300, 300), (600, 301, 300), (1000, 640, 360), (1000, 500, 480)):
        truth = fail_exactly(n, c, k)
        assert ulps(fail_at_k(n, c, k), truth) <= 16
        assert pass_at_k(n, c, k) == float(1 - truth)


def test_tables_of_factors_are_cut_without_losing_an_entry():
    c = np.arange(1, 4000)
    found = pass_at_k(10**7, c, 1200)
    for place in (0, 1, 777, 2500, 3998):
        assert ulps(found[place], 1 - fail_exactly(10**7, int(c[place]), 1200)) <= 4
