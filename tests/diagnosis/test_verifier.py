from math import comb

import pytest

from anyofk.diagnosis import verifier_effect
from anyofk.errors import TooFewDrawsError, UsageError

COUNTS = {f"p{i}": (20, i % 7) for i in range(35)}


@pytest.mark.parametrize(("false_pass", "false_fail"), [(0.1, 0), (0, 0.2), (0.05, 0.15)])
@pytest.mark.parametrize("k", [1, 3])
def test_the_correction_is_unbiased_by_enumeration(k, false_pass, false_fail):
    n, p = 6, 0.3
    judged = p * (1 - false_fail) + (1 - p) * false_pass
    mean = 0.0
    for c in range(n + 1):
        chance = comb(n, c) * judged**c * (1 - judged) ** (n - c)
        rates = {"false_pass": false_pass, "false_fail": false_fail}
        mean += chance * verifier_effect({"p": (n, c)}, k, **rates).corrected
    assert mean == pytest.approx(1 - (1 - p) ** k)


def test_false_passes_make_it_too_high_and_false_failures_too_low():
    high = verifier_effect(COUNTS, 5, false_pass=0.01)
    low = verifier_effect(COUNTS, 5, false_fail=0.1)
    assert high.direction == "too high"
    assert high.corrected < high.measured == low.measured < low.corrected
    assert low.direction == "too low"


def test_with_false_passes_even_a_model_that_is_never_right_reaches_1():
    assert verifier_effect(COUNTS, 20, false_pass=0.3).floor == pytest.approx(1, abs=1e-3)
    assert verifier_effect(COUNTS, 1, false_pass=0.3).floor == pytest.approx(0.3)


def test_without_errors_nothing_changes():
    effect = verifier_effect(COUNTS, 5)
    assert effect.corrected == pytest.approx(effect.measured)
    assert effect.floor == 0


def test_rates_that_cannot_be_are_refused():
    with pytest.raises(UsageError, match="less than 1"):
        verifier_effect(COUNTS, 5, false_pass=0.6, false_fail=0.4)
    with pytest.raises(TooFewDrawsError):
        verifier_effect(COUNTS, 21, false_pass=0.1)


def test_it_says_all_its_numbers():
    effect = verifier_effect(COUNTS, 5, false_pass=0.01)
    assert f"measured {effect.measured:.4f}" in str(effect)
    assert effect.to_json()["corrected"] == effect.corrected
