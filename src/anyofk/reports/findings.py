"""A diagnosis for a terminal: what is broken first, then what can't be told, then the rest."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from anyofk.diagnosis import Diagnosis, Finding, VerifierEffect
from anyofk.diagnosis.finding import p_words
from anyofk.reports.printable import printable

_STYLES: Final = {"found": "bold red", "cannot tell": "yellow", "not found": ""}


def diagnosis_view(found: Diagnosis, effect: VerifierEffect | None = None) -> RenderableType:
    """Lay out a diagnosis, and what a verifier's errors do where they were stated."""
    rest = [each.name for each in found.values() if each.state == "not found"]
    parts = [_finding(each) for each in (*found.found, *found.unclear)]
    if not found:
        parts.append(Text("there is too little to look at: no check could be made"))
    if rest:
        parts.append(Text(f"nothing found: {', '.join(rest)}"))
    if effect:
        parts.append(Text(str(effect)))
    return Group(*parts)


def _finding(each: Finding) -> Text:
    chance = "" if each.p_value is None else f" ({p_words(each.p_value)})"
    whither = f"pass@k {each.direction}: " if each.state == "found" else ""
    return Text.assemble(
        (f"{each.name}: {each.state}", _STYLES[each.state]),
        f"\n  seen: {printable(each.observed)}{chance}",
        f"\n  {whither}{each.effect}",
    )
