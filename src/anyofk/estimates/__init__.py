"""Estimates: pass@k of a set of problems from counts, with its uncertainty or a refusal."""

from anyofk.estimates.estimate import Estimate, Estimates, Target
from anyofk.estimates.evaluate import estimate_or_refuse, evaluate
from anyofk.estimates.refusal import RefusedEstimate

__all__ = [
    "Estimate",
    "Estimates",
    "RefusedEstimate",
    "Target",
    "estimate_or_refuse",
    "evaluate",
]
