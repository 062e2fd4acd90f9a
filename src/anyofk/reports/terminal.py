"""Tables for a terminal: estimates with their intervals, outcomes, and what to be wary of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Final

from rich import box
from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.records import Outcome
from anyofk.reports.printable import printable
from anyofk.reports.summary import Summary

NARROW: Final = 76
"""Below this width a table drops the columns that its caption can say."""


def summary_view(summary: Summary, width: int) -> RenderableType:
    """Lay out what a run says."""
    parts: list[RenderableType] = [_head(summary, width)]
    if summary.synthetic:
        parts.append(Text("synthetic candidates: made for show, no model drew them", "bold yellow"))
    outcomes: Counter[Outcome] = sum(summary.outcomes.values(), Counter())
    parts += [
        outcomes_table(outcomes),
        estimates_view(summary.estimates, width, single=summary.single),
    ]
    return Group(*parts)


def _head(summary: Summary, width: int) -> Text:
    judged = sum(c.n for c in summary.counts)
    words = [
        printable(summary.run) if summary.run else "not stored",
        f"{printable(summary.problem_set)}: {len(summary.counts)} problems",
        f"{judged} candidates judged",
        f"level {summary.level or 'unknown'}",
        f"mode {', '.join(f'{_mode(mode)} ({number})' for mode, number in summary.modes.items())}",
    ]
    return Text(in_lines([word for word in words if word], " · ", width))


def in_lines(parts: Sequence[str], between: str, width: int) -> str:
    r"""Join parts, with a new line where the next part has no room, and none inside a part.

    Examples
    --------
    >>> in_lines(["one run", "two problems", "three draws"], " · ", 24)
    'one run · two problems\nthree draws'
    """
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}{between}{part}"
        lines[-1:] = [longer] if len(longer) <= width else [lines[-1], part]
    return "\n".join(lines)


def _mode(mode: str) -> str:
    return f"{mode}, forgeable" if mode == "inprocess" else mode


def outcomes_table(outcomes: Mapping[Outcome, int]) -> RenderableType:
    """Lay out how many candidates ended how, in the order of the closed list."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("outcome")
    table.add_column("candidates", justify="right")
    table.add_column("share", justify="right")
    total = sum(outcomes.values())
    for outcome in Outcome:
        if number := outcomes.get(outcome, 0):
            style = _STYLES.get(outcome, "")
            table.add_row(Text(outcome.value, style), str(number), f"{number / total:.1%}")
    return table


_STYLES: Final = {Outcome.PASSED: "green", Outcome.BROKEN: "bold red"}


def estimates_view(
    estimates: Mapping[int, Estimate | RefusedEstimate], width: int, *, single: str = "pass@1"
) -> RenderableType:
    """Lay out estimates, none without its interval, and the reasons where there is none.

    ``single`` is what the estimate for k = 1 is called.
    """
    shown = [e for e in estimates.values() if isinstance(e, Estimate)]
    refused = [e for e in estimates.values() if isinstance(e, RefusedEstimate)]
    parts: list[RenderableType] = []
    if shown:
        narrow = width < NARROW
        caption = in_lines(_caption(shown, narrow=narrow), "; ", width)
        parts += [_estimates_table(shown, single, narrow=narrow), Text(caption)]
    parts += [Text(printable(str(refusal)), "bold red") for refusal in refused]
    return Group(*parts)


def _estimates_table(estimates: Sequence[Estimate], single: str, *, narrow: bool) -> Table:
    level = f"{100 * estimates[0].level:g} %"
    names = ["", "estimate", f"{level} low", "high"]
    if not narrow:
        names += ["se", "sampling se", "n eff", "method"]
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for name in names:
        left = name in {"", "method"}
        table.add_column(name, justify="left" if left else "right", no_wrap=not name)
    for estimate in estimates:
        name = single if estimate.k == 1 else f"pass@{estimate.k}"
        table.add_row(name, *_row(estimate)[: len(names) - 1])
    return table


def _row(estimate: Estimate) -> list[str]:
    return [
        *(_number(x) for x in (estimate.value, estimate.low, estimate.high)),
        *(_number(x) for x in (estimate.se, estimate.sampling_se)),
        "-" if estimate.n_eff != estimate.n_eff else f"{estimate.n_eff:.0f}",
        estimate.method,
    ]


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.4f}"


def _caption(estimates: Sequence[Estimate], *, narrow: bool) -> list[str]:
    first = estimates[0]
    whom = {
        "population": "problems as a sample of more",
        "benchmark": "these problems alone",
    }[first.target]
    clusters = f" in {first.clusters} clusters" if first.clusters else ""
    return [
        f"{first.problems} problems{clusters}, n = {first.n_range}",
        f"target: {first.target} ({whom})",
        *([f"interval: {first.method}"] if narrow else []),  # a wide table has a column for it
    ]


def plain_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Lay out rows of texts and numbers; texts are made printable, numbers go to the right."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for i, head in enumerate(heads):
        numbers = bool(rows) and all(isinstance(row[i], int | float) for row in rows)
        justify: JustifyMethod = "right" if numbers else "left"
        table.add_column(head, justify=justify, overflow="fold", no_wrap=numbers)
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    return table
