import json

import numpy as np
import pytest

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats import (
    affordable_plans,
    between_variance,
    draws_for,
    minimum_detectable_difference,
    neyman_allocation,
    pilot_of_pair,
    pilot_of_run,
    population_variance,
    problems_for,
    sampling_variance,
    se_for_difference,
    se_for_half_width,
    variance_given_p,
    variance_unbiased_at,
)

N, C = [20] * 12, [0, 0, 1, 2, 4, 6, 9, 12, 15, 18, 20, 20]


def test_the_pilot_predicts_its_own_errors():
    for k in (1, 4, 10):
        pilot = pilot_of_run(N, C, k)
        assert pilot.standard_error(20, 12, between=False) ** 2 == pytest.approx(
            sampling_variance(N, C, k)
        )
        if between_variance(N, C, k) > 0:
            assert pilot.standard_error(20, 12) ** 2 == pytest.approx(population_variance(N, C, k))
        each = [variance_unbiased_at(n, c, k, 77) for n, c in zip(N, C, strict=True)]
        assert pilot.sampling(77) == pytest.approx(np.mean(each))


def test_real_counts_plan_as_known(shared):
    data = json.loads((shared / "golden" / "published_counts.json").read_text())
    n = [data["n"]] * len(data["c_base"])
    pilot = pilot_of_pair((n, data["c_base"]), (n, data["c_rl"]), 8)
    for draws, (detectable, problems) in {
        8: (0.0219, 1273),
        16: (0.0155, 637),
        32: (0.0125, 416),
        128: (0.0101, 273),
    }.items():
        se = pilot.standard_error(draws, 1060)
        assert minimum_detectable_difference(se) == pytest.approx(detectable, abs=5e-5)
        assert problems_for(pilot, se_for_difference(0.02), draws) == problems


def test_the_number_found_is_the_least_that_will_do():
    pilot = pilot_of_run(N, C, 2)
    n = draws_for(pilot, 0.08, 25)
    assert pilot.standard_error(n, 25) <= 0.08 < pilot.standard_error(n - 1, 25)
    m = problems_for(pilot, 0.05, 10)
    assert pilot.standard_error(10, m) <= 0.05 < pilot.standard_error(10, m - 1)
    fixed = draws_for(pilot, 0.01, 25, between=False)
    assert pilot.standard_error(fixed, 25, between=False) <= 0.01


def test_endless_draws_cannot_replace_problems():
    with pytest.raises(UsageError, match="can't reach") as caught:
        draws_for(pilot_of_run(N, C, 2), 0.02, 25)
    assert "take more problems" in caught.value.hint


def test_a_budget_goes_to_problems_unless_they_cost():
    pilot = pilot_of_run(N, C, 2)
    free = affordable_plans(pilot, 2000)
    dear = affordable_plans(pilot, 2000, problem_cost=30, judging_cost=0.5)
    assert free[0].n == 2
    assert dear[0].n > free[0].n
    assert all(plan.cost <= 2000 for plan in free + dear)
    assert [p.se for p in dear] == sorted(p.se for p in dear)
    few = affordable_plans(pilot, 2000, most_problems=12)
    assert few[0].problems == 12
    assert few[0].n > 100
    assert affordable_plans(pilot, 3, problem_cost=30) == []


def test_neyman_allocation_is_close_to_the_best_split_and_beats_the_even_one():
    p, k, draws = [0.1, 0.5, 0.9], 2, 24
    sizes = neyman_allocation(p, k, draws)
    assert sum(sizes) == draws

    def total(split):
        return sum(variance_given_p(n, k, chance) for n, chance in zip(split, p, strict=True))

    splits = [(a, b, draws - a - b) for a in range(2, 21) for b in range(2, 23 - a)]
    best = min(total(s) for s in splits)
    assert total(sizes) <= 1.1 * best < total([8, 8, 8])


def test_neyman_allocation_fills_the_floors():
    assert neyman_allocation([0.0, 1.0], 3, 10) == [5, 5]
    assert min(neyman_allocation([0.0, 0.5, 1.0], 2, 30, least="2k")) == 4
    with pytest.raises(UsageError, match="fewer than"):
        neyman_allocation([0.1, 0.2], 5, 9)
    with pytest.raises(UsageError, match="chances"):
        neyman_allocation([1.2], 1, 9)


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(
        TooFewDrawsError, match="pass@11 needs at least 22 draws of each problem, but 12 of 12"
    ):
        pilot_of_run(N, C, 11)
    pilot = pilot_of_run(N, C, 4)
    with pytest.raises(UsageError, match="needs n of at least 4"):
        pilot.sampling(3)
    for call in (se_for_difference, se_for_half_width, minimum_detectable_difference):
        with pytest.raises(UsageError, match="must be positive"):
            call(0.0)
    with pytest.raises(UsageError, match="power"):
        se_for_difference(0.1, power=1.0)
