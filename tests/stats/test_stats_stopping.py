from fractions import Fraction

import pytest

from anyofk.errors import UsageError
from anyofk.stats import pass_at_k, pass_at_k_inverse, pass_at_k_stopped


def ends(stops, p, most=40):
    """Walk all paths until the rule stops: the chance of each end, and what is left."""
    here, found = {(0, 0): Fraction(1)}, {}
    for _ in range(most + 1):
        after = {}
        for (n, c), chance in here.items():
            if stops(n, c):
                found[n, c] = found.get((n, c), 0) + chance
            else:
                for step, share in ((1, p), (0, 1 - p)):
                    place = (n + 1, c + step)
                    after[place] = after.get(place, 0) + chance * share
        here = after
    return found, sum(here.values())


RULES = {
    "first success, ten at most": lambda n, c: c >= 1 or n == 10,
    "two successes or eight draws": lambda n, c: c >= 2 or n == 8,
    "three failures in excess or nine": lambda n, c: n - 2 * c >= 5 or n == 9,
    "a fixed number": lambda n, _: n == 7,
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(2, 3)])
def test_a_known_rule_is_undone_without_bias(name, p):
    stops = RULES[name]
    found, left = ends(stops, p)
    assert left == 0
    for k in (1, 2, 5):
        mean = sum(w * pass_at_k_stopped(*end, k, stops, exact=True) for end, w in found.items())
        assert mean == 1 - (1 - p) ** k


def test_a_fixed_number_gives_the_usual_estimate():
    for c in range(8):
        assert pass_at_k_stopped(7, c, 3, RULES["a fixed number"], exact=True) == pass_at_k(
            7, c, 3, exact=True
        )


def test_the_usual_estimate_is_biased_when_drawing_stops_at_a_success():
    found, _ = ends(RULES["first success, ten at most"], Fraction(1, 5))
    usual = sum(w * Fraction(c, n) for (n, c), w in found.items())
    assert float(usual) == pytest.approx(0.395, abs=5e-4)


@pytest.mark.parametrize("r", [1, 2, 3])
def test_inverse_sampling_is_unbiased_for_every_k(r):
    p = Fraction(2, 3)
    found, left = ends(lambda _, c: c >= r, p, most=120)
    for k in (1, 3, 10):
        mean = sum(w * pass_at_k_inverse(n, c, k, exact=True) for (n, c), w in found.items())
        assert abs(mean - (1 - (1 - p) ** k)) <= left < 1e-12


def test_inverse_sampling_takes_arrays_and_refuses_an_end_without_success():
    assert pass_at_k_inverse([4, 19], [4, 1], 6).tolist() == [1.0, 0.0]
    with pytest.raises(UsageError, match="stops at a success"):
        pass_at_k_inverse(5, 0, 1)


def test_a_rule_that_cannot_be_is_refused():
    stops = RULES["first success, ten at most"]
    with pytest.raises(UsageError, match="doesn't stop at n=3"):
        pass_at_k_stopped(3, 0, 1, stops)
    with pytest.raises(UsageError, match="never reaches"):
        pass_at_k_stopped(3, 2, 1, stops)
    with pytest.raises(UsageError, match="stops after 10 failures"):
        pass_at_k_stopped(10, 0, 11, stops)
