"""Why pass@1 and pass@k disagree: which problems carry each, and which could move it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from anyofk.estimates.evaluate import attempts
from anyofk.estimates.figures import axes_of, draw_shares
from anyofk.estimates.mean import Counted
from anyofk.estimates.pictures import svg_bars
from anyofk.estimates.reading import read_counts
from anyofk.estimates.refusal import refusal
from anyofk.stats import carried_shares, gradient_weight, pass_at_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EDGES: Final = (0.0, 0.02, 0.1, 0.3, 0.7, 1.0)
RATES: Final = (
    "never passes",
    "rare: up to 2 %",
    "hard: 2 to 10 %",
    "open: 10 to 30 %",
    "known: 30 to 70 %",
    "sure: 70 to 100 %",
    "always passes",
)
"""How often a draw passes, in words."""


def places(rate: NDArray[np.float64]) -> NDArray[np.intp]:
    """Give for each pass rate its place among `RATES`."""
    return np.where(rate == 1, len(_EDGES), np.searchsorted(_EDGES, rate))


@dataclass(frozen=True)
class ProblemWeight:
    """What one problem has to do with pass@k.

    Attributes
    ----------
    problem, n, c
        Whose, and its counts.
    pass_1, pass_k
        Its pass@1 and its pass@k.
    share_1, share_k
        Its share of the mean pass@1 and of the mean pass@k.
    weight
        How fast its pass@k rises with the chance of a draw: ``k (1 - p)**(k - 1)``, unbiased.
        Above 1, progress here counts more for pass@k than for pass@1.
    """

    problem: str
    n: int
    c: int
    pass_1: float
    pass_k: float
    share_1: float
    share_k: float
    weight: float


@dataclass(frozen=True)
class RateClass:
    """The problems of one range of pass rates together.

    Attributes
    ----------
    rate
        The range.
    problems
        How many problems lie in it.
    share_1, share_k
        Their share of the mean pass@1 and of the mean pass@k.
    weight
        Their mean weight.
    """

    rate: str
    problems: int
    share_1: float
    share_k: float
    weight: float


@dataclass(frozen=True)
class Carriers:
    """Which problems carry pass@1 and pass@k, one by one and by how often a draw passes.

    Attributes
    ----------
    k
        Attempts allowed.
    classes
        Ranges of pass rates, from never to always.
    problems
        Every problem; first those that carry more of pass@k than of pass@1, of equal ones
        those of the largest weight.
    """

    k: int
    classes: tuple[RateClass, ...]
    problems: tuple[ProblemWeight, ...]

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)

    def svg(self, width: int = 640) -> str:
        """Draw what each range of pass rates adds to pass@1 and to pass@k, as one SVG picture."""
        bars = [(f"{c.rate} ({c.problems})", c.share_1, c.share_k) for c in self.classes]
        names = ("pass@1", f"pass@{self.k}")
        return svg_bars(bars, names, width, f"which problems carry pass@1 and pass@{self.k}")

    def plot(self, ax: Any = None) -> Any:
        """Draw the same with matplotlib (the extra ``plot``); see `Curve.plot`."""
        return draw_shares(axes_of(ax), self.classes, self.k)

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        head = f"{'a draw':<20}problems  of pass@1  of pass@{self.k:<6}weight"
        rows = (
            f"{each.rate:<20}{each.problems:>8}{each.share_1:>11.1%}{each.share_k:>12.1%}"
            f"{each.weight:>9.2f}"
            for each in self.classes
        )
        return "\n".join([head, *rows])


def carriers(counts: Any, k: int) -> Carriers:
    """Say which problems carry pass@k, which carry pass@1, and which could move pass@k.

    Parameters
    ----------
    counts
        As in `evaluate`.
    k : int
        Attempts allowed.

    Returns
    -------
    Carriers

    Raises
    ------
    TooFewDrawsError
        Some problem has n < k.

    Examples
    --------
    >>> found = carriers({"rare": (10, 1), "sure": (10, 10), "never": (10, 0)}, 5)
    >>> [(each.problem, round(each.share_k, 2)) for each in found.problems]
    [('rare', 0.33), ('never', 0.0), ('sure', 0.67)]
    >>> [round(each.weight, 1) for each in found.problems]
    [3.0, 5.0, 0.0]
    """
    (budget,) = attempts(k)
    read = read_counts(counts)
    if refused := refusal(read, budget):
        raise refused.error
    counted = Counted.of(read)
    rows = _weighed([each.problem for each in read], counted, budget)
    place = places(counted.c / counted.n)
    classes = tuple(
        _class(name, [row for row, at in zip(rows, place.tolist(), strict=True) if at == i])
        for i, name in enumerate(RATES)
        if (place == i).any()
    )
    rows.sort(key=lambda row: (row.share_1 - row.share_k, -row.weight))
    return Carriers(budget, classes, tuple(rows))


def _weighed(problems: list[str], counted: Counted, k: int) -> list[ProblemWeight]:
    n, c = counted.n, counted.c
    columns = (
        pass_at_k(n, c, 1),
        pass_at_k(n, c, k),
        carried_shares(n, c, 1),
        carried_shares(n, c, k),
        gradient_weight(n, c, k),
    )
    listed = (np.atleast_1d(column).tolist() for column in (n, c, *columns))
    return [ProblemWeight(*row) for row in zip(problems, *listed, strict=True)]


def _class(name: str, rows: list[ProblemWeight]) -> RateClass:
    return RateClass(
        name,
        len(rows),
        sum(row.share_1 for row in rows),
        sum(row.share_k for row in rows),
        sum(row.weight for row in rows) / len(rows),
    )
