"""Several runs at once: every pair, corrected for their number, and a rank interval for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final, Literal

from anyofk.comparison.compare import Comparison
from anyofk.comparison.paired import compare_at
from anyofk.comparison.pairing import pair, warn_of
from anyofk.comparison.record import PairedEstimate, p_words
from anyofk.comparison.tables import html_table
from anyofk.errors import UsageError
from anyofk.estimates.evaluate import attempts
from anyofk.estimates.reading import Clusters
from anyofk.stats import benjamini_hochberg, holm

Adjustment = Literal["holm", "benjamini-hochberg"]
ADJUSTMENTS: Final = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}


@dataclass(frozen=True)
class PairTest:
    """One pair of runs at one k, corrected for all that was tested.

    Attributes
    ----------
    name_a, name_b
        The runs.
    estimate
        The difference b - a with its own, uncorrected interval and p-value.
    adjusted_p
        The p-value corrected for the number of pairs and of k.
    decided
        Whether it is below one less the level.
    """

    name_a: str
    name_b: str
    estimate: PairedEstimate
    adjusted_p: float
    decided: bool

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {**asdict(self), "estimate": self.estimate.to_json()}

    def __str__(self) -> str:
        estimate = self.estimate
        return (
            f"pass@{estimate.k}  {self.name_b} - {self.name_a}: {estimate.difference:+.4f}  "
            f"[{estimate.low:+.4f}, {estimate.high:+.4f}]  "
            f"p = {p_words(estimate.p_value)}, corrected {p_words(self.adjusted_p)}"
        )


@dataclass(frozen=True)
class ModelRank:
    """A run's place among several at one k.

    Attributes
    ----------
    name, k, value
        The run, the attempts allowed, its pass@k.
    rank
        Its place by the unrounded estimates, 1 the best; equal estimates share a place.
    rank_low, rank_high
        The places that it may have, all runs at once with the level's confidence: after those
        shown to be better and before those shown to be worse (by Holm's correction).
    tied
        Runs that it is not shown to differ from.
    """

    name: str
    k: int
    value: float
    rank: int
    rank_low: int
    rank_high: int
    tied: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {**asdict(self), "tied": list(self.tied)}

    def __str__(self) -> str:
        tied = f"  not told apart from {', '.join(self.tied)}" if self.tied else ""
        return (
            f"pass@{self.k}  {self.rank}. {self.name}  {self.value:.4f}  "
            f"rank {self.rank_low} to {self.rank_high}{tied}"
        )


@dataclass(frozen=True)
class Ranking:
    """Every pair of several runs, and a rank interval for each run.

    Attributes
    ----------
    pairs
        All pairs at each k.
    ranks
        The runs at each k, the best first.
    level, adjustment
        The confidence level, and how p-values are corrected.
    comparisons
        The comparison of each pair of names.
    """

    pairs: tuple[PairTest, ...]
    ranks: tuple[ModelRank, ...]
    level: float
    adjustment: Adjustment
    comparisons: Mapping[tuple[str, str], Comparison]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What one should know before quoting any of it, with whose it is."""
        return tuple(
            f"{a} and {b}: {warning}"
            for (a, b), comparison in self.comparisons.items()
            for warning in comparison.warnings
        )

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "pairs": [each.to_json() for each in self.pairs],
            "ranks": [each.to_json() for each in self.ranks],
            "level": self.level,
            "adjustment": self.adjustment,
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        notes = (f"note: {warning}" for warning in self.warnings)
        return "\n".join([*map(str, self.ranks), *map(str, self.pairs), *notes])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        heads = ["", "run", "estimate", "rank", "may be", "not told apart from"]
        rows = [
            [
                f"pass@{each.k}",
                each.name,
                f"{each.value:.4f}",
                str(each.rank),
                f"{each.rank_low} to {each.rank_high}",
                ", ".join(each.tied),
            ]
            for each in self.ranks
        ]
        return html_table(heads, rows, [*map(str, self.pairs), *self.warnings])


def compare_all(
    runs: Mapping[str, Any],
    k: int | Iterable[int],
    *,
    level: float = 0.95,
    adjustment: Adjustment = "holm",
    despite: str | Iterable[str] = (),
    interval: str = "auto",
    cluster: Clusters = None,
) -> Ranking:
    """Compare several runs, every pair of them, corrected for their number.

    Parameters
    ----------
    runs
        A mapping from each name to a run or counts, at least two.
    k : int or iterable of int
        Attempts allowed; the correction counts every pair at every k.
    adjustment : {"holm", "benjamini-hochberg"}
        Hold the chance of any false difference below one less the level, or the expected
        share of false ones among those shown. Rank intervals always come from Holm's.
    level, despite, interval, cluster
        As in `compare`.

    Returns
    -------
    Ranking
        ``pairs`` with corrected p-values, and ``ranks`` with their intervals.

    Raises
    ------
    UnlikeRunsError
        Some pair differs in more than the model.

    Examples
    --------
    >>> runs = {name: {f"p{i}": (10, (i * step) % 11) for i in range(44)}
    ...         for name, step in (("x", 3), ("y", 7), ("z", 0))}
    >>> found = compare_all(runs, 1)
    >>> [(each.name, each.rank_low, each.rank_high) for each in found.ranks]
    [('x', 1, 2), ('y', 1, 2), ('z', 3, 3)]
    """
    if adjustment not in ADJUSTMENTS:
        raise UsageError(
            f"no adjustment called {adjustment!r}", hint=f"there are: {', '.join(ADJUSTMENTS)}"
        )
    if len(runs) < 2:  # noqa: PLR2004 - a pair
        raise UsageError(f"a comparison needs two runs, got {len(runs)}")
    named = (despite,) if isinstance(despite, str) else tuple(despite)
    options: dict[str, Any] = {"level": level, "interval": interval}
    comparisons = {
        names: _compared(runs, names, attempts(k), named, cluster, **options)
        for names in combinations(runs, 2)
    }
    warn_of(c for each in comparisons.values() for e in each.values() for c in e.cautions)
    return _ranking(list(runs), comparisons, level, adjustment)


def _compared(
    runs: Mapping[str, Any],
    names: tuple[str, str],
    ks: tuple[int, ...],
    despite: tuple[str, ...],
    cluster: Clusters,
    **options: Any,
) -> Comparison:
    a, b = (runs[name] for name in names)
    paired = pair(a, b, despite, cluster, names=names)
    for each in ks:
        paired.require(each)
    return Comparison(paired, compare_at(paired, ks, **options))


def _ranking(
    names: list[str],
    comparisons: Mapping[tuple[str, str], Comparison],
    level: float,
    adjustment: Adjustment,
) -> Ranking:
    estimates = [(*pair, each) for pair, found in comparisons.items() for each in found.values()]
    p_values = [each.p_value for _, _, each in estimates]
    adjusted = ADJUSTMENTS[adjustment](p_values).tolist()
    pairs = tuple(
        PairTest(a, b, each, p, p < 1 - level)
        for (a, b, each), p in zip(estimates, adjusted, strict=True)
    )
    shown = [
        row for row, p in zip(estimates, holm(p_values).tolist(), strict=True) if p < 1 - level
    ]
    ks = dict.fromkeys(each.k for _, _, each in estimates)
    ranks = tuple(rank for k in ks for rank in _ranks(names, k, estimates, shown))
    return Ranking(pairs, ranks, level, adjustment, comparisons)


Row = tuple[str, str, PairedEstimate]


def _ranks(names: list[str], k: int, estimates: list[Row], shown: list[Row]) -> list[ModelRank]:
    """Place the runs at one k; what is shown to be better comes before, worse behind."""
    values = {a: each.value_a for a, _, each in estimates if each.k == k}
    values |= {b: each.value_b for _, b, each in estimates if each.k == k}
    exact = {name: round(value, 12) for name, value in values.items()}  # sums differ in the last
    wins = [(b, a) if each.difference > 0 else (a, b) for a, b, each in shown if each.k == k]
    found = [
        ModelRank(
            name,
            k,
            values[name],
            rank=1 + sum(value > exact[name] for value in exact.values()),
            rank_low=1 + sum(loser == name for _, loser in wins),
            rank_high=len(names) - sum(winner == name for winner, _ in wins),
            tied=tuple(o for o in names if o != name and not {(o, name), (name, o)} & set(wins)),
        )
        for name in names
    ]
    return sorted(found, key=lambda each: each.rank)
