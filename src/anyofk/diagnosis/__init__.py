"""Diagnosis: whether what pass@k assumes holds, and what it does to pass@k where it does not."""

from anyofk.diagnosis.diagnose import diagnose
from anyofk.diagnosis.finding import Diagnosis, Finding
from anyofk.diagnosis.verifier import VerifierEffect, verifier_effect

__all__ = ["Diagnosis", "Finding", "VerifierEffect", "diagnose", "verifier_effect"]
