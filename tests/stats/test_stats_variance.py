import math
from fractions import Fraction

import enumeration
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import (
    covariance_unbiased,
    fail_at_k,
    pass_at_k,
    variance_given_p,
    variance_unbiased,
    variance_unbiased_at,
)
from strategies import chances, counts_and_k


def true_variance(n, k, p):
    q = 1 - p
    square = enumeration.expectation(n, p, lambda c: pass_at_k(n, c, k, exact=True) ** 2)
    return square - (1 - q**k) ** 2


@given(st.integers(1, 10), chances, st.data())
def test_the_variance_given_p_is_that_of_enumeration(n, p, data):
    k = data.draw(st.integers(1, n))
    assert variance_given_p(n, k, p, exact=True) == true_variance(n, k, p)


@given(st.integers(2, 12), chances, st.data())
def test_the_estimated_variance_is_unbiased(n, p, data):
    k = data.draw(st.integers(1, n // 2))
    expected = enumeration.expectation(n, p, lambda c: variance_unbiased(n, c, k, exact=True))
    assert expected == true_variance(n, k, p)


@given(st.integers(2, 10), st.integers(0, 12), chances, st.data())
def test_the_variance_planned_for_another_n_is_unbiased(n, more, p, data):
    k = data.draw(st.integers(1, n // 2))
    new_n = k + more

    def planned(c):
        return variance_unbiased_at(n, c, k, new_n, exact=True)

    assert enumeration.expectation(n, p, planned) == true_variance(new_n, k, p)


@given(st.integers(2, 10), chances, st.data())
def test_the_covariance_of_two_k_is_unbiased(n, p, data):
    k = data.draw(st.integers(1, n - 1))
    other = data.draw(st.integers(1, n - k))
    q = 1 - p

    def product(c):
        return fail_at_k(n, c, k, exact=True) * fail_at_k(n, c, other, exact=True)

    truth = enumeration.expectation(n, p, product) - q ** (k + other)
    found = enumeration.expectation(n, p, lambda c: covariance_unbiased(n, c, k, other, exact=True))
    assert found == truth


@given(counts_and_k(largest=300, sets=2))
def test_floats_are_within_64_units_and_never_negative(case):
    n, c, k = case
    truth = variance_unbiased(n, c, k, exact=True)
    value = variance_unbiased(n, c, k)
    assert value >= 0.0
    assert (value == 0.0) == (c == 0 or n - c < k)
    if truth > Fraction(1, 10**290):
        assert abs(Fraction(value) - truth) <= 64 * Fraction(math.ulp(float(truth)))


@pytest.mark.parametrize(
    ("n", "c", "k"),
    [(10**9, 5, 3), (10**9, 10**6, 300), (10**9, 40, 10**6), (10**6, 2000, 400), (8000, 4000, 3)],
)
def test_large_counts_keep_their_digits(n, c, k):
    truth = variance_unbiased(n, c, k, exact=True)
    value = variance_unbiased(n, c, k)
    assert abs(Fraction(value) - truth) <= 64 * Fraction(math.ulp(float(truth)))


def test_below_twice_k_there_is_no_unbiased_variance():
    with pytest.raises(TooFewDrawsError, match="sampling variance of pass@4 needs at least 8"):
        variance_unbiased([7, 20], [1, 2], 4)
    assert np.isnan(variance_unbiased(7, 1, 4, insufficient="nan"))
    with pytest.raises(TooFewDrawsError):
        covariance_unbiased(4, 1, 3, 3)
    with pytest.raises(UsageError, match="n >= 2k"):
        variance_unbiased_at(5, 1, 3, 10)
    with pytest.raises(UsageError, match="p must lie"):
        variance_given_p(5, 1, "3/2")
    with pytest.raises(UsageError, match="larger than n"):
        variance_given_p(5, 6, 0.5)


def test_many_problems_and_many_k_at_once():
    n, c = np.array([20, 30, 20]), np.array([3, 30, 0])
    table = variance_unbiased(n, c, [1, 5, 10])
    assert table.shape == (3, 3)
    for i in range(3):
        for j, k in enumerate([1, 5, 10]):
            assert table[i, j] == pytest.approx(variance_unbiased(n[i], c[i], k), rel=1e-13)


def test_the_variance_takes_many_chances_as_floats():
    chances_ = np.array([0.0, 1e-9, 0.25, 0.5, 0.999, 1.0])
    for n, k in ((20, 3), (300, 60), (8, 8)):
        found = variance_given_p(n, k, chances_)
        for p, value in zip(chances_, found, strict=True):
            truth = variance_given_p(n, k, Fraction(float(p)), exact=True)
            assert value == pytest.approx(float(truth), rel=1e-12)
    assert isinstance(variance_given_p(5, 2, 0.5), float)
    with pytest.raises(UsageError, match="p must lie"):
        variance_given_p(5, 2, [0.5, 1.5])


@pytest.mark.parametrize(("k", "other"), [(1, 1), (7, 7), (20, 20), (3, 11), (30, 30)])
def test_all_counts_together_are_as_exact_as_each_alone(k, other):
    n, c = 60, np.arange(61)
    found = covariance_unbiased(n, c, k, other)
    for passed, value in enumerate(found):
        truth = covariance_unbiased(n, passed, k, other, exact=True)
        assert abs(Fraction(value) - truth) <= 64 * Fraction(math.ulp(float(truth)))
