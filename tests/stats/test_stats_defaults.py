"""What a function gives when nothing is asked for: floats, a refusal, and no options taken."""

from fractions import Fraction

import numpy as np
import pytest

from anyofk import stats
from anyofk.errors import TooFewDrawsError, UsageError

CALLS = {
    "pass_at_k": (9, 4, 3),
    "fail_at_k": (9, 4, 3),
    "pass_hat_k": (9, 4, 3),
    "at_least_j_of_k": (9, 4, 3, 2),
    "g_pass_at_k": (9, 4, 3, "2/3"),
    "mg_pass_at_k": (9, 4, 3),
    "variance_unbiased": (9, 4, 3),
    "covariance_unbiased": (9, 4, 3, 2),
    "variance_unbiased_at": (9, 4, 3, 12),
    "variance_given_p": (9, 3, 0.25),
    "benchmark_mean": ([9, 9], [4, 2], 3),
    "population_variance": ([9, 9], [4, 2], 3),
    "sampling_variance": ([9, 9], [4, 2], 3),
    "max_at_k": ([1, 2, 3], 2),
    "best_of_k": ([1, 2, 3], [0, 1, 0], 2),
    "best_of_k_variance": ([1, 2, 3, 4], [0, 1, 0, 1], 2),
    "maj_at_k": ([3, 2], [True, False], 3),
    "pass_at_k_inverse": (9, 2, 3),
    "pass_at_k_stopped": (3, 1, 2, lambda _, c: c == 1),
}
OVER_BUDGETS = ("pass_at_k", "fail_at_k", "pass_hat_k", "variance_unbiased")


@pytest.mark.parametrize("name", CALLS)
def test_a_number_is_a_float_unless_a_fraction_is_asked_for(name):
    function = getattr(stats, name)
    plain = function(*CALLS[name])
    assert type(plain) is float
    exact = function(*CALLS[name], exact=True)
    assert isinstance(exact, Fraction)
    assert plain == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("name", OVER_BUDGETS)
def test_many_numbers_are_float64_with_the_shape_of_counts_and_k(name):
    function = getattr(stats, name)
    found = function(np.full((2, 3), 9), np.arange(6).reshape(2, 3), [1, 2])
    assert (found.dtype, found.shape) == (np.float64, (2, 3, 2))
    assert function(9, 4, [1, 2]).shape == (2,)
    assert function([], [], 1).shape == (0,)
    assert function(np.empty((0, 3)), np.empty((0, 3)), [1, 2]).shape == (0, 3, 2)


@pytest.mark.parametrize("name", OVER_BUDGETS)
def test_too_few_draws_are_refused_unless_nan_is_asked_for(name):
    function = getattr(stats, name)
    with pytest.raises(TooFewDrawsError):
        function([20, 3], [2, 1], 4)
    found = function([20, 3], [2, 1], 4, insufficient="nan")
    assert np.isnan(found).tolist() == [False, True]
    assert found[0] == function(20, 2, 4)
    with pytest.raises(UsageError, match="insufficient must be"):
        function([20, 3], [2, 1], 4, insufficient="zero")
