"""The costs of a drawn run, for a terminal."""

from __future__ import annotations

from math import isnan, nan

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from anyofk.reports.drawn import DrawnCosts


def costs_view(costs: DrawnCosts) -> RenderableType:
    """Lay out what a run cost, in all and for one of each kind, and how different its draws are."""
    money = costs.cost is not None
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("cost")
    for name in ("tokens", *(("money",) if money else ()), "drawing s", "judging CPU s"):
        table.add_column(name, justify="right")
    tokens = costs.prompt_tokens + costs.completion_tokens
    rows = [
        ("in all", float(tokens), costs.cost, costs.drawing_s, costs.judging_s),
        *(
            (f"per {name}", each.tokens, each.cost, each.drawing_s, each.judging_s)
            for name, each in costs.per.items()
        ),
    ]
    for k, each in costs.attempts.items():
        for name, spent in (("at once", each.at_once), ("to the first pass", each.in_turn)):
            rows.append((f"k = {k} {name}", spent.tokens, spent.cost, spent.seconds, nan))
    for name, number, price, drawing, judging in rows:
        paid = (f"{price or 0:.6f}",) if money else ()
        judged = "-" if isnan(judging) else f"{judging:.3f}"
        table.add_row(name, f"{number:.0f}", *paid, f"{drawing:.2f}", judged)
    return Group(table, Text(_caption(costs)))


def _caption(costs: DrawnCosts) -> str:
    parts = [
        f"{costs.requests} requests, {costs.tries} tries",
        f"{costs.prompt_tokens} prompt and {costs.completion_tokens} reply tokens",
        f"{costs.distinct_texts:.1f} distinct programs a problem",
        f"{costs.distinct_trees:.1f} distinct syntax trees",
    ]
    if costs.attempts:
        k, each = max(costs.attempts.items())
        parts.append(f"{each.in_turn.draws:.1f} draws to the first pass, at most {k}")
    if costs.requests_without_usage:
        parts.append(f"{costs.requests_without_usage} requests came without token counts")
    return "; ".join(parts)
