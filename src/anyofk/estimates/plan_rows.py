"""The ways to spend: rows of a plan for a wanted precision, for a budget, or for neither."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

from anyofk.errors import UsageError
from anyofk.estimates.estimate import Target
from anyofk.estimates.plan_record import PlanRow, Question
from anyofk.stats import (
    Pilot,
    affordable_plans,
    draws_for,
    minimum_detectable_difference,
    problems_for,
    se_for_difference,
    se_for_half_width,
)

MOST_DRAWS: Final = 1 << 12
LEAST_PROBLEMS: Final = 10
"""With fewer, the spread over problems can't be told and a normal quantile is too small."""


@dataclass(frozen=True)
class Costs:
    """What one problem costs, drawing one candidate, and judging one."""

    problem: float
    draw: float
    judging: float

    def __post_init__(self) -> None:
        if min(self.problem, self.draw, self.judging) < 0:
            raise UsageError("a cost must not be negative")

    def of(self, n: int, problems: int, models: int) -> float:
        """Price so many problems with so many draws each of so many models."""
        return problems * (self.problem + models * n * (self.draw + self.judging))


@dataclass(frozen=True)
class Wanted:
    """What is asked of a plan, in the terms of `anyofk.estimates.plan`."""

    pilot: Pilot
    target: Target
    level: float
    power: float
    problems: int | None
    costs: Costs

    @property
    def between(self) -> bool:
        """Whether the spread between problems counts."""
        return self.target == "population"

    @property
    def models(self) -> int:
        """One, or two that are compared."""
        return len(self.pilot.noise)

    def row(self, n: int, problems: int) -> PlanRow:
        """Say what so many draws and problems cost and give."""
        se = self.pilot.standard_error(n, problems, between=self.between)
        z = 1 / se_for_half_width(1.0, level=self.level)
        found = None
        if self.models > 1:
            options = {"level": self.level, "power": self.power}
            found = minimum_detectable_difference(se, **options) if se > 0 else 0.0
        cost = self.costs.of(n, problems, self.models)
        return PlanRow(n, problems, self.models * n * problems, cost, se, z * se, found)


def rows_of(asked: Wanted, question: Question, wanted: float | None) -> list[PlanRow]:
    """List the ways to answer the question, the best first."""
    if question == "precision" or wanted is None:
        problems = asked.problems or asked.pilot.problems
        return [asked.row(n, problems) for n in _ladder(asked.pilot.k, 1 << 10, 2.0)]
    if question == "budget":
        return _affordable(asked, wanted)
    if question == "half_width":
        se = se_for_half_width(wanted, level=asked.level)
    else:
        se = se_for_difference(wanted, level=asked.level, power=asked.power)
    return _cheapest(asked, se)


def _affordable(asked: Wanted, budget: float) -> list[PlanRow]:
    """List what a budget buys; for fixed problems it is the draws alone."""
    costs, models = asked.costs, asked.models
    plans = affordable_plans(
        asked.pilot,
        budget,
        problem_cost=costs.problem,
        draw_cost=models * costs.draw,
        judging_cost=models * costs.judging,
        most_problems=asked.problems or inf,
    )
    rows = [asked.row(each.n, each.problems) for each in plans]
    if not asked.between:
        rows = [row for row in rows if row.problems == asked.problems]
    if not rows:
        raise UsageError(
            f"a budget of {budget:g} does not pay for {asked.pilot.k} draws of each problem",
            hint="spend more, or ask for a smaller k",
        )
    return sorted(rows, key=lambda row: (row.se, row.cost))


def _cheapest(asked: Wanted, se: float) -> list[PlanRow]:
    """List the ways to a standard error, the cheapest first."""
    if not asked.between:
        problems = asked.problems or asked.pilot.problems
        n = draws_for(asked.pilot, se, problems, between=False)
        return [asked.row(n, problems)]
    rows = []
    for n in _ladder(asked.pilot.k, MOST_DRAWS, 17 / 16):
        problems = max(LEAST_PROBLEMS, problems_for(asked.pilot, se, n))
        if problems <= (asked.problems or inf):
            rows.append(asked.row(n, problems))
    if asked.problems is not None:  # all of them, and no more draws than that takes
        rows.append(asked.row(draws_for(asked.pilot, se, asked.problems), asked.problems))
    return sorted(dict.fromkeys(rows), key=lambda row: (row.cost, row.n))


def _ladder(first: int, last: int, factor: float) -> Iterator[int]:
    n = first
    while n <= max(first, last):
        yield n
        n = max(n + 1, int(n * factor))
