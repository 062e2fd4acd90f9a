"""Estimates: pass@k of a set of problems from counts, with its uncertainty or a refusal."""

from anyofk.estimates.carriers import Carriers, ProblemWeight, RateClass, carriers
from anyofk.estimates.curve import Curve, CurvePoint, curve
from anyofk.estimates.estimate import Estimate, Estimates, Target
from anyofk.estimates.evaluate import estimate_or_refuse, evaluate
from anyofk.estimates.plan_record import PlanRow, SamplePlan
from anyofk.estimates.planning import allocate, plan
from anyofk.estimates.refusal import RefusedEstimate

__all__ = [
    "Carriers",
    "Curve",
    "CurvePoint",
    "Estimate",
    "Estimates",
    "PlanRow",
    "ProblemWeight",
    "RateClass",
    "RefusedEstimate",
    "SamplePlan",
    "Target",
    "allocate",
    "carriers",
    "curve",
    "estimate_or_refuse",
    "evaluate",
    "plan",
]
