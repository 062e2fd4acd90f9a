"""Compare two runs: paired, at every k, or a refusal that says how they are unlike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from anyofk.comparison.crossing import Crossing, crossing_of
from anyofk.comparison.movers import Mover, Shift, movers_of, shift_of
from anyofk.comparison.paired import compare_at
from anyofk.comparison.pairing import Pair, pair, warn_of
from anyofk.comparison.record import PairedEstimate
from anyofk.comparison.tables import html_table, rows_of
from anyofk.estimates.evaluate import attempts
from anyofk.estimates.figures import axes_of, draw_band
from anyofk.estimates.pictures import visible
from anyofk.estimates.plots import svg_plot, text_plot
from anyofk.estimates.reading import Clusters


class Comparison(Mapping[int, PairedEstimate]):
    """A mapping from each k to the difference b - a, with what holds for the pair as a whole.

    Made by `compare`.
    """

    def __init__(self, pair: Pair, estimates: Mapping[int, PairedEstimate]) -> None:
        self._pair = pair
        self._estimates = dict(estimates)

    def __getitem__(self, k: int) -> PairedEstimate:
        return self._estimates[k]

    def __iter__(self) -> Iterator[int]:
        return iter(self._estimates)

    def __len__(self) -> int:
        return len(self._estimates)

    @property
    def name_a(self) -> str:
        """What the first run is called."""
        return self._pair.a.name

    @property
    def name_b(self) -> str:
        """What the second run is called."""
        return self._pair.b.name

    @property
    def despite(self) -> tuple[str, ...]:
        """The differences that were named as being on purpose, one sentence each."""
        return tuple(str(each) for each in self._pair.despite)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What one should know before quoting any of it, one sentence each."""
        return tuple(dict.fromkeys(w for e in self.values() for w in e.warnings))

    @cached_property
    def crossing(self) -> Crossing:
        """Which run is better at which k, over all k that both runs allow."""
        level = next(iter(self.values())).level
        return crossing_of(self._pair, level=level)

    def text_plot(self, width: int = 72, height: int = 16, *, ascii_only: bool = False) -> str:
        """Draw the difference over all k with its band, with characters."""
        return text_plot(self.crossing.points, width, height, ascii_only=ascii_only)

    def svg(self, width: int = 640, height: int = 360) -> str:
        """Draw the difference over all k with its band, as one SVG picture."""
        return svg_plot(self.crossing.points, width, height, visible(self._caption()))

    def plot(self, ax: Any = None, *, label: str = "") -> Any:
        """Draw the difference over all k with its band, with matplotlib (the extra ``plot``).

        Parameters are those of `Curve.plot`, and so are what it gives and its error.
        """
        label = label or f"{self.name_b} less {self.name_a}"
        return draw_band(axes_of(ax), self.crossing.points, visible(self._caption()), label)

    def _caption(self) -> str:
        return f"{self.name_b} less {self.name_a}: {self.crossing}"

    def movers(self, k: int | None = None, most: int = 10) -> list[Mover]:
        """List the problems that move the difference most; at the largest k by default."""
        return movers_of(self._pair, k or max(self), most)

    def shift(self, k: int | None = None) -> list[Shift]:
        """Say which problems gain and lose, by their pass rate, at 1 and at k."""
        return shift_of(self._pair, k or max(self))

    def not_worse(self, margin: float) -> bool:
        """Whether b is at most ``margin`` worse than a at every k asked for.

        It is when each interval lies above ``-margin``, and also when no problem came out
        worse at all: then there is nothing to hold against b, though a loss on problems
        that were not asked is not excluded.
        """
        nowhere_worse = not any(mover.difference < 0 for k in self for mover in self._all(k))
        return nowhere_worse or all(each.not_worse(margin) for each in self.values())

    def _all(self, k: int) -> list[Mover]:
        return movers_of(self._pair, k, len(self._pair.problems))

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "name_a": self.name_a,
            "name_b": self.name_b,
            "comparisons": {str(k): each.to_json() for k, each in self.items()},
            "crossing": self.crossing.to_json(),
            "despite": list(self.despite),
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        head = f"{self.name_b} less {self.name_a}"
        lines = [head, *(str(each) for each in self.values()), str(self.crossing)]
        return "\n".join([*lines, *(f"note: {warning}" for warning in self.warnings)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        notes = [str(self.crossing), *self.warnings]
        table = html_table(*rows_of(self.values(), self.name_a, self.name_b), notes)
        return table + self.svg() if len(self.crossing.points) > 1 else table


def compare(
    a: Any,
    b: Any,
    k: int | Iterable[int],
    *,
    level: float = 0.95,
    despite: str | Iterable[str] = (),
    interval: str = "auto",
    cluster: Clusters = None,
) -> Comparison:
    """Compare two runs on the same problems: pass@k of b less that of a, with uncertainty.

    Paired problem by problem, which makes it two to five times as precise as comparing two
    means. It assumes that the two runs were sampled independently, and that n was fixed in
    advance.

    Parameters
    ----------
    a, b
        Two runs, or plain counts as `evaluate` takes them. Problems are matched by their ids.
    k : int or iterable of int
        Attempts allowed.
    level : float
        Confidence level of the intervals, and of the band over all k.
    despite : str or iterable of str
        Differences between the runs that are on purpose, such as ``"temperature"``; any
        other difference beside the model is refused. They are kept in the result.
    interval : {"auto", "t", "conservative"}
        Student's t over the problems (``auto``), or a wider one that holds its level also
        where few problems differ.
    cluster
        A mapping from each problem to its cluster, or the name of the column that has it.

    Returns
    -------
    Comparison
        A mapping from each k to its `PairedEstimate`. With one draw a problem its p-value is
        that of the exact McNemar test.

    Raises
    ------
    UnlikeRunsError
        The runs differ in more than the model: ``differences`` names each, ``reasons`` are
        their short names.
    TooFewDrawsError
        Some problem has n < k, or temperature 0 leaves no k but 1.
    IncompleteError
        Candidates could not be judged, or a problem has none.

    Warns
    -----
    FewDifferencesWarning
        Fewer than ten problems differ.
    UnequalDrawsWarning
        n differs between plain counts, or within a run.
    UnlikeRunsWarning
        Runs are compared in spite of a named difference.

    Examples
    --------
    >>> before = {f"p{i}": (10, i % 5) for i in range(50)}
    >>> after = {f"p{i}": (10, i % 5 + i % 3) for i in range(50)}
    >>> found = compare(before, after, [1, 5])
    >>> round(found[1].difference, 3), found[1].low > 0, found[1].p_value < 0.001
    (0.098, True, True)
    """
    ks = attempts(k)
    paired = pair(a, b, despite, cluster)
    for each in ks:
        paired.require(each)
    found = compare_at(paired, ks, level=level, interval=interval)
    warn_of(c for estimate in found.values() for c in estimate.cautions)
    return Comparison(paired, found)
