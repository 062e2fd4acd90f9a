"""The arrows in order: candidates to verdicts, resumable."""

from anyofk.pipeline.extracting import Extractor
from anyofk.pipeline.judging_settings import JudgingSettings
from anyofk.pipeline.recorded import recorded_candidates
from anyofk.pipeline.sources import problem_set
from anyofk.pipeline.stored import StoredVerification
from anyofk.pipeline.verify import verify

__all__ = [
    "Extractor",
    "JudgingSettings",
    "StoredVerification",
    "problem_set",
    "recorded_candidates",
    "verify",
]
