"""The parts of the kernel keep what the whole relies on."""

from fractions import Fraction

import numpy as np
import pytest

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
