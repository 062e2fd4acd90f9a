"""From verdicts to counts."""

import pytest

from anyofk import Counts, Outcome, Verdict, tally
from anyofk.errors import DataError, DuplicateWarning
from anyofk.tallying import tally_outcomes


def verdicts(problem, *outcomes):
    return [Verdict(problem, draw, Outcome(outcome)) for draw, outcome in enumerate(outcomes)]


def test_a_broken_verdict_is_in_neither_n_nor_c():
    counted = tally(verdicts("a", "passed", "broken", "timeout"))
    assert counted == [Counts("a", n=2, c=1, broken=1)]


@pytest.mark.parametrize("outcome", [o for o in Outcome if o not in ("passed", "broken")])
def test_every_other_outcome_is_a_failure_that_counts(outcome):
    assert tally(verdicts("a", outcome)) == [Counts("a", n=1, c=0)]


def test_the_order_of_verdicts_does_not_matter():
    rows = verdicts("a", "passed", "timeout") + verdicts("b", "exited")
    assert sorted(tally(rows), key=str) == sorted(tally(rows[::-1]), key=str)


def test_a_verdict_that_stands_twice_counts_once_and_is_reported():
    rows = verdicts("t1", "passed", "crashed") + verdicts("t2", "passed", "passed")
    with pytest.warns(DuplicateWarning, match="2 verdicts"):
        counted = tally([*rows, rows[1], rows[2]])
    assert counted == [Counts("t1", n=2, c=1), Counts("t2", n=2, c=2)]


def test_two_verdicts_on_one_draw_that_disagree_are_refused():
    with pytest.raises(DataError, match=r"draw 0 of problem 'a'.*passed and timeout") as caught:
        tally(verdicts("a", "passed") + verdicts("a", "timeout"))
    assert caught.value.problem == "a"
    assert caught.value.draw == 0


def test_clusters_are_kept():
    assert tally(verdicts("a", "passed"), clusters={"a": "text"})[0].cluster == "text"


def test_outcomes_are_counted_by_problem():
    counted = tally_outcomes(verdicts("a", "passed", "passed", "exited"))
    assert counted == {"a": {Outcome.PASSED: 2, Outcome.EXITED: 1}}


@pytest.mark.parametrize(("n", "c"), [(1, 2), (0, -1), (-1, -1)])
def test_counts_that_cannot_be_are_refused(n, c):
    with pytest.raises(DataError, match=f"n={n}, c={c}"):
        Counts("p", n=n, c=c)
