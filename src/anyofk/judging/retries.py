"""Retries: when how a trial ran says too little about the program."""

from __future__ import annotations

from anyofk.judging.trial import Ran, Steps, Trial


def worth_a_retry(ran: Ran) -> bool:
    """Whether a trial must be run once more, alone, before it counts.

    A zygote that died, a wall time limit (the machine may have been slow), or a checker
    that failed before it heard of the candidate.
    """
    slow = {"wall", "overload"}
    exits = [end for end in (ran.program, ran.check) if end is not None]
    early = ran.said.get("outcome") == "fault"
    return ran.lost or bool(ran.fault) or early or any(end.kind in slow for end in exits)


def retried(trial: Trial) -> Steps[Ran]:
    """Run a trial, and where that says too little about the program, once more alone."""
    ran = yield trial
    if worth_a_retry(ran):
        ran = yield trial.again()
    return ran
