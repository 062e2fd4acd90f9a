import json

import numpy as np
import pytest

from anyofk import evaluate
from anyofk.comparison import compare
from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.estimates import allocate, plan

PILOT = {f"p{i}": (20, i % 18) for i in range(72)}
OTHER = {f"p{i}": (20, min(20, i % 18 + i % 3)) for i in range(72)}


def test_the_published_counts_need_as_many_problems_as_is_known(shared):
    text = (shared / "golden" / "published_counts.json").read_text(encoding="utf-8")
    data = json.loads(text)
    base, trained = (
        {p: (128, c) for p, c in zip(data["id"], data[key], strict=True)}
        for key in ("c_base", "c_rl")
    )
    found = plan(base, 8, against=trained, difference=0.02)
    needed = {row.n: row.problems for row in found.rows}
    assert {n: needed[n] for n in (8, 16)} == {8: 1273, 16: 637}
    listed = {row.n: row for row in plan(base, 8, against=trained).rows}
    for n, known in {8: 0.0219, 16: 0.0155, 32: 0.0125, 128: 0.0101}.items():
        assert listed[n].detectable_difference == pytest.approx(known, abs=5e-5)


def test_the_precision_of_the_pilot_itself_is_what_evaluate_says():
    row = next(row for row in plan(PILOT, 2).rows if row.n == 16)
    assert row.problems == 72
    assert row.se == pytest.approx(evaluate(PILOT, 2)[2].se, rel=0.02)


def test_the_precision_of_a_comparison_is_what_compare_says():
    rng = np.random.default_rng(8)
    p = rng.beta(1, 1, 300)
    a, b = (
        {f"p{i}": (16, int(c)) for i, c in enumerate(rng.binomial(16, chance))}
        for chance in (p, np.clip(p + rng.normal(0, 0.1, 300), 0, 1))
    )
    row = next(row for row in plan(a, 2, against=b).rows if row.n == 16)
    found = compare(a, b, 2)[2]
    assert row.se == pytest.approx(found.se, rel=1e-9)
    assert row.detectable_difference == pytest.approx(found.detectable_difference, rel=1e-9)


def test_the_cheapest_way_comes_first_and_every_way_is_precise_enough():
    found = plan(PILOT, 2, half_width=0.06, problem_cost=30, judging_cost=0.5)
    costs = [row.cost for row in found.rows]
    assert costs == sorted(costs)
    assert all(row.half_width <= 0.06 + 1e-9 for row in found.rows)
    assert found.best.cost == found.problems * (30 + found.n * 1.5)


def test_dear_problems_are_given_more_draws():
    cheap = plan(PILOT, 2, half_width=0.06)
    dear = plan(PILOT, 2, half_width=0.06, problem_cost=100)
    assert cheap.n == 2
    assert dear.n > cheap.n
    assert dear.problems < cheap.problems


def test_a_budget_is_kept_and_buys_the_most_precise_first():
    found = plan(PILOT, 2, budget=3000, problem_cost=10)
    assert all(row.cost <= 3000 for row in found.rows)
    errors = [row.se for row in found.rows]
    assert errors == sorted(errors)
    assert plan(PILOT, 2, budget=30_000, problem_cost=10).best.se < found.best.se


def test_a_fixed_benchmark_is_helped_by_draws_alone():
    found = plan(PILOT, 2, half_width=0.02, target="benchmark")
    assert found.problems == 72
    assert len(found.rows) == 1
    paid = plan(PILOT, 2, budget=72 * 30, target="benchmark")
    assert {row.problems for row in paid.rows} == {72}
    assert paid.n == 30


def test_what_cannot_be_reached_is_refused_with_what_would_do():
    with pytest.raises(UsageError, match="72 problems can't reach") as caught:
        plan(PILOT, 2, half_width=0.01, problems=72)
    assert "take more problems" in caught.value.hint
    with pytest.raises(UsageError, match="does not pay for 2 draws"):
        plan(PILOT, 2, budget=10, target="benchmark")


def test_a_difference_needs_two_pilots_or_a_stated_correlation():
    with pytest.raises(UsageError, match="a difference needs two models"):
        plan(PILOT, 2, difference=0.05)
    close, far = (plan(PILOT, 2, difference=0.05, correlation=r) for r in (0.95, 0.5))
    assert close.best.cost < far.best.cost
    assert close.best.candidates == 2 * close.n * close.problems


def test_two_wishes_at_once_or_a_thin_pilot_are_refused():
    with pytest.raises(UsageError, match="half_width and budget"):
        plan(PILOT, 2, half_width=0.05, budget=100)
    with pytest.raises(TooFewDrawsError, match="pass@11 needs at least 22 draws"):
        plan(PILOT, 11, half_width=0.05)
    with pytest.raises(UsageError, match="different problems"):
        plan(PILOT, 2, against={"p0": (20, 1), "q": (20, 2)})


def test_a_small_pilot_and_a_mean_near_0_are_warned_of():
    found = plan({f"p{i}": (20, int(i == 0)) for i in range(12)}, 1, half_width=0.05)
    assert any("only 12 problems" in warning for warning in found.warnings)
    assert any("wider than planned" in warning for warning in found.warnings)
    assert plan(PILOT, 2, half_width=0.05).warnings == ()


def test_more_draws_narrow_the_interval_as_planned():
    rng = np.random.default_rng(6)
    p = rng.beta(0.5, 0.8, 400)
    pilot, later = (
        {f"p{i}": (n, int(c)) for i, c in enumerate(rng.binomial(n, p))} for n in (8, 30)
    )
    said = next(row for row in plan(pilot, 4, problems=400).rows if row.n == 32).se
    assert evaluate(later, 4)[4].se == pytest.approx(said, rel=0.08)


def test_a_plan_prints_and_writes_its_attributes():
    found = plan(PILOT, 2, against=OTHER, difference=0.05)
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert written["rows"][0]["problems"] == found.problems
    assert written["between"] == found.between
    assert "difference 0.05 found with 80%" in str(found)
    assert found._repr_html_().count("<tr>") == 1 + min(12, len(found.rows))


def test_draws_are_given_to_problems_that_are_rarely_solved():
    split = allocate(PILOT, 4, 4000)
    assert sum(split.values()) == 4000
    assert min(split.values()) >= 8
    rate = {problem: c / n for problem, (n, c) in PILOT.items()}
    assert split["p2"] > split["p12"] > 0
    assert rate["p2"] < rate["p12"]
    with pytest.raises(UsageError, match="fewer than"):
        allocate(PILOT, 4, 100)
