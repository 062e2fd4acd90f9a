import math
import time
from fractions import Fraction

import enumeration
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulation import least

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import (
    at_least_j_of_k,
    best_of_k,
    best_of_k_variance,
    g_pass_at_k,
    maj_at_k,
    max_at_k,
    mg_pass_at_k,
    pass_at_k,
    pass_hat_k,
    selection_accuracy,
)
from strategies import rewards

groups = st.lists(st.tuples(st.integers(0, 3), rewards), min_size=1, max_size=7)


@given(groups, st.data())
def test_best_of_k_equals_enumeration(group, data):
    scores, values = zip(*group, strict=True)
    k = data.draw(st.integers(1, len(group)))
    truth = enumeration.best_of_k(scores, values, k)
    assert best_of_k(scores, np.array(values, dtype=object), k, exact=True) == truth
    assert best_of_k(scores, [float(v) for v in values], k) == pytest.approx(
        float(truth), abs=1e-15
    )


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=4, max_size=5))
def test_its_variance_equals_enumeration_of_disjoint_pairs(group):
    scores, values = zip(*group, strict=True)
    for k in range(1, len(group) // 2 + 1):
        truth = enumeration.best_of_k(scores, values, k) ** 2
        truth -= enumeration.best_of_disjoint_pairs(scores, values, k)
        assert best_of_k_variance(scores, values, k, exact=True) == truth


def test_pass_at_k_its_kin_and_the_mean_are_selectors():
    passed = [1, 0, 1, 0, 0, 0, 1]
    for k in range(1, 8):
        assert best_of_k(passed, passed, k, exact=True) == pass_at_k(7, 3, k, exact=True)
        assert best_of_k([-p for p in passed], passed, k, exact=True) == pass_hat_k(
            7, 3, k, exact=True
        )
        assert best_of_k([0] * 7, passed, k, exact=True) == Fraction(3, 7)
        assert max_at_k(passed, k, exact=True) == pass_at_k(7, 3, k, exact=True)


def test_of_a_hundred_problems_eighty_are_covered_and_sixty_chosen():
    covered = [[1, 0]] * 80 + [[0, 0]] * 20
    scores = [[1, 0]] * 60 + [[0, 1]] * 40
    assert np.mean(best_of_k(covered, covered, 2)) == pytest.approx(0.8)
    assert np.mean(best_of_k(scores, covered, 2)) == pytest.approx(0.6)


def test_values_of_both_signs_cancel_exactly():
    assert max_at_k([-0.1, 0.1, -0.3, 0.3], 1) == 0.0
    assert best_of_k([1, 1, 1], [1e16, 1.0, -1e16], 2) == pytest.approx(1 / 3, rel=1e-15)


def test_what_a_selector_cannot_choose_from_is_refused():
    with pytest.raises(TooFewDrawsError, match="best-of-3 needs at least 3"):
        best_of_k([1, 2], [0, 1], 3)
    with pytest.raises(TooFewDrawsError, match="at least 4"):
        best_of_k_variance([1, 2, 3], [0, 1, 1], 2)
    with pytest.raises(UsageError, match="scores hold nan"):
        best_of_k([1.0, float("nan")], [0, 1], 1)
    with pytest.raises(UsageError, match="no candidates"):
        max_at_k([], 1)
    with pytest.raises(UsageError, match="one problem at a time"):
        best_of_k_variance([[1, 2]], [[0, 1]], 1)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.booleans()), min_size=1, max_size=4),
    st.integers(0, 2),
    st.data(),
)
def test_majority_equals_enumeration(answers, abstain, data):
    votes, correct = zip(*answers, strict=True)
    k = data.draw(st.integers(1, min(6, sum(votes) + abstain)))
    truth = enumeration.maj_at_k(votes, correct, k, abstain)
    assert maj_at_k(votes, correct, k, abstain=abstain, exact=True) == truth


def test_majority_of_sixty_four_is_exact_within_ten_milliseconds():
    votes = [10, 5, 7, 7, 1, 2, 1, 4, 3, 13, 4, 2, 4, 1]
    correct = [i % 3 == 0 for i in range(len(votes))]
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        maj_at_k(votes, correct, 32)
        taken.append(time.perf_counter() - start)
    assert min(taken) < 0.010


def test_majority_refuses_what_is_no_vote():
    with pytest.raises(TooFewDrawsError, match="maj@4 needs at least 4"):
        maj_at_k([2, 1], [True, False], 4)
    with pytest.raises(UsageError, match="marks"):
        maj_at_k([2, 1], [True], 1)
    with pytest.raises(UsageError, match="none negative"):
        maj_at_k([2, -1], [True, False], 1)


@pytest.mark.parametrize("n", [1, 5, 8])
def test_at_least_j_equals_enumeration(n):
    for c in range(n + 1):
        for k in range(1, n + 1):
            for j in range(k + 1):
                truth = enumeration.at_least(n, c, k, j)
                assert at_least_j_of_k(n, c, k, j, exact=True) == truth
                assert at_least_j_of_k(n, c, k, j) == pytest.approx(float(truth), rel=1e-14)


@pytest.mark.parametrize(
    ("tau", "k"),
    [
        ("7/25", 25),
        ("14/25", 25),
        ("7/100", 100),
        ("14/100", 100),
        ("28/100", 100),
        ("55/100", 100),
    ],
)
def test_the_share_tau_is_compared_and_not_rounded_up(tau, k):
    needed = Fraction(tau) * k
    assert needed.denominator == 1
    n, c = 2 * k, k
    exactly = at_least_j_of_k(n, c, k, int(needed), exact=True)
    assert g_pass_at_k(n, c, k, tau, exact=True) == exactly
    assert g_pass_at_k(n, c, k, float(Fraction(tau))) == pytest.approx(float(exactly), rel=1e-13)


def test_g_pass_asks_for_one_pass_at_least_and_refuses_other_shares():
    assert g_pass_at_k(10, 3, 4, 0.0, exact=True) == pass_at_k(10, 3, 4, exact=True)
    assert g_pass_at_k(10, 3, 4, 1.0, exact=True) == pass_hat_k(10, 3, 4, exact=True)
    assert mg_pass_at_k(1, 1, 1) == 0.0
    for tau in (-0.1, 1.1, "3/2"):
        with pytest.raises(UsageError, match="tau must lie"):
            g_pass_at_k(10, 3, 4, tau)
    with pytest.raises(UsageError, match="j must lie"):
        at_least_j_of_k(10, 3, 4, 5)
    with pytest.raises(TooFewDrawsError):
        g_pass_at_k(4, 2, 5, "1/2")
    assert math.isnan(mg_pass_at_k(4, 2, 5, insufficient="nan"))


def test_selection_accuracy_is_delivered_over_covered():
    found = selection_accuracy([1] * 60 + [0] * 40, [1] * 80 + [0] * 20)
    assert (found.value, found.gap) == (0.75, 0.2)
    assert found.low < 0.75 < found.high
    assert found.se == pytest.approx((0.75 * 0.25 / 80) ** 0.5, rel=0.01)
    perfect = selection_accuracy([1, 0.5, 0], [1, 0.5, 0])
    assert (perfect.value, perfect.high, perfect.gap) == (1.0, 1.0, 0.0)
    assert perfect.low < 0.5


def test_selection_accuracy_covers_its_ratio():
    rng = np.random.default_rng(6)
    draws = 400
    hits = 0
    for _ in range(draws):
        covered = rng.random(100) < 0.4
        delivered = covered & (rng.random(100) < 0.7)
        found = selection_accuracy(delivered, covered)
        hits += found.low <= 0.7 <= found.high
    assert hits / draws >= least(0.95, draws)


def test_selection_accuracy_refuses_what_cannot_be():
    for delivered, covered in (([0.5], [0.4]), ([0.5, 0.1], [0.6]), ([-0.1, 0.2], [0.1, 0.3])):
        with pytest.raises(UsageError, match="delivered"):
            selection_accuracy(delivered, covered)
    with pytest.raises(UsageError, match="no problem is covered"):
        selection_accuracy([0, 0], [0, 0])
