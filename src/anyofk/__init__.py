"""What is the chance that any of k attempts is right?

Judge candidates where they can neither do harm nor forge a verdict, count them,
and estimate pass@k with its uncertainty. The names below load on first use, so that
``import anyofk`` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from anyofk.comparison import compare, compare_all
    from anyofk.diagnosis import diagnose
    from anyofk.estimates import Estimate, curve, evaluate, plan
    from anyofk.extraction import Extraction, extract
    from anyofk.judging import judge
    from anyofk.linting import lint
    from anyofk.pipeline import run, verify
    from anyofk.records import Candidate, Counts, Outcome, Problem, PublicProblem, Tests, Verdict
    from anyofk.stats import (
        best_of_k,
        fail_at_k,
        g_pass_at_k,
        maj_at_k,
        max_at_k,
        pass_at_k,
        pass_at_k_weights,
        pass_hat_k,
    )
    from anyofk.tallying import tally

_HOMES = {
    "Candidate": "anyofk.records",
    "Counts": "anyofk.records",
    "Estimate": "anyofk.estimates",
    "Extraction": "anyofk.extraction",
    "Outcome": "anyofk.records",
    "Problem": "anyofk.records",
    "PublicProblem": "anyofk.records",
    "Tests": "anyofk.records",
    "Verdict": "anyofk.records",
    "best_of_k": "anyofk.stats",
    "compare": "anyofk.comparison",
    "compare_all": "anyofk.comparison",
    "curve": "anyofk.estimates",
    "diagnose": "anyofk.diagnosis",
    "evaluate": "anyofk.estimates",
    "extract": "anyofk.extraction",
    "fail_at_k": "anyofk.stats",
    "g_pass_at_k": "anyofk.stats",
    "judge": "anyofk.judging",
    "lint": "anyofk.linting",
    "maj_at_k": "anyofk.stats",
    "max_at_k": "anyofk.stats",
    "pass_at_k": "anyofk.stats",
    "pass_at_k_weights": "anyofk.stats",
    "pass_hat_k": "anyofk.stats",
    "plan": "anyofk.estimates",
    "run": "anyofk.pipeline",
    "tally": "anyofk.tallying",
    "verify": "anyofk.pipeline",
}

__all__ = [
    "Candidate",
    "Counts",
    "Estimate",
    "Extraction",
    "Outcome",
    "Problem",
    "PublicProblem",
    "Tests",
    "Verdict",
    "best_of_k",
    "compare",
    "compare_all",
    "curve",
    "diagnose",
    "evaluate",
    "extract",
    "fail_at_k",
    "g_pass_at_k",
    "judge",
    "lint",
    "maj_at_k",
    "max_at_k",
    "pass_at_k",
    "pass_at_k_weights",
    "pass_hat_k",
    "plan",
    "run",
    "tally",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its home on first use."""
    if name not in _HOMES:
        message = f"module 'anyofk' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted([*globals(), *_HOMES])
