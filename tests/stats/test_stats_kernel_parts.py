"""The parts of the kernel keep what the whole relies on."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from anyofk.errors import UsageError
from anyofk.stats import fail_at_k, pass_at_k, variance_given_p, variance_unbiased
from anyofk.stats.kernel import exact_product, fail_and_pass


def test_a_product_and_its_error_add_up_exactly():
    rng = np.random.default_rng(8)
    x = rng.random(3000) * 2.0 ** rng.integers(-20, 20, 3000)
    y = rng.random(3000)
    product, error = exact_product(x, y)
    for a, b, c, d in zip(*(part.tolist() for part in (x, y, product, error)), strict=True):
        assert Fraction(a) * Fraction(b) == Fraction(c) + Fraction(d)


def test_the_kernel_gives_both_chances_and_zeros_and_ones_exactly():
    n, c = np.array([9, 9, 9, 9]), np.array([9, 7, 3, 0])
    fail, succeed = fail_and_pass(n, c, 3)
    assert fail.tolist() == [0.0, 0.0, pytest.approx(20 / 84), 1.0]
    assert succeed.tolist() == [1.0, 1.0, pytest.approx(64 / 84), 0.0]


def peak_megabytes(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def test_many_long_products_take_little_memory():
    n = 10**6 + np.arange(20_000)
    c = np.full(n.shape, 700)
    assert peak_megabytes(lambda: fail_and_pass(n, c, 800)) < 60
    assert peak_megabytes(lambda: variance_unbiased(n, c, 800)) < 90


@pytest.mark.parametrize(
    ("n", "c", "k"), [(1000, 990, 1), (1000, 900, 3), (400, 390, 2), (10**6, 10**6 - 50, 1)]
)
def test_a_variance_keeps_its_digits_where_nearly_all_pass(n, c, k):
    right = variance_unbiased(n, c, k, exact=True)
    assert variance_unbiased(n, c, k) == pytest.approx(float(right), rel=1e-13)
    assert right > 0


@pytest.mark.parametrize(("c", "k"), [(1, 1), (2, 3), (2**52, 1), (2**52, 4), (2**53 - 1, 2)])
def test_the_largest_n_that_a_float_can_count_is_taken(c, k):
    n = 2**53
    right = pass_at_k(n, c, k, exact=True)
    assert pass_at_k(n, c, k) == pytest.approx(float(right), rel=1e-14)


def test_a_product_longer_than_a_table_is_worked_off_all_the_same():
    n, c, k = 10**9, 300_000, 300_000  # each of more factors than are laid out at once
    fail = fail_at_k(n, c, k)
    excess = -math.expm1(-c * (k / (n - k)) * (k / (n - k)))
    assert variance_unbiased(n, c, k) == pytest.approx(fail**2 * excess, rel=1e-2)


@pytest.mark.parametrize("p", [-0.5, 1.5, "-1/2", "3/2", float("nan")])
def test_a_chance_outside_0_to_1_is_refused(p):
    with pytest.raises(UsageError, match=r"p must lie in \[0, 1\]"):
        variance_given_p(3, 1, p)


@pytest.mark.parametrize("p", [0, 1, 0.0, 1.0, "0", "1"])
def test_where_nothing_is_left_to_chance_there_is_no_variance(p):
    assert variance_given_p(3, 1, p) == 0
