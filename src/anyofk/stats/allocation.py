"""How to split a budget over problems and draws, and draws over the problems of a benchmark."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets
from anyofk.stats.planning import MOST_DRAWS, Pilot, positive

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Plan(NamedTuple):
    """A number of draws a problem and of problems, what they cost, and how precise they are."""

    n: int
    problems: int
    cost: float
    se: float


def affordable_plans(
    pilot: Pilot,
    budget: float,
    *,
    problem_cost: float = 0.0,
    draw_cost: float = 1.0,
    judging_cost: float = 0.0,
    most_problems: float = inf,
) -> list[Plan]:
    """List what a budget buys, for each n from k upwards; the most precise comes first.

    Parameters
    ----------
    pilot : Pilot
        What a pilot tells.
    budget : float
        What may be spent, in the unit of the costs.
    problem_cost, draw_cost, judging_cost : float
        Of one problem, of drawing one candidate, of judging one.
    most_problems : float
        Problems that exist.

    Returns
    -------
    list of Plan
        Sorted by standard error; equal ones by cost. Empty if two problems are too dear.

    Examples
    --------
    >>> from anyofk.stats import pilot_of_run
    >>> pilot = pilot_of_run([20] * 10, range(0, 20, 2), 1)
    >>> affordable_plans(pilot, 1000)[0].n
    1
    >>> affordable_plans(pilot, 1000, problem_cost=20)[0].n
    7
    """
    plans = []
    n = pilot.k
    while n <= MOST_DRAWS:
        each = problem_cost + n * (draw_cost + judging_cost)
        problems = int(min(positive(budget, "the budget") // each, most_problems))
        if problems < 2:  # noqa: PLR2004 -- no spread with fewer
            break
        plans.append(Plan(n, problems, problems * each, pilot.standard_error(n, problems)))
        n += max(1, n // 16)  # in steps of 6 %: the optimum is flat
    return sorted(plans, key=lambda plan: (plan.se, plan.cost))


def neyman_allocation(
    p: ArrayLike, k: int, draws: int, *, least: Literal["k", "2k"] = "k"
) -> list[int]:
    """Split draws over the problems of a fixed benchmark for the smallest sampling variance.

    In proportion to ``sqrt(p q**(2k - 1))``, and each at least k (or 2k, so that the variance
    can be estimated). The chances must come from an *independent* pilot: n that follow what
    was drawn bias the estimates.

    Parameters
    ----------
    p : array_like, shape (M,)
        Chances that a draw passes.
    k : int
        Attempts allowed.
    draws : int
        To split.

    Returns
    -------
    list of int
        The n of each problem, adding up to ``draws``.

    Examples
    --------
    >>> neyman_allocation([0.0, 0.2, 0.5, 1.0], 2, 40)
    [2, 20, 16, 2]
    """
    chances = np.asarray(p, dtype=np.float64)
    floor = int(budgets(k)) * (1 if least == "k" else 2)
    if chances.ndim != 1 or not np.all((chances >= 0) & (chances <= 1)):
        raise UsageError("p must be a list of chances in [0, 1]")
    spare = draws - floor * chances.size
    if spare < 0:
        raise UsageError(f"{draws} draws are fewer than {floor} for each of {chances.size}")
    wanted = np.sqrt(chances * (1 - chances) ** (2 * k - 1))
    shares = wanted / wanted.sum() if wanted.sum() else np.full(chances.size, 1 / chances.size)
    return [int(size) for size in _filled(shares * draws, floor, draws)]


def _filled(wanted: NDArray[np.float64], floor: int, draws: int) -> NDArray[np.int64]:
    """Raise what lies below the floor, shrink the rest to fit, and round to whole draws."""
    low = wanted < floor
    while True:
        rest = draws - floor * np.count_nonzero(low)
        total = wanted[~low].sum()
        scaled = np.where(low, floor, wanted * (rest / total if total else 1.0))
        newly = ~low & (scaled < floor)
        if not newly.any():
            break
        low |= newly
    whole = np.floor(scaled).astype(np.int64)
    missing = int(draws - whole.sum())
    whole[np.argsort(whole - scaled, kind="stable")[:missing]] += 1
    return whole
