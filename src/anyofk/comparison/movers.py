"""Which problems make a difference, and whether it comes from the known or from the rare."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from anyofk.comparison.pairing import Pair
from anyofk.estimates.carriers import RATES, places
from anyofk.stats import pass_at_k


@dataclass(frozen=True)
class Mover:
    """A problem whose pass@k differs between two runs.

    Attributes
    ----------
    problem
        Its id.
    n_a, c_a, n_b, c_b
        Its counts.
    difference
        Its pass@k in b less that in a.
    contribution
        What of the mean difference comes from it.
    """

    problem: str
    n_a: int
    c_a: int
    n_b: int
    c_b: int
    difference: float
    contribution: float

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Shift:
    """What problems of one pass rate add to the difference at k = 1 and at k.

    The rate is the mean of both runs': sorting by one run's own counts would make its lucky
    problems look like losses of the other.

    Attributes
    ----------
    rate
        The range of pass rates.
    problems
        How many problems lie in it.
    gain_1, gain_k
        What they add to the mean difference of pass@1 and of pass@k; each column adds up to
        the difference.
    """

    rate: str
    problems: int
    gain_1: float
    gain_k: float

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)


def movers_of(pair: Pair, k: int, most: int) -> list[Mover]:
    """List the problems that move the difference most, the largest first."""
    apart = _apart(pair, k)
    order = np.argsort(-np.abs(apart), kind="stable")[:most]
    (n_a, c_a), (n_b, c_b) = pair.counted_a, pair.counted_b
    return [
        Mover(
            pair.problems[i],
            n_a=int(n_a[i]),
            c_a=int(c_a[i]),
            n_b=int(n_b[i]),
            c_b=int(c_b[i]),
            difference=float(apart[i]),
            contribution=float(apart[i] / apart.size),
        )
        for i in order.tolist()
        if apart[i]
    ]


def shift_of(pair: Pair, k: int) -> list[Shift]:
    """Sort the problems by pass rate, and add up what each range gains at 1 and at k."""
    (n_a, c_a), (n_b, c_b) = pair.counted_a, pair.counted_b
    rate = (c_a / n_a + c_b / n_b) / 2
    place = places(rate)
    one, several = _apart(pair, 1), _apart(pair, k)
    return [
        Shift(
            name,
            int(np.count_nonzero(place == i)),
            float(one[place == i].sum() / one.size),
            float(several[place == i].sum() / one.size),
        )
        for i, name in enumerate(RATES)
        if (place == i).any()
    ]


def _apart(pair: Pair, k: int) -> Any:
    return pass_at_k(*pair.counted_b, k) - pass_at_k(*pair.counted_a, k)
