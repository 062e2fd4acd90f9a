"""What a report says of its own uncertainty: nothing, too little, or the wrong thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan, sqrt
from statistics import NormalDist
from typing import Final

from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.estimates.mean import Counted
from anyofk.linting.fault import Fault
from anyofk.linting.reported import Reported

_NARROW: Final = 0.8  # less than this of the right standard error is too little
_ALIKE: Final = 0.1  # two standard errors that differ by less are taken for the same
_INDEPENDENT: Final = (
    "draws_as_independent",
    "the draws of all problems were taken as independent trials",
    "take the error over the problems: draws of one problem share its difficulty",
)
_THESE: Final = (
    "draws_alone",
    "it covers only the chance of the draws, as if these problems were all that matters",
    "say that the target is this benchmark, or take the error over the problems",
)
_NARROWER: Final = (
    "too_narrow",
    "the counts allow no such precision",
    "take the interval over the problems",
)


def uncertainty_faults(
    reported: Mapping[int, Reported],
    right: Mapping[int, Estimate | RefusedEstimate],
    present: Counted,
    level: float,
) -> Iterator[Fault]:
    """Look for values without an interval, and for intervals that are none."""
    for k, one in reported.items():
        exact = right[k]
        if not one.has_error:
            yield _without(one, exact)
            continue
        yield from _out_of_place(one)
        if isinstance(exact, Estimate):
            yield from _too_narrow(one, exact, present, level)


def _without(one: Reported, right: Estimate | RefusedEstimate) -> Fault:
    known = right if isinstance(right, Estimate) else None
    return Fault(
        what="no_interval",
        weight="incomplete",
        evidence=f"{one.value:.6g} stands without an interval or a standard error",
        hint="report the interval, its level, and whether the problems are a sample",
        k=one.k,
        reported=one.value,
        right=known.value if known else None,
        low=known.low if known else None,
        high=known.high if known else None,
    )


def _out_of_place(one: Reported) -> Iterator[Fault]:
    """Find ends that no chance can have, or that leave the value out."""
    low, high = (one.value if end is None else end for end in (one.low, one.high))
    if min(low, 1 - high) < -one.error_unit:
        yield _interval_fault(
            one,
            "leaves_0_to_1",
            f"the interval [{low:.6g}, {high:.6g}] leaves 0 to 1",
            "take one that holds near 0 and 1, such as kg",
        )
    if not low - one.unit <= one.value <= high + one.unit:
        yield _interval_fault(
            one,
            "value_outside_interval",
            f"{one.value:.6g} lies outside its interval [{low:.6g}, {high:.6g}]",
            "see whether value and interval are of the same k and counts",
        )


def _too_narrow(one: Reported, right: Estimate, present: Counted, level: float) -> Iterator[Fault]:
    se = _se(one, level)
    slack = one.error_unit / 2
    if isnan(right.se) or se + slack >= _NARROW * right.se:
        return
    kind = _kind(se, slack, right, int(present.n.sum()))
    what, done, hint = kind
    evidence = f"a standard error of {se:.3g} where it is {right.se:.3g}: {done}"
    yield _interval_fault(one, what, evidence, hint, right, doubtful=kind is _THESE)


def _kind(se: float, slack: float, right: Estimate, draws: int) -> tuple[str, str, str]:
    """Find the wrong standard error that this one is, or is nearest to."""
    pooled = sqrt(right.value * (1 - right.value) / draws)
    known = [(abs(se - pooled), pooled, _INDEPENDENT)]
    if not isnan(right.sampling_se):
        known.append((abs(se - right.sampling_se), right.sampling_se, _THESE))
    distance, nearest, kind = min(known, key=lambda each: each[0])
    return kind if distance <= _ALIKE * nearest + slack else _NARROWER


def _se(one: Reported, level: float) -> float:
    """Give the standard error, or what one would have made an interval of this width."""
    if one.se is not None or one.low is None or one.high is None:
        return one.se or 0.0
    return (one.high - one.low) / (2 * NormalDist().inv_cdf((1 + level) / 2))


def _interval_fault(
    one: Reported,
    what: str,
    evidence: str,
    hint: str,
    right: Estimate | None = None,
    *,
    doubtful: bool = False,
) -> Fault:
    return Fault(
        what=what,
        weight="doubtful" if doubtful else "wrong",
        evidence=evidence,
        hint=hint,
        k=one.k,
        reported=one.value,
        right=right.value if right else None,
        low=right.low if right else None,
        high=right.high if right else None,
    )
