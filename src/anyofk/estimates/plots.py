"""A curve with its band, drawn with characters or as SVG; nothing but strings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log
from typing import Final

Row = tuple[int, float, float, float]
"""k, value, low, high."""

_MARGIN: Final = 8  # columns for the labels of the axis
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 14, 48  # pixels around the picture
_BLUE: Final = "#2563eb"


def text_plot(rows: Sequence[Row], width: int, height: int, *, ascii_only: bool = False) -> str:
    """Draw a curve: the line over its band, values to the left and k below.

    Where values lie on both sides of 0, a line marks it.
    """
    line, band, bar, nought = "*.|-" if ascii_only else "●░│─"
    columns = max(10, width - _MARGIN)
    bottom, top = _range(rows)
    grid = [[" "] * columns for _ in range(height)]
    if bottom < 0 < top:
        grid[_row(0, bottom, top, height)] = [nought] * columns
    for x in range(columns):
        _, value, low, high = _at(rows, x / (columns - 1))
        ends = (_row(end, bottom, top, height) for end in (high, low))
        for y in range(next(ends), next(ends) + 1):
            grid[y][x] = band
        grid[_row(value, bottom, top, height)][x] = line
    labels = [top - (top - bottom) * y / (height - 1) for y in range(height)]
    lines = [f"{label:6.3f} {bar}{''.join(row)}" for label, row in zip(labels, grid, strict=True)]
    return "\n".join([*(text.rstrip() for text in lines), *_ticks(rows, columns)])


def _ticks(rows: Sequence[Row], columns: int) -> list[str]:
    """Write k below the axis: the last, which ends with it, and as many others as have room."""
    marks, names = [" "] * columns, [" "] * columns
    last = rows[-1][0]
    end = columns - len(str(last))
    free = 0
    for k in [*(k for k in _marks(last) if k < last), last]:
        x = round(_place(k, rows) * (columns - 1))
        start = end if k == last else x
        if k == last or free <= x < end - len(str(k)) - 1:
            marks[x] = "'"
            names[start : start + len(str(k))] = str(k)
            free = start + len(str(k)) + 2
    pad = " " * _MARGIN
    return [pad + "".join(marks).rstrip(), f"{' ' * 5}k  {''.join(names)}".rstrip()]


def svg_plot(rows: Sequence[Row], width: int, height: int, caption: str) -> str:
    """Draw a curve as SVG: a band, a line, an axis of values and one of log k."""
    bottom, top = _range(rows)

    def point(k: int, value: float) -> str:
        x = _LEFT + _place(k, rows) * (width - _LEFT - _RIGHT)
        y = _TOP + (top - value) / (top - bottom) * (height - _TOP - _BOTTOM)
        return f"{x:.1f},{y:.1f}"

    upper = [point(k, high) for k, _, _, high in rows]
    lower = [point(k, low) for k, _, low, _ in reversed(rows)]
    line = " ".join(point(k, value) for k, value, _, _ in rows)
    heights = [bottom + (top - bottom) * i / 4 for i in range(5)]
    parts = [
        f'<polygon points="{" ".join([*upper, *lower])}" fill="{_BLUE}" fill-opacity="0.15"/>',
        f'<polyline points="{line}" fill="none" stroke="{_BLUE}" stroke-width="2"/>',
        *([_nought(point(rows[0][0], 0.0), width)] if bottom < 0 < top else []),
        *(_label_y(point(rows[0][0], value), value, width) for value in heights),
        *(_label_x(point(k, bottom), k, height) for k in _marks(rows[-1][0])),
        f'<text x="{_LEFT}" y="{height - 8}">{escape(caption)}</text>',
    ]
    head = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="11" fill="currentColor" role="img"'
    name = f"<title>{escape(caption)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {style}>{name}{"".join(parts)}</svg>'


def _nought(point: str, width: int) -> str:
    y = point.partition(",")[2]
    return f'<line x1="{_LEFT}" x2="{width - _RIGHT}" y1="{y}" y2="{y}" stroke="currentColor"/>'


def _label_y(point: str, value: float, width: int) -> str:
    y = float(point.partition(",")[2])
    rule = f'<line x1="{_LEFT}" x2="{width - _RIGHT}" y1="{y}" y2="{y}" stroke="#8884"/>'
    return f'{rule}<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{value:.3f}</text>'


def _label_x(point: str, k: int, height: int) -> str:
    x = point.partition(",")[0]
    return f'<text x="{x}" y="{height - _BOTTOM + 16}" text-anchor="middle">{k}</text>'


def _range(rows: Sequence[Row]) -> tuple[float, float]:
    """Give the values that the axis spans, a little more than the band."""
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    room = max(0.02, (high - low) * 0.05)
    least = 0.0 if low >= 0 else -1.0
    return max(least, low - room), min(1.0, high + room)


def _row(value: float, bottom: float, top: float, height: int) -> int:
    return round((top - value) / (top - bottom) * (height - 1))


def _place(k: int, rows: Sequence[Row]) -> float:
    """Give where k lies between the first and the last, by its logarithm."""
    first, last = rows[0][0], rows[-1][0]
    return log(k / first) / log(last / first) if last > first else 0.0


def _at(rows: Sequence[Row], place: float) -> Row:
    """Find the nearest row."""
    return min(rows, key=lambda row: abs(_place(row[0], rows) - place))


def _marks(last: int) -> list[int]:
    """Give the k that are written on the axis: 1, 2, 5, 10, ... up to the last."""
    steps = [digit * 10**power for power in range(len(str(last))) for digit in (1, 2, 5)]
    return [k for k in steps if k <= last]
