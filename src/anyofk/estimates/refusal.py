"""What stands where no honest number exists: the reason, and the bounds where there are some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from anyofk.errors import AnyofkError, DataError, IncompleteError, TooFewDrawsError
from anyofk.records import Counts
from anyofk.stats import pass_at_k

Reason = Literal[
    "no_candidates",
    "missing_problems",
    "unjudged_candidates",
    "n_less_than_k",
    "identical_draws",
]

_ERRORS: dict[Reason, type[AnyofkError]] = {
    "no_candidates": DataError,
    "missing_problems": IncompleteError,
    "unjudged_candidates": IncompleteError,
    "n_less_than_k": TooFewDrawsError,
    "identical_draws": TooFewDrawsError,
}
NAMED = 5  # problems that a message names; the rest are in the attribute


@dataclass(frozen=True)
class RefusedEstimate:
    """An estimate that was refused.

    Attributes
    ----------
    k
        Attempts allowed.
    reason
        One word for programs, from a closed list.
    message, hint
        What is wrong and what to do, for people.
    problems
        The problems that it is about.
    bounds
        The value if all that is not judged were wrong, and if it were right; none where
        even these do not exist.
    """

    k: int
    reason: Reason
    message: str
    hint: str
    problems: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None

    @property
    def error(self) -> AnyofkError:
        """The same as an exception."""
        facts = {"k": self.k, "reason": self.reason, "problems": self.problems}
        return _ERRORS[self.reason](self.message, hint=self.hint, bounds=self.bounds, **facts)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "value": None,
            "reason": self.reason,
            "message": self.message,
            "bounds": None if self.bounds is None else list(self.bounds),
            "problems": list(self.problems),
        }

    def __str__(self) -> str:
        lead = "" if self.message.startswith("pass@") else f"no pass@{self.k}: "
        between = f"; between {self.bounds[0]:.4f} and {self.bounds[1]:.4f}" if self.bounds else ""
        return f"{lead}{self.message}{between}"


def refusal(counts: Sequence[Counts], k: int) -> RefusedEstimate | None:
    """Say why these counts allow no estimate of pass@k, or none if they do."""
    if not any(c.n or c.broken for c in counts):
        return RefusedEstimate(
            k,
            "no_candidates",
            "no candidate was judged",
            "nothing was run: look at the files of candidates and problems",
            tuple(c.problem for c in counts),
        )
    return _unjudged(counts, k) or _missing(counts, k) or _too_few(counts, k)


def _unjudged(counts: Sequence[Counts], k: int) -> RefusedEstimate | None:
    broken = {c.problem: c.broken for c in counts if c.broken}
    if not broken:
        return None
    each = [f"{problem} ({many})" for problem, many in broken.items()]
    number = sum(broken.values())
    return RefusedEstimate(
        k,
        "unjudged_candidates",
        f"{number} candidate{' is' if number == 1 else 's are'} not judged: {_listed(each)}",
        "the same command judges them again; until then only the bounds are known",
        tuple(broken),
        bounds(counts, k),
    )


def _missing(counts: Sequence[Counts], k: int) -> RefusedEstimate | None:
    missing = tuple(c.problem for c in counts if not c.n)
    if not missing:
        return None
    return RefusedEstimate(
        k,
        "missing_problems",
        f"{len(missing)} of {len(counts)} problems have no candidate: {_listed(missing)}",
        "draw candidates for them, or count them as failed (--missing fail); "
        "leaving them out is no score",
        missing,
        bounds(counts, k),
    )


def _too_few(counts: Sequence[Counts], k: int) -> RefusedEstimate | None:
    few = [c for c in counts if c.n < k]
    if not few:
        return None
    least = min(few, key=lambda c: c.n)
    if len(few) == 1:
        whose = f"{least.problem} has n={least.n}"
    else:
        whose = (
            f"{len(few)} of {len(counts)} problems have fewer (least: {least.problem}, n={least.n})"
        )
    return RefusedEstimate(
        k,
        "n_less_than_k",
        f"pass@{k} needs at least {k} draws of each problem, {whose}",
        f"draw {k - least.n} more, or ask for k <= {least.n}",
        tuple(c.problem for c in few),
    )


def refused_as_identical(k: int) -> RefusedEstimate:
    """Refuse pass@k of draws that are not independent of each other, or of what was told."""
    return RefusedEstimate(
        k,
        "identical_draws",
        f"pass@{k} of draws without chance (temperature 0) or with feedback (rounds of repair) "
        "has no meaning: it counts independent draws",
        "draw with a temperature above 0 and in one round, or ask for k = 1",
    )


def bounds(counts: Sequence[Counts], k: int) -> tuple[float, float] | None:
    """Give the value if all that is not judged were wrong, and if it were right.

    None where some problem has candidates, but fewer than k.
    """
    if any(0 < c.n + c.broken < k for c in counts):
        return None
    low = [_value(c, 0, k) if c.n + c.broken else 0.0 for c in counts]
    high = [_value(c, c.broken, k) if c.n + c.broken else 1.0 for c in counts]
    return sum(low) / len(low), sum(high) / len(high)


def _value(counts: Counts, passed_too: int, k: int) -> float:
    return float(pass_at_k(counts.n + counts.broken, counts.c + passed_too, k))


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - NAMED
    shown = ", ".join(names[:NAMED])
    return f"{shown} and {rest} more" if rest > 0 else shown
