"""Where two curves cross, with how sure that is, in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from anyofk.comparison.pairing import Pair
from anyofk.stats import Stretch, crossings, difference_band, pass_at_k, stretches

GRID: Final = 64
"""Values of k that are looked at: all up to here, beyond in equal steps of log k."""


class BandPoint(NamedTuple):
    """The difference at one k, and the band that holds for all k."""

    k: int
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Crossing:
    """Which run is better at which k, under one band that holds for all k at once.

    Attributes
    ----------
    name_a, name_b
        The runs.
    first_k, last_k
        The range of k that both runs allow.
    stretches
        Neighbouring k of one verdict, in order: ``a`` or ``b`` is better, or ``undecided``.
    crossings
        Estimates of where the curves cross; without the stretches they say little.
    points
        The difference at each k that was looked at, and the band.
    level
        Of the band.
    """

    name_a: str
    name_b: str
    first_k: int
    last_k: int
    stretches: tuple[Stretch, ...]
    crossings: tuple[float, ...]
    points: tuple[BandPoint, ...]
    level: float

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        listed = {
            "stretches": [each._asdict() for each in self.stretches],
            "crossings": list(self.crossings),
            "points": [each._asdict() for each in self.points],
        }
        return {**asdict(self), **listed, "words": str(self)}

    def __str__(self) -> str:
        if len(self.stretches) == 1:
            verdict = self._verdict(self.stretches[0].better)
            words = f"{verdict} for every k from {self.first_k} to {self.last_k}"
        else:
            words = self._several()
        return f"{words} ({self.level:.0%} band over all k){self._where()}"

    def _verdict(self, better: str) -> str:
        name = {"a": self.name_a, "b": self.name_b}.get(better)
        return f"{name} is better" if name else "undecided"

    def _several(self) -> str:
        decided = [s for s in self.stretches if s.better != "undecided"]
        clauses = [f"{self._verdict(s.better)} {self._range(s)}" for s in decided]
        between = len(decided) == 2 and len(self.stretches) == 3  # noqa: PLR2004 - b, ?, a
        if len(decided) < len(self.stretches):
            clauses.append("undecided between" if between else "undecided elsewhere")
        return ", ".join(clauses)

    def _range(self, stretch: Stretch) -> str:
        if stretch.first_k == stretch.last_k:
            return f"at k = {stretch.first_k}"
        if stretch.first_k == self.first_k:
            return f"up to k = {stretch.last_k}"
        if stretch.last_k == self.last_k:
            return f"from k = {stretch.first_k}"
        return f"from k = {stretch.first_k} to {stretch.last_k}"

    def _where(self) -> str:
        if not self.crossings:
            return ""
        points = " and ".join(f"k = {k:.3g}" for k in self.crossings)
        return f"; the estimates cross near {points}"


def crossing_of(pair: Pair, *, level: float) -> Crossing:
    """Look at all k that both runs allow."""
    ks = grid(1 if pair.a.deterministic or pair.b.deterministic else pair.least_n)
    a, b = (pass_at_k(*counted, list(ks)).T for counted in (pair.counted_a, pair.counted_b))
    band = difference_band(b - a, level=level)
    return Crossing(
        pair.a.name,
        pair.b.name,
        ks[0],
        ks[-1],
        tuple(stretches(ks, band.low, band.high)),
        tuple(crossings(ks, band.value)) if len(ks) > 1 else (),
        tuple(map(BandPoint, ks, *(np.clip(side, -1, 1).tolist() for side in band[:3]))),
        level,
    )


def grid(last: int) -> tuple[int, ...]:
    """Give the k from 1 to the last that are looked at.

    Examples
    --------
    >>> grid(5), len(grid(10_000)) <= 64
    ((1, 2, 3, 4, 5), True)
    """
    if last <= GRID:
        return tuple(range(1, last + 1))
    steps = np.geomspace(1, last, GRID).round().astype(int)
    return tuple(dict.fromkeys(steps.tolist()))
