"""The arrows in order: candidates to verdicts, resumable."""

from anyofk.pipeline.drawing_plan import DrawingPlan
from anyofk.pipeline.drawn import DrawnRun
from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import JudgingSettings
from anyofk.pipeline.recorded import recorded_candidates
from anyofk.pipeline.run import run
from anyofk.pipeline.sources import chosen_problems, problem_set
from anyofk.pipeline.stored import StoredVerification
from anyofk.pipeline.verify import verify

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
