"""Figures on matplotlib's axes, for those who have it: the extra ``plot``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from anyofk.errors import UnavailableError

if TYPE_CHECKING:
    from anyofk.estimates.carriers import RateClass
    from anyofk.estimates.plots import Row

_FEW: Final = 30
"""Up to so many points are marked one by one."""


def axes_of(given: Any) -> Any:
    """Give the axes to draw on: those given, or new ones."""
    if given is not None:
        return given
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise UnavailableError(
            "a plot needs matplotlib, which is not installed",
            hint="pip install 'anyofk[plot]'; svg() draws without it",
        ) from error
    return plt.subplots()[1]


def draw_band(axes: Any, rows: Sequence[Row], title: str, label: str) -> Any:
    """Draw values over k on a logarithmic axis, with their band; give the axes."""
    k, value, low, high = zip(*rows, strict=True)
    marker = "o" if len(rows) <= _FEW else ""
    (line,) = axes.plot(k, value, marker=marker, markersize=3, label=_plain(label))
    axes.fill_between(k, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    if min(low) < 0 < max(high):
        axes.axhline(0.0, color="black", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("attempts allowed, k")
    axes.set_title(_plain(title), fontsize="small", wrap=True)
    return axes


def draw_shares(axes: Any, classes: Sequence[RateClass], k: int) -> Any:
    """Draw what the problems of each pass rate add to pass@1 and pass@k; give the axes."""
    places = range(len(classes))
    shares = [("pass@1", [c.share_1 for c in classes]), (f"pass@{k}", [c.share_k for c in classes])]
    for shift, (name, share) in zip((-0.2, 0.2), shares, strict=True):
        axes.barh([place + shift for place in places], share, height=0.4, label=name)
    axes.set_yticks(list(places), [f"{c.rate} ({c.problems})" for c in classes])
    axes.invert_yaxis()
    axes.set_xlabel("share of the mean over problems")
    axes.legend()
    return axes


def _plain(text: str) -> str:
    """Keep matplotlib from reading names as formulas."""
    return text.replace("$", r"\$")
