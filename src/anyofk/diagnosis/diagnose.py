"""Diagnose: look at everything that pass@k assumes, and say what is broken."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from anyofk.diagnosis.draws import Draws, Evidence, read_evidence
from anyofk.diagnosis.finding import Check, Diagnosis
from anyofk.diagnosis.order import order_checks
from anyofk.diagnosis.repeats import repeat_checks
from anyofk.diagnosis.stopping import stopping_checks
from anyofk.errors import UsageError
from anyofk.stats import holm


def diagnose(run: Any, *, against: Any = None, level: float = 0.99) -> Diagnosis:
    """Look for broken assumptions: draws that are not independent, alike, or of fixed number.

    Each check compares what is seen with all orders of the same draws, which are equally
    likely if the draws are independent and alike. The checks are corrected together (Holm),
    so that faultless draws show any finding with a chance of at most one less the level. No
    finding is no proof: what a check could not see, it does not report.

    Parameters
    ----------
    run
        A stored run, verdicts, a mapping from each problem to its outcomes in the order of the
        draws, or mere counts, which allow few checks.
    against
        Another run of the same configuration. Equal texts are as likely within a run as
        between the two: fewer within betray deduplication, more betray copies.
    level : float
        The chance that faultless draws show no finding at all.

    Returns
    -------
    Diagnosis
        A mapping from the name of each check to its `Finding`; ``found`` lists the broken
        ones. Checks for which there is too little to look at are left out.

    Examples
    --------
    >>> import random
    >>> chance = random.Random(1)
    >>> runs = {f"p{i}": [chance.random() < 0.2 for _ in range(30)] for i in range(40)}
    >>> diagnose(runs).found
    ()
    >>> stopped = {p: made[: made.index(True) + 1] for p, made in runs.items() if True in made}
    >>> [finding.name for finding in diagnose(stopped).found]
    ['stopping', 'n_and_outcomes']
    """
    if not 0 < level < 1:
        raise UsageError(f"the level must lie between 0 and 1, got {level}", level=level)
    evidence = read_evidence(run)
    checks = [
        *repeat_checks(evidence.draws, () if against is None else read_evidence(against).draws),
        *order_checks(_before_the_end(evidence)),
        *stopping_checks(evidence),
    ]
    return Diagnosis(_judged(checks, level), level)


def _before_the_end(evidence: Evidence) -> tuple[Draws, ...]:
    """Leave out each last draw where n differs: a rule may have stopped at it.

    The draws before it are still in an order of chance, whatever the rule was.
    """
    if evidence.n.min() == evidence.n.max():
        return evidence.draws
    return tuple(Draws(*(_shorter(x) for x in astuple(each))) for each in evidence.draws)


def _shorter(part: Any) -> Any:
    return part[:-1] if isinstance(part, np.ndarray) else part


def _judged(checks: list[Check], level: float) -> list[Any]:
    tested = [check.p_value for check in checks if check.p_value is not None]
    adjusted = iter(holm(tested).tolist()) if tested else iter(())
    return [
        check.finding(
            "found" if check.p_value is not None and next(adjusted) < 1 - level else "not found"
        )
        for check in checks
    ]
