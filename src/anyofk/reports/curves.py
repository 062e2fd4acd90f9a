"""A curve for a terminal: the plot, a table of its points, and which problems carry it."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from anyofk.estimates import Carriers, Curve
from anyofk.reports.differences import numbers_table
from anyofk.reports.printable import printable
from anyofk.reports.terminal import in_lines

WIDEST = 100
HEIGHT = 16


def curve_view(found: Curve, width: int, *, ascii_only: bool = False) -> RenderableType:
    """Lay out a curve: the plot where there are points enough, then the table."""
    name = found.quantity.partition("k")[0]
    rows = [
        (f"{name}{p.k}", *(f"{x:.4f}" for x in (p.value, p.low, p.high)), _number(p.se))
        for p in found.shown()
    ]
    parts: list[RenderableType] = []
    if len(found) > 2:  # noqa: PLR2004 - two points need no picture
        plot = found.text_plot(min(width, WIDEST), HEIGHT, ascii_only=ascii_only)
        parts.append(Text(plot, no_wrap=True))
    n = str(found.n_min) if found.n_min == found.n_max else f"{found.n_min} to {found.n_max}"
    caption = [
        found.quantity,
        f"{found.problems} problems, n = {n}",
        f"target: {found.target}",
        f"{found.level:.0%} band for all {len(found)} k at once: {found.method}",
    ]
    table = numbers_table(("", "estimate", "band low", "band high", "se"), rows)
    return Group(*parts, table, Text(in_lines(caption, "; ", width)))


def carriers_view(found: Carriers, most: int) -> RenderableType:
    """Lay out which pass rates carry pass@1 and pass@k, and the problems that carry most."""
    at_k = f"of pass@{found.k}"
    classes = [
        (c.rate, str(c.problems), f"{c.share_1:.1%}", f"{c.share_k:.1%}", f"{c.weight:.2f}")
        for c in found.classes
    ]
    problems = [
        (printable(p.problem), f"{p.c} of {p.n}", f"{p.share_1:.1%}", f"{p.share_k:.1%}")
        for p in found.problems[:most]
    ]
    words = (
        f"weight: how fast pass@{found.k} rises with the chance of a draw, k (1 - p)^(k - 1); "
        "above 1, progress counts more than for pass@1"
    )
    return Group(
        numbers_table(("a draw", "problems", "of pass@1", at_k, "weight"), classes),
        Text(words),
        numbers_table(("problem", "passed", "of pass@1", at_k), problems),
    )


def _number(value: float) -> str:
    return "-" if value != value else f"{value:.4f}"  # noqa: PLR0124 - only nan differs from itself
