"""Differences as rows of text, and as a table for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from anyofk.comparison.record import PairedEstimate, p_words
from anyofk.estimates.pictures import visible


def rows_of(
    estimates: Iterable[PairedEstimate], name_a: str, name_b: str
) -> tuple[list[str], list[list[str]]]:
    """Lay out differences: heads and rows of text."""
    heads = ["", name_a, name_b, "difference", "low", "high", "p", "se", "correlation"]
    rows = [
        [
            f"pass@{each.k}",
            *(f"{value:.4f}" for value in (each.value_a, each.value_b)),
            *(f"{value:+.4f}" for value in (each.difference, each.low, each.high)),
            p_words(each.p_value),
            f"{each.se:.4f}",
            "-" if each.correlation != each.correlation else f"{each.correlation:.2f}",
        ]
        for each in estimates
    ]
    return heads, rows


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], notes: Iterable[str]) -> str:
    """Write a table with notes below as HTML."""
    head = "".join(f"<th>{_safe(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_safe(c)}</td>' for c in row)}</tr>" for row in rows)
    below = "".join(f"<p>{_safe(note)}</p>" for note in notes)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _safe(text: str) -> str:
    return escape(visible(text))
