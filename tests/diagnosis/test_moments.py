"""The moments by chance, held to all orders of a few draws."""

from itertools import permutations
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyofk.diagnosis.moments import (
    Observed,
    added,
    adjacent_pairs,
    trend,
    two_sided,
    within_pairs,
)

labels = st.lists(st.integers(0, 3), min_size=2, max_size=6)


def all_orders(listed):
    return [np.array(order) for order in permutations(listed)]


def check(statistic, listed):
    values = [statistic(order).value for order in all_orders(listed)]
    said = statistic(np.array(listed))
    assert said.mean == pytest.approx(np.mean(values))
    assert said.variance == pytest.approx(np.var(values), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(labels)
def test_neighbours_with_equal_labels_have_these_moments(listed):
    check(adjacent_pairs, listed)


@settings(max_examples=15, deadline=None)
@given(labels, st.data())
def test_pairs_within_batches_have_these_moments(listed, data):
    batches = data.draw(st.lists(st.integers(0, 2), min_size=len(listed), max_size=len(listed)))
    check(lambda order: within_pairs(order, np.array(batches)), listed)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=6))
def test_the_trend_has_these_moments(listed):
    check(trend, listed)


def test_sums_add_up_and_thin_data_are_not_judged():
    assert added([Observed(1, 2, 3), Observed(4, 5, 6)]) == Observed(5, 7, 9)
    assert two_sided(Observed(5, 1, 1)) is None


def test_p_values_are_small_on_both_sides_and_1_in_the_middle():
    assert two_sided(Observed(100, 100, 25), shape=inf) == pytest.approx(1)
    assert two_sided(Observed(110, 100, 25), shape=inf) == pytest.approx(0.0455, abs=1e-4)
    assert two_sided(Observed(80, 100, 25)) < 1e-3 > two_sided(Observed(125, 100, 25))


def test_a_rare_count_is_judged_about_as_poisson_does():
    upper = two_sided(Observed(9, 3, 3)) / 2
    assert upper == pytest.approx(0.0038, abs=0.001)
