"""Plan: how many problems and draws a wanted precision takes, judged by a pilot's counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from anyofk.errors import UsageError
from anyofk.estimates.estimate import Target
from anyofk.estimates.evaluate import attempts
from anyofk.estimates.mean import Counted
from anyofk.estimates.plan_record import Question, SamplePlan
from anyofk.estimates.plan_rows import Costs, Wanted, rows_of
from anyofk.estimates.reading import read_counts
from anyofk.estimates.refusal import refusal
from anyofk.records import Counts
from anyofk.stats import (
    Pilot,
    benchmark_mean,
    neyman_allocation,
    pilot_of_pair,
    pilot_of_run,
)

FEW_PROBLEMS: Final = 30
FEW_PASSES: Final = 20.0


def plan(
    pilot: Any,
    k: int,
    *,
    against: Any = None,
    half_width: float | None = None,
    difference: float | None = None,
    budget: float | None = None,
    correlation: float | None = None,
    target: Target = "population",
    level: float = 0.95,
    power: float = 0.8,
    problems: int | None = None,
    problem_cost: float = 0.0,
    draw_cost: float = 1.0,
    judging_cost: float = 0.0,
) -> SamplePlan:
    """Say how many problems and draws a wanted precision takes, and at what cost.

    The pilot's noise is taken apart, without bias, into what is between problems and what
    more draws would lower; each n is then priced. It assumes that what will be drawn is like
    the pilot.

    Parameters
    ----------
    pilot
        Counts as `evaluate` takes them, each n at least 2k.
    k : int
        Attempts allowed.
    against
        Counts of a second model on the same problems, to plan a comparison.
    half_width, difference, budget : float
        One of: the half width wanted of the interval; the true difference that a comparison
        should find; what may be spent. Without any, the precision of more draws is listed.
    correlation : float
        To plan a comparison from one pilot: how the two models' true pass@k correlate over
        problems (.8 to .95 for relatives).
    target
        Whether the problems are a sample, or all that matters; then only draws help.
    level, power : float
        Of the interval, and the chance of finding the difference.
    problems : int
        Problems that there are at most. Default: any number for the population, those of
        the pilot for the benchmark.
    problem_cost, draw_cost, judging_cost : float
        Of one problem, of drawing one candidate, of judging one.

    Returns
    -------
    SamplePlan

    Raises
    ------
    TooFewDrawsError
        The pilot has n < 2k somewhere: its noise cannot be estimated.
    UsageError
        What is wanted cannot be reached, or more than one thing is asked for.

    Examples
    --------
    >>> counts = {f"p{i}": (20, i) for i in range(21)}
    >>> found = plan(counts, 1, half_width=0.05, problem_cost=10)
    >>> found.n, found.problems
    (4, 200)
    >>> plan(counts, 1, half_width=0.05, problems=160).problems
    159
    """
    question, wanted = _question(half_width, difference, budget)
    if question == "difference" and against is None and correlation is None:
        raise UsageError(
            "a difference needs two models",
            hint="give the counts of a second one (against), or the correlation to expect",
        )
    learned, value = _pilot(pilot, against, attempts(k), correlation)
    if target == "benchmark" and problems is None:
        problems = learned.problems
    costs = Costs(problem_cost, draw_cost, judging_cost)
    asked = Wanted(learned, target, level, power, problems, costs)
    return _answered(asked, question, wanted, value)


def _answered(asked: Wanted, question: Question, wanted: float | None, value: float) -> SamplePlan:
    rows = tuple(rows_of(asked, question, wanted))
    learned = asked.pilot
    return SamplePlan(
        k=learned.k,
        target=asked.target,
        level=asked.level,
        power=asked.power,
        question=question,
        wanted=wanted,
        rows=rows,
        pilot_problems=learned.problems,
        between=learned.between,
        sampling=learned.sampling(rows[0].n),
        warnings=tuple(_warnings(learned, value, rows[0].problems)),
    )


def _question(
    half_width: float | None, difference: float | None, budget: float | None
) -> tuple[Question, float | None]:
    asked: dict[Question, float | None] = {
        "half_width": half_width,
        "difference": difference,
        "budget": budget,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) > 1:
        raise UsageError(
            f"{' and '.join(given)} are asked for at once",
            hint="ask for one; the rows tell the others",
        )
    return next(iter(given.items()), ("precision", None))


def _pilot(
    pilot: Any, against: Any, ks: tuple[int, ...], correlation: float | None
) -> tuple[Pilot, float]:
    """Learn from one pilot or from two; give also the value of pass@k."""
    (k,) = ks
    read = _read(pilot, k)
    counted = Counted.of(list(read.values()))
    value = float(benchmark_mean(counted.n, counted.c, k))
    if against is not None:
        other = _read(against, k)
        if read.keys() != other.keys():
            raise UsageError("the two pilots have different problems")
        second = Counted.of([other[problem] for problem in read])
        return pilot_of_pair((counted.n, counted.c), (second.n, second.c), k), value
    learned = pilot_of_run(counted.n, counted.c, k)
    if correlation is None:
        return learned, value
    if not -1 <= correlation <= 1:
        raise UsageError(f"a correlation must lie in [-1, 1], got {correlation}")
    apart = 2 * learned.between * (1 - correlation)
    return replace(learned, between=apart, noise=learned.noise * 2), value


def _read(counts: Any, k: int) -> Mapping[str, Counts]:
    read = read_counts(counts)
    if refused := refusal(read, k):
        raise refused.error
    return {row.problem: row for row in read}


def _warnings(pilot: Pilot, value: float, problems: int) -> Iterator[str]:
    if pilot.between == 0:
        yield (
            "the pilot shows no spread between problems beyond the noise of the draws: a plan "
            "with fewer problems than the pilot has rests on nothing"
        )
    if pilot.problems < FEW_PROBLEMS:
        yield f"the pilot has only {pilot.problems} problems: its noise is itself uncertain"
    if problems * min(value, 1 - value) < FEW_PASSES:
        yield "near 0 and 1 the interval is wider than planned here"


def allocate(pilot: Any, k: int, draws: int) -> dict[str, int]:
    """Split draws over the problems of a fixed benchmark for the smallest sampling noise.

    In proportion to ``sqrt(p q**(2k - 1))``, each at least 2k, so that the noise can be
    estimated (Neyman's allocation). p is the pilot's, drawn a little towards 1/2 so that no
    problem counts as settled.

    Parameters
    ----------
    pilot
        Counts of an *independent* pilot: its draws must not be used again, since an n that
        follows what was drawn biases the estimates.
    k : int
        Attempts allowed.
    draws : int
        Draws to split, at least 2k for each problem.

    Returns
    -------
    dict
        The n of each problem.

    Examples
    --------
    >>> allocate({"sure": (10, 10), "open": (10, 4), "rare": (10, 1)}, 2, 60)
    {'sure': 4, 'open': 28, 'rare': 28}
    """
    read = read_counts(pilot)
    if refused := refusal(read, 1):
        raise refused.error
    chances = [(row.c + 0.5) / (row.n + 1) for row in read]
    (budget,) = attempts(k)
    split = neyman_allocation(chances, budget, draws, least="2k")
    return dict(zip((row.problem for row in read), split, strict=True))
