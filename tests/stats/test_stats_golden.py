import json
import math
import random
from fractions import Fraction

import enumeration
import pytest

from anyofk.errors import AnyofkError
from anyofk.testing import golden_functions

VARIANCES = {"variance_given_p", "variance_unbiased", "variance_unbiased_at", "covariance_unbiased"}


def bound(case):
    """Give the units in the last place that a float may be off."""
    if case["fn"] in {"fail_at_k", "pass_hat_k"}:
        return 16 if case["args"]["n"] <= 10**4 else 32
    if case["fn"] == "pass_at_k":
        return 4 if case["args"]["n"] <= 10**4 else 16
    return 64


def test_all_golden_values_hold(shared):
    cases = json.loads((shared / "golden" / "golden.json").read_text())["cases"]
    assert {case["fn"] for case in cases} == set(golden_functions)
    for case in cases:
        function, args = golden_functions[case["fn"]], case["args"]
        if "raises" in case:
            for exact in (False, True):
                with pytest.raises(ValueError, match=r"."):
                    function(**args, exact=exact)
        elif "exact" in case:
            assert function(**args, exact=True) == Fraction(case["exact"]), case["id"]
            off = abs(function(**args) - case["float"]) / math.ulp(case["float"])
            assert off <= bound(case), case["id"]
        else:
            truth = [Fraction(value) for value in case["exact_list"]]
            assert function(**args, exact=True) == truth, case["id"]
            assert function(**args) == pytest.approx(case["float_list"], abs=1e-12), case["id"]


def some_counts(draw):
    n = draw.randint(2, 8)
    return n, draw.randint(0, n), draw.randint(1, n)


def some_rewards(draw):
    return [Fraction(draw.randint(-6, 6), 4) for _ in range(draw.randint(3, 6))]


@pytest.mark.parametrize("seed", range(8))
def test_the_golden_functions_equal_enumeration_on_other_values(seed):
    draw = random.Random(seed)  # noqa: S311 -- repeatable, not secret
    n, c, k = some_counts(draw)
    same = [
        ("pass_at_k", {"n": n, "c": c, "k": k}, enumeration.pass_at_k(n, c, k)),
        ("fail_at_k", {"n": n, "c": c, "k": k}, 1 - enumeration.pass_at_k(n, c, k)),
        ("pass_hat_k", {"n": n, "c": c, "k": k}, enumeration.at_least(n, c, k, k)),
        (
            "g_pass_at_k",
            {"n": n, "c": c, "k": k, "tau": "2/5"},
            enumeration.at_least(n, c, k, max(1, -(-2 * k // 5))),
        ),
        (
            "mg_pass_at_k",
            {"n": n, "c": c, "k": k},
            Fraction(2, k)
            * sum(enumeration.at_least(n, c, k, i) for i in range((k + 1) // 2 + 1, k + 1)),
        ),
    ]
    rewards = some_rewards(draw)
    scores = [draw.randint(0, 2) for _ in rewards]
    size = draw.randint(1, len(rewards) - 1)
    same += [
        ("max_at_k", {"rewards": rewards, "k": size}, enumeration.max_at_k(rewards, size)),
        (
            "best_of_k",
            {"scores": scores, "values": rewards, "k": size},
            enumeration.best_of_k(scores, rewards, size),
        ),
    ]
    for name in ("none", "loo", "loo_minus_one", "mean_centred"):
        truth = enumeration.weights(rewards, size, name)
        same.append((f"weights_{name}", {"rewards": rewards, "k": size}, truth))
    votes = [draw.randint(1, 3) for _ in range(draw.randint(1, 3))]
    correct = [draw.random() < 0.5 for _ in votes]
    few = draw.randint(1, sum(votes) + 1)
    args = {"counts": votes, "correct": correct, "k": few, "abstain": 1}
    same.append(("maj_at_k", args, enumeration.maj_at_k(votes, correct, few, 1)))
    for name, given, truth in same:
        assert golden_functions[name](**given, exact=True) == truth, name
        assert golden_functions[name](**given) == pytest.approx(
            [float(t) for t in truth] if isinstance(truth, list) else float(truth), abs=1e-14
        )


def test_published_curves_come_out(shared):
    data = json.loads((shared / "golden" / "published_counts.json").read_text())
    ks = list(range(1, 129))
    mean = golden_functions["bench_mean"]
    for model in ("base", "rl"):
        curve = mean(n=data["n"], c=data[f"c_{model}"], k=ks)
        assert curve == pytest.approx(data[f"published_{model}"], abs=1e-12)


def test_every_refusal_is_of_our_own_kind():
    with pytest.raises(AnyofkError):
        golden_functions["weights_loo"](rewards=[0, 0, 0, 0], k=4)
