import pytest

from anyofk.comparison.crossing import Crossing, grid
from anyofk.stats import Stretch


def crossing(*stretches, where=()):
    listed = tuple(Stretch(*each) for each in stretches)
    return Crossing("old", "new", listed[0].first_k, listed[-1].last_k, listed, where, (), 0.95)


@pytest.mark.parametrize(
    ("stretches", "words"),
    [
        ([("b", 1, 9)], "new is better for every k from 1 to 9"),
        ([("undecided", 1, 9)], "undecided for every k from 1 to 9"),
        (
            [("b", 1, 12), ("undecided", 13, 39), ("a", 40, 99)],
            "new is better up to k = 12, old is better from k = 40, undecided between",
        ),
        ([("a", 1, 3), ("undecided", 4, 9)], "old is better up to k = 3, undecided elsewhere"),
        ([("undecided", 1, 3), ("a", 4, 9)], "old is better from k = 4, undecided elsewhere"),
        (
            [("undecided", 1, 3), ("b", 4, 7), ("undecided", 8, 9)],
            "new is better from k = 4 to 7, undecided elsewhere",
        ),
        ([("a", 1, 1), ("b", 2, 9)], "old is better at k = 1, new is better from k = 2"),
    ],
)
def test_the_words_say_who_is_better_where(stretches, words):
    assert str(crossing(*stretches)) == f"{words} (95% band over all k)"


def test_the_words_end_with_where_the_estimates_cross():
    found = crossing(("undecided", 1, 99), where=(21.84, 60.2))
    assert str(found).endswith("; the estimates cross near k = 21.8 and k = 60.2")


@pytest.mark.parametrize("last", [1, 2, 64, 65, 1000, 10**6])
def test_the_grid_begins_at_1_ascends_and_ends_at_the_last_k(last):
    ks = grid(last)
    assert (ks[0], ks[-1]) == (1, last)
    assert list(ks) == sorted(set(ks))
    assert len(ks) <= 64
