"""What selectors refuse, and in which words."""

import pytest

from anyofk.errors import UsageError
from anyofk.stats import best_of_k, max_at_k


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
