"""The door for verifiers of other kinds of problems: proofs, other languages, services."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from anyofk.records import Candidate, Problem, Verdict


@runtime_checkable
class Verifier(Protocol):
    """What a plug-in behind the door ``anyofk.verifiers`` must do."""

    def verify(self, problem: Problem, candidate: Candidate, sandbox: Any) -> Verdict:
        """Judge one candidate.

        Parameters
        ----------
        problem, candidate
            What to judge, and by what.
        sandbox
            The module `anyofk.sandbox`: hostile programs run nowhere else.
        """
