"""Parts of SVG pictures: text of any origin made fit for XML, and bars side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

Bar = tuple[str, float, float]
"""A name, and two shares from 0 to 1."""

_ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 36, 190, 56, 30, 12  # pixels
_COLOURS: Final = ("#9ca3af", "#2563eb")


def visible(text: str) -> str:
    r"""Escape what XML can't hold or nobody can see, such as control characters.

    Examples
    --------
    >>> visible("a\x1b\ud800 b")
    'a\\x1b\\ud800 b'
    """
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape", "backslashreplace").decode()
        for one in text
    )


def svg_bars(bars: Sequence[Bar], names: tuple[str, str], width: int, caption: str) -> str:
    """Draw for each name two bars, one below the other."""
    height = _TOP + _ROW * len(bars) + _BOTTOM
    head = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="11" fill="currentColor" role="img"'
    title = f"<title>{escape(visible(caption))}</title>"
    parts = [_key(name, i) for i, name in enumerate(names)]
    for row, (name, *shares) in enumerate(bars):
        top = _TOP + row * _ROW
        parts.append(
            f'<text x="{_LEFT - 8}" y="{top + 18}" text-anchor="end">{escape(visible(name))}</text>'
        )
        parts += [_bar(top, share, width, i) for i, share in enumerate(shares)]
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {style}>{title}{"".join(parts)}</svg>'


def _key(name: str, place: int) -> str:
    x = _LEFT + 90 * place
    box = f'<rect x="{x}" y="8" width="10" height="10" fill="{_COLOURS[place]}"/>'
    return f'{box}<text x="{x + 14}" y="17">{escape(name)}</text>'


def _bar(top: int, share: float, width: int, place: int) -> str:
    long, y = share * (width - _LEFT - _RIGHT), top + 2 + 14 * place
    where = f'x="{_LEFT}" y="{y}" width="{long:.1f}" height="13"'
    bar = f'<rect {where} fill="{_COLOURS[place]}"/>'
    return f'{bar}<text x="{_LEFT + long + 4:.1f}" y="{y + 11}">{share:.1%}</text>'
