"""What selectors refuse, and in which words."""

from fractions import Fraction

import numpy as np
import pytest

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import best_of_k, best_of_k_variance, max_at_k
from anyofk.stats.selection import best_rank_chances


@pytest.mark.parametrize(("scores", "values"), [(1.0, 1.0), ([], [])])
def test_without_a_group_there_is_nothing_to_choose_from(scores, values):
    with pytest.raises(UsageError, match="no candidates to choose from"):
        best_of_k(scores, values, 1)


@pytest.mark.parametrize(
    ("scores", "values", "which"),
    [([1.0, float("nan")], [0, 1], "scores"), ([1.0, 2.0], [0.0, float("nan")], "values")],
)
def test_nan_has_no_order_and_is_refused_by_name(scores, values, which):
    with pytest.raises(UsageError, match=f"^{which} hold nan") as caught:
        best_of_k(scores, values, 1)
    assert caught.value.name == which


def test_a_selector_over_many_groups_gives_each_its_own_number():
    found = max_at_k([[1, 2, 3], [4, 5, 6]], 3)
    assert found.tolist() == [3.0, 6.0]
    assert max_at_k([[[1, 2], [3, 4]]], 2).shape == (1, 2)


@pytest.mark.parametrize("shape", [(2, 0), (0, 0)])
def test_groups_without_candidates_are_refused_however_many(shape):
    with pytest.raises(UsageError, match="no candidates"):
        max_at_k(np.empty(shape), 1)


def test_no_groups_at_all_are_no_fault():
    assert max_at_k(np.empty((0, 3)), 2).shape == (0,)


def test_a_variance_grows_with_the_square_of_the_values():
    scores, values = [3, 1, 2, 2, 5], [1, 0, 2, 4, 3]
    whole = best_of_k_variance(scores, values, 2, exact=True)
    assert whole != 0
    parts = [Fraction(value, 4) for value in values]
    assert best_of_k_variance(scores, np.array(parts), 2, exact=True) == whole / 16
    thirds = [Fraction(value, 3) for value in values]
    assert best_of_k_variance(scores, np.array(thirds), 2, exact=True) == whole / 9


def test_too_few_candidates_are_told_with_their_number():
    with pytest.raises(
        TooFewDrawsError, match="needs at least 4 candidates here, got n=3"
    ) as caught:
        best_of_k_variance([1, 2, 3], [0, 1, 1], 2)
    assert (caught.value.k, caught.value.smallest_n, caught.value.problems) == (2, 3, 1)


def test_the_chances_of_being_best_are_floats_unless_fractions_are_asked_for():
    assert best_rank_chances(4, 2).dtype == np.float64
    assert best_rank_chances(4, 2, exact=True).tolist() == [0, Fraction(1, 6), Fraction(1, 3), 0.5]
