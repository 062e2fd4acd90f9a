"""Each reported value against the right one, and against the wrong ways that explain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.estimates.mean import Counted
from anyofk.linting.fault import Fault
from anyofk.linting.reported import Reported
from anyofk.linting.ways import Way, numbers_of
from anyofk.stats import pass_at_k

if TYPE_CHECKING:
    Right = Estimate | RefusedEstimate


def value_faults(
    reported: Mapping[int, Reported], right: Mapping[int, Right], present: Counted
) -> Iterator[Fault]:
    """Say of each value that is not right how it seems to have been computed.

    Of several ways that would explain a value, the one that explains most of the table wins.
    """
    suspects = {k: one for k, one in reported.items() if not _is_right(one, right[k])}
    numbers = {k: numbers_of(present, k) for k in suspects}
    fitting = {
        k: [w for w, x in numbers[k].items() if one.agrees(x)] for k, one in suspects.items()
    }
    explains = Counter(way.what for ways in fitting.values() for way in ways)
    for k, one in suspects.items():
        way = max(fitting[k], key=lambda way: explains[way.what], default=None)
        yield from _of(one, right[k], way, present)


def _fitting(one: Reported, present: Counted) -> list[Way]:
    return [way for way, number in numbers_of(present, one.k).items() if one.agrees(number)]


def _is_right(one: Reported, right: Right) -> bool:
    return isinstance(right, Estimate) and one.agrees(right.value)


def _of(one: Reported, right: Right, way: Way | None, present: Counted) -> Iterator[Fault]:
    if isinstance(right, RefusedEstimate):
        yield from _of_refused(one, right, way, present)
    elif way is not None or not one.agrees(right.value, 1.0):  # cut instead of rounded is no fault
        what = way.what if way else "does_not_fit"
        done = way.done if way else "the counts don't give this number, nor does a known wrong way"
        yield Fault(
            what=what,
            weight="wrong",
            evidence=f"{one.value:.6g} was reported: {done}",
            hint=way.hint if way else "see whether the counts are those of this report",
            k=one.k,
            reported=one.value,
            right=right.value,
            low=right.low,
            high=right.high,
        )


def _of_refused(
    one: Reported, right: RefusedEstimate, way: Way | None, present: Counted
) -> Iterator[Fault]:
    """Name the reason why there is no such number, and how it came about all the same."""
    low, high = right.bounds or (None, None)
    if low is not None and one.agrees(low):
        return  # all that is missing was counted as failed, which the faults of the counts say
    done = _left_out(one, present) or (way.done if way else "")
    yield Fault(
        what=right.reason,
        weight="wrong",
        evidence=f"{one.value:.6g} was reported, but {right.message}{done and f': {done}'}",
        hint=right.hint,
        k=one.k,
        reported=one.value,
        low=low,
        high=high,
    )


def _left_out(one: Reported, present: Counted) -> str:
    """Recognise the mean over what is there, as if there were nothing else."""
    if not present.n.size or (present.n < one.k).any():
        return ""
    number = float(np.mean(pass_at_k(present.n, present.c, one.k)))
    return "what is missing was left out" if one.agrees(number) else ""
