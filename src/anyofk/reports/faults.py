"""Faults of reported numbers for a terminal: the worst first, alike ones together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from anyofk.linting import Fault, Linting
from anyofk.reports.printable import printable

_STYLES: Final = {"wrong": "bold red", "doubtful": "yellow", "incomplete": "bold"}


def faults_view(found: Linting) -> RenderableType:
    """Lay out what was found wrong: each kind once, with its numbers and what to do."""
    kinds = groupby(sorted(found, key=_kind), key=_kind)
    gathered = {kind: list(faults) for kind, faults in kinds}
    order = dict.fromkeys(map(_kind, found))
    parts = [_fault(gathered[kind]) for kind in order]
    return Group(*parts) if parts else Text("nothing wrong was found")


def _kind(fault: Fault) -> tuple[str, str, str]:
    return fault.weight, fault.what, fault.hint


def _fault(faults: list[Fault]) -> Text:
    first = faults[0]
    lines = "".join(f"\n  {line}" for line in _lines(faults))
    return Text.assemble(
        (f"{first.weight}: {first.what}", _STYLES[first.weight]),
        lines,
        f"\n  to do: {printable(first.hint)}",
    )


def _lines(faults: Iterable[Fault]) -> Iterable[str]:
    for fault in faults:
        whose = "" if fault.k is None else f"pass@{fault.k}: "
        yield f"{whose}{printable(fault.evidence)}"
        if fault.right is not None:
            yield f"  right: {fault.right:.4f}  [{fault.low:.4f}, {fault.high:.4f}]"
        elif fault.low is not None:
            yield f"  between {fault.low:.4f} and {fault.high:.4f}"
