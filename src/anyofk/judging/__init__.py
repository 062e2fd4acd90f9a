"""Judging: a program and its tests go in, a verdict comes out that the program can't forge.

This module stays light, for the processes in the jail import it too: names load on use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyofk.judging.calibration import Calibration
    from anyofk.judging.calibrations import Calibrations
    from anyofk.judging.comparison import CALL_RULES, STREAM_RULES, same_output
    from anyofk.judging.comparison import rule as comparison_rule
    from anyofk.judging.levels import survey
    from anyofk.judging.many import calibrate, judge_all
    from anyofk.judging.one import judge
    from anyofk.judging.settings import Settings, judging_facts
    from anyofk.judging.verifiers import Verifier

_HOMES = {
    "CALL_RULES": "comparison",
    "STREAM_RULES": "comparison",
    "Calibration": "calibration",
    "Calibrations": "calibrations",
    "Settings": "settings",
    "Verifier": "verifiers",
    "calibrate": "many",
    "comparison_rule": "comparison",
    "judge": "one",
    "judge_all": "many",
    "judging_facts": "settings",
    "same_output": "comparison",
    "survey": "levels",
}

__all__ = [
    "CALL_RULES",
    "STREAM_RULES",
    "Calibration",
    "Calibrations",
    "Settings",
    "Verifier",
    "calibrate",
    "comparison_rule",
    "judge",
    "judge_all",
    "judging_facts",
    "same_output",
    "survey",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its home on first use."""
    if name not in _HOMES:
        message = f"module 'anyofk.judging' has no attribute {name!r}"
        raise AttributeError(message)
    home = import_module(f"anyofk.judging.{_HOMES[name]}")
    value = getattr(home, "rule" if name == "comparison_rule" else name)
    globals()[name] = value
    return value
