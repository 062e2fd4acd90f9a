"""The curve of pass@k over k, with a band that holds for all of it at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from anyofk.errors import UsageError
from anyofk.estimates.estimate import Caution, Estimate, Target
from anyofk.estimates.evaluate import attempts
from anyofk.estimates.figures import axes_of, draw_band
from anyofk.estimates.mean import Counted, estimate_mean
from anyofk.estimates.plots import svg_plot, text_plot
from anyofk.estimates.reading import Clusters, read_counts
from anyofk.estimates.refusal import refusal, refused_as_identical
from anyofk.stats import benchmark_interval, curve_band, pass_at_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Of = Literal["any", "all"]
QUANTITIES: Final[dict[Of, str]] = {
    "any": "pass@k: at least one of k attempts passes",
    "all": "pass^k: all of k attempts pass",
}
EVERY: Final = 256
"""All k up to here are points of the curve, beyond they come in equal steps of log k."""


@dataclass(frozen=True)
class CurvePoint:
    """One point of a curve.

    Attributes
    ----------
    k, value, se
        Attempts allowed, the estimate, and its standard error towards the target.
    low, high
        The band at this k; it holds at all points of the curve at once.
    """

    k: int
    value: float
    se: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"k = {self.k}: {self.value:.4f}  [{self.low:.4f}, {self.high:.4f}]"


class Curve(Mapping[int, CurvePoint]):
    """A mapping from each k to its point, with a simultaneous band. Made by `curve`.

    Attributes
    ----------
    of, quantity
        ``any`` or ``all`` of k attempts, and the name of that quantity.
    level, target, method
        The confidence level of the whole band, its target, and how it was made.
    problems, n_min, n_max
        The number of problems, and their smallest and largest n.
    """

    def __init__(self, points: Iterable[CurvePoint], first: Estimate, of: Of) -> None:
        self._points = {point.k: point for point in points}
        self.of, self.quantity = of, QUANTITIES[of]
        self._cautions = first.cautions
        self.level, self.target = first.level, first.target
        self.method = f"bonferroni-{first.method}"
        self.problems, self.n_min, self.n_max = first.problems, first.n_min, first.n_max

    def __getitem__(self, k: int) -> CurvePoint:
        return self._points[k]

    def __iter__(self) -> Iterator[int]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What ``warnings`` says, with the type of each warning."""
        return self._cautions

    @property
    def warnings(self) -> tuple[str, ...]:
        """What one should know before quoting the curve, one sentence each."""
        return tuple(caution.text for caution in self._cautions)

    def shown(self) -> list[CurvePoint]:
        """Choose the points that a table shows: all if they are few, else 1, 2, 5, 10, ..."""
        few = 12
        if len(self) <= few:
            return list(self.values())
        steps = {digit * 10**power for power in range(10) for digit in (1, 2, 5)}
        return [point for k, point in self.items() if k in steps or k == max(self)]

    def text_plot(self, width: int = 72, height: int = 16, *, ascii_only: bool = False) -> str:
        """Draw the curve and its band with characters; k runs in equal steps of log k."""
        return text_plot(self._rows(), width, height, ascii_only=ascii_only)

    def svg(self, width: int = 640, height: int = 360) -> str:
        """Draw the curve and its band as one SVG picture that needs nothing else."""
        return svg_plot(self._rows(), width, height, self._caption())

    def plot(self, ax: Any = None, *, label: str = "") -> Any:
        """Draw the curve and its band with matplotlib (the extra ``plot``).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default. Give the same ones to draw several curves.
        label : str
            What a legend calls it.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        UnavailableError
            matplotlib is not installed.
        """
        return draw_band(axes_of(ax), self._rows(), self._caption(), label or self.quantity)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data; a nan becomes null."""
        facts = ("of", "quantity", "level", "target", "method", "problems", "n_min", "n_max")
        points = {
            str(k): {name: None if isnan(x) else x for name, x in asdict(point).items()}
            for k, point in self.items()
        }
        return {
            **{name: getattr(self, name) for name in facts},
            "points": points,
            "warnings": list(self.warnings),
        }

    def _rows(self) -> list[tuple[int, float, float, float]]:
        return [(point.k, point.value, point.low, point.high) for point in self.values()]

    def _caption(self) -> str:
        n = str(self.n_min) if self.n_min == self.n_max else f"{self.n_min} to {self.n_max}"
        return (
            f"{self.quantity}; {self.problems} problems, n = {n}; "
            f"{self.level:.0%} band for all k at once ({self.method}), target {self.target}"
        )

    def __str__(self) -> str:
        lines = [*map(str, self.shown()), self._caption()]
        return "\n".join([*lines, *(f"note: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.svg()


def curve(
    counts: Any,
    k: int | Iterable[int] | None = None,
    *,
    of: Of = "any",
    target: Target = "population",
    level: float = 0.95,
    cluster: Clusters = None,
) -> Curve:
    """Estimate pass@k for many k, with one band that holds for all of them at once.

    The band is made of intervals that hold near 0 and 1, each at the level that Bonferroni's
    inequality asks for, and then tightened: since pass@k never falls with k, a lower limit
    holds for all larger k, and an upper limit for all smaller.

    Parameters
    ----------
    counts
        As in `evaluate`.
    k : iterable of int, optional
        Attempts allowed; 1 is always added. By default all k up to the smallest n (beyond
        256 in equal steps of log k).
    of : {"any", "all"}
        ``any`` for pass@k; ``all`` for pass^k, the chance that all k attempts pass, which
        falls with k as pass@k rises.
    target, cluster
        As in `evaluate`.
    level : float
        The chance that the whole band holds.

    Returns
    -------
    Curve
        A mapping from each k, ascending, to its `CurvePoint`.

    Raises
    ------
    TooFewDrawsError
        Some problem has fewer draws than the largest k.

    Warns
    -----
    UnequalDrawsWarning, FewProblemsWarning
        As `evaluate`.

    Examples
    --------
    >>> found = curve({f"p{i}": (8, i) for i in range(9)})
    >>> list(found) == list(range(1, 9)), found[1].value, round(found[8].value, 4)
    (True, 0.5, 0.8889)
    """
    read = read_counts(counts, cluster)
    identical = _deterministic(getattr(counts, "manifest", None))
    least = min((row.n for row in read), default=0)
    ks = _grid(1 if identical else least) if k is None else tuple(sorted({1, *attempts(k)}))
    refused = refusal(read, ks[-1])
    if refused is None and identical and ks[-1] > 1:
        refused = refused_as_identical(ks[-1])
    if refused:
        raise refused.error
    if of not in QUANTITIES:
        raise UsageError(f"of must be 'any' or 'all', not {of!r}")
    found = _drawn(Counted.of(read), ks, of=of, target=target, level=level)
    for caution in found.cautions:
        warnings.warn(caution.text, caution.category, stacklevel=2)
    return found


def _drawn(counted: Counted, ks: tuple[int, ...], *, of: Of, target: Target, level: float) -> Curve:
    """All of k pass unless any of k fails: pass^k is one less pass@k of the failures."""
    if of == "all":
        counted = replace(counted, c=counted.n - counted.c)
    options: dict[str, Any] = {"target": target, "level": level, "interval": "auto"}
    estimates = [estimate_mean(counted, k, **options) for k in ks]
    low, high = _band(counted, ks, target, level)
    points = [
        CurvePoint(estimate.k, estimate.value, estimate.se, a, b)
        for estimate, a, b in zip(estimates, low.tolist(), high.tolist(), strict=True)
    ]
    return Curve(map(_turned, points) if of == "all" else points, estimates[0], of)


def _turned(point: CurvePoint) -> CurvePoint:
    return replace(point, value=1 - point.value, low=1 - point.high, high=1 - point.low)


def _band(
    counted: Counted, ks: tuple[int, ...], target: Target, level: float
) -> tuple[Floats, Floats]:
    """Give the band, tightened by what is known of every such curve: it never falls."""
    if target == "benchmark":
        each = 1 - (1 - level) / len(ks)
        ends = [benchmark_interval(counted.n, counted.c, k, level=each)[:2] for k in ks]
        low, high = (np.array(side, dtype=np.float64) for side in zip(*ends, strict=True))
    else:
        if counted.n.size < 2:  # noqa: PLR2004 - a spread needs two
            raise UsageError("a band for the population needs two problems or more")
        values = pass_at_k(counted.n, counted.c, list(ks)).T
        low, high, _ = curve_band(values, level=level, cluster=counted.cluster)
    return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


def _grid(last: int) -> tuple[int, ...]:
    if last <= EVERY:
        return tuple(range(1, max(1, last) + 1))
    beyond = np.geomspace(EVERY, last, 1 + EVERY // 4).round().astype(int).tolist()
    return tuple(dict.fromkeys([*range(1, EVERY + 1), *beyond]))


def _deterministic(manifest: Any) -> bool:
    """Whether a run's draws could not differ."""
    content: Any = getattr(manifest, "content", None) or {}
    return content.get("candidates", {}).get("deterministic") is True
