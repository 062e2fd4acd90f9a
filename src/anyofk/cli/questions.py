"""From the options of a verb to the question that a report answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anyofk.reports.summary import Question


def question(options: Mapping[str, Any]) -> Question:
    """Read what a user asks of a run from the options of a verb."""
    return Question(
        k=options["attempts"],
        target=options["target"],
        level=options["level"],
        interval=options["interval"],
        missing=options["missing"],
    )
