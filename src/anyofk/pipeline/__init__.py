"""The arrows in order: from a model to candidates to verdicts, resumable.

What draws loads on use, so that judging alone does not pay for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import JudgingSettings
from anyofk.pipeline.recorded import recorded_candidates
from anyofk.pipeline.sources import chosen_problems, problem_set
from anyofk.pipeline.stored import StoredVerification
from anyofk.pipeline.verifying import verify

if TYPE_CHECKING:
    from anyofk.pipeline.drawing_plan import DrawingPlan
    from anyofk.pipeline.drawn import DrawnRun
    from anyofk.pipeline.one_call import run

_HOMES = {"DrawingPlan": "drawing_plan", "DrawnRun": "drawn", "run": "one_call"}

__all__ = [
    "DrawingPlan",
    "DrawnRun",
    "Extractor",
    "JudgingSettings",
    "StoredVerification",
    "chosen_problems",
    "problem_set",
    "recorded_candidates",
    "run",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load what draws from its home on first use."""
    if name not in _HOMES:
        message = f"module 'anyofk.pipeline' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"anyofk.pipeline.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
