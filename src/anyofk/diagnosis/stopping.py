"""Draws whose number followed what they showed, and what an honest estimate would be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from anyofk.diagnosis.draws import Draws, Evidence
from anyofk.diagnosis.finding import Check
from anyofk.diagnosis.moments import Observed, added, two_sided
from anyofk.stats import pass_at_k_stopped

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST_PROBLEMS: Final = 10
STOPPED: Final = (
    "drawing ended at a success, so that c / n is too high, and pass@k with it; inverse "
    "sampling has an unbiased estimate of its own"
)
GAVE_UP: Final = "drawing ended at a failure, so that c / n is too low, and pass@k with it"
CHOSEN: Final = (
    "where n follows the outcomes (stopping early, dropping failures or timeouts), c / n is "
    "biased; an n fixed in advance, even by difficulty, is no fault"
)


def stopping_checks(evidence: Evidence) -> Iterator[Check]:
    """Ask whether drawing ended because of what it showed."""
    n, c = evidence.n, evidence.c
    if int(n.min()) == int(n.max()):
        return
    if evidence.draws:
        yield from _last_draws(evidence.draws)
    elif int(c.max()) == 1:
        yield _single_passes(evidence)
    yield from _n_and_rate(evidence)


def _last_draws(draws: tuple[Draws, ...]) -> Iterator[Check]:
    """By chance the last draw of a problem passes as often as any other."""
    seen = added(_last(each) for each in draws)
    p_value = two_sided(seen)
    if p_value is None:
        return
    observed = f"the last draw passes in {seen.value:g} problems, by chance {seen.mean:.1f}"
    numbers = {"seen": seen.value, "by_chance": seen.mean}
    if seen.value < seen.mean:
        yield Check("stopping", p_value, observed, GAVE_UP, "too low", numbers)
        return
    numbers |= corrected(draws)
    yield Check("stopping", p_value, observed, STOPPED, "too high", numbers)


def _last(each: Draws) -> Observed:
    n, c = each.passed.size, int(np.count_nonzero(each.passed))
    return Observed(float(each.passed[-1]), c / n, c * (n - c) / n**2)


def corrected(draws: tuple[Draws, ...]) -> Mapping[str, float]:
    """Give pass@1 as it is and as it should be, if every problem stopped at its first success."""
    cap = max(each.passed.size for each in draws)

    def stops(made: int, passes: int) -> bool:
        return passes >= 1 or made == cap

    ends = [(each.passed.size, int(np.count_nonzero(each.passed))) for each in draws]
    kept = all(
        bool(each.passed[-1]) if c == 1 else c == 0 and n == cap
        for each, (n, c) in zip(draws, ends, strict=True)
    )
    if not kept:
        return {}
    honest = sum(pass_at_k_stopped(n, c, 1, stops) for n, c in ends) / len(ends)
    usual = sum(c / n for n, c in ends) / len(ends)
    return {"pass_at_1": usual, "unbiased_pass_at_1": honest}


def _single_passes(evidence: Evidence) -> Check:
    passing = int(np.count_nonzero(evidence.c))
    return Check(
        "stopping",
        None,
        f"n differs and none of {passing} problems that pass has more than one pass; the order "
        "of the draws is not known",
        f"if it ended each, {STOPPED}",
        "too high",
        {"problems": passing},
        forced="cannot tell",
    )


def _n_and_rate(evidence: Evidence) -> Iterator[Check]:
    """Ask whether problems with more draws pass more or less often."""
    rate = evidence.c / evidence.n
    if rate.size < FEWEST_PROBLEMS or np.ptp(rate) == 0:
        return
    r = float(np.corrcoef(_ranks(evidence.n), _ranks(rate))[0, 1])
    seen = Observed(r * (rate.size - 1) ** 0.5 * 10, 0.0, 100.0)  # a z value, on a wider scale
    more = "less" if r < 0 else "more"
    observed = f"problems with more draws pass {more} often (rank correlation {r:+.2f})"
    p_value = two_sided(seen, shape=inf)
    yield Check("n_and_outcomes", p_value, observed, CHOSEN, "either way", {"correlation": r})


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Rank with ties at their mean."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place])
