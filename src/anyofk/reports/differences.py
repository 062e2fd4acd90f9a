"""Tables of differences for a terminal: two runs, several runs, and the problems that moved."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from anyofk.comparison import Comparison, PairedEstimate, Ranking
from anyofk.comparison.record import p_words
from anyofk.comparison.tables import rows_of
from anyofk.reports.printable import printable
from anyofk.reports.terminal import plain_table

WIDE = 92
"""Below this width a table of differences leaves standard error and correlation to --json."""


def comparison_view(found: Comparison, width: int, *, movers: int = 0) -> RenderableType:
    """Lay out the difference of two runs, what it depends on, and the problems that moved."""
    a, b = _short(found.name_a), _short(found.name_b)
    heads, rows = rows_of(found.values(), a, b)
    shown = len(heads) if width >= WIDE else heads.index("p") + 1
    parts: list[RenderableType] = [
        Text(f"{b} less {a}"),
        numbers_table(heads[:shown], [row[:shown] for row in rows]),
        *(Text(line) for line in _caption(list(found.values()))),
        Text(printable(str(found.crossing))),
    ]
    if movers:
        parts += [_shift_table(found), _movers_table(found, movers)]
    return Group(*parts)


def numbers_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> Table:
    """Lay out texts in the first columns, which may fold, and numbers to the right, which may not.

    All cells must be printable.
    """
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for i, head in enumerate(heads):
        number = i >= texts
        table.add_column(
            head, justify="right" if number else "left", overflow="fold", no_wrap=number
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _caption(estimates: Sequence[PairedEstimate]) -> list[str]:
    first = estimates[0]
    detectable = [e for e in estimates if e.detectable_difference == e.detectable_difference]
    found = ", ".join(f"{e.detectable_difference:.4f} at k = {e.k}" for e in detectable)
    tests = ", ".join(dict.fromkeys(e.test for e in estimates))
    how = f"{first.level:.0%} interval: {first.method}; test: {tests}"
    return [
        f"{first.problems} problems, paired; {how}",
        *([f"found with a chance of 80 %: a difference of {found}"] if found else []),
    ]


def _movers_table(found: Comparison, most: int) -> RenderableType:
    rows = [
        (m.problem, f"{m.c_a} of {m.n_a}", f"{m.c_b} of {m.n_b}", f"{m.difference:+.4f}")
        for m in found.movers(most=most)
    ]
    heads = ("problem", _short(found.name_a), _short(found.name_b), f"pass@{max(found)}")
    return plain_table(heads, rows)


def _shift_table(found: Comparison) -> RenderableType:
    rows = [
        (s.rate, str(s.problems), f"{s.gain_1:+.4f}", f"{s.gain_k:+.4f}") for s in found.shift()
    ]
    heads = ["a draw passes", "problems", *dict.fromkeys(["pass@1", f"pass@{max(found)}"])]
    return numbers_table(heads, [row[: len(heads)] for row in rows])


def ranking_view(found: Ranking) -> RenderableType:
    """Lay out the ranks of several runs, and every pair."""
    ranks = [
        (
            f"pass@{r.k}",
            _short(r.name),
            f"{r.value:.4f}",
            str(r.rank),
            f"{r.rank_low} to {r.rank_high}",
        )
        for r in found.ranks
    ]
    pairs = [
        (
            f"pass@{p.estimate.k}",
            f"{_short(p.name_b)} - {_short(p.name_a)}",
            *(f"{x:+.4f}" for x in (p.estimate.difference, p.estimate.low, p.estimate.high)),
            p_words(p.adjusted_p),
        )
        for p in found.pairs
    ]
    return Group(
        numbers_table(("", "run", "estimate", "rank", "may be"), ranks, texts=2),
        numbers_table(("", "pair", "difference", "low", "high", "corrected p"), pairs, texts=2),
        Text(f"p corrected for {len(pairs)} tests: {found.adjustment}; level {found.level:g}"),
    )


def _short(name: str) -> str:
    """Cut a path to its last part, so that a head stays readable."""
    return printable(name.rsplit("/", 1)[-1], most=28)
