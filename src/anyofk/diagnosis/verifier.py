"""What a verifier that errs does to pass@k, and what an honest one would have measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.diagnosis.finding import Direction
from anyofk.errors import UsageError
from anyofk.estimates.evaluate import attempts
from anyofk.estimates.reading import read_counts
from anyofk.estimates.refusal import refusal
from anyofk.stats import fail_at_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VerifierEffect:
    """pass@k as measured, and as a verifier without errors would measure it.

    Attributes
    ----------
    k
        Attempts allowed.
    false_pass, false_fail
        The chances, as stated, that a wrong candidate passes and that a right one fails.
    measured
        pass@k of the counts.
    corrected, corrected_se
        What is left when the errors are taken out, without bias, and its standard error over
        the problems. By chance it may leave [0, 1]; far outside, the stated rates don't fit.
    floor
        What this verifier would measure for a model that is never right.
    direction
        Where the measured value lies.
    """

    k: int
    false_pass: float
    false_fail: float
    measured: float
    corrected: float
    corrected_se: float
    floor: float
    direction: Direction

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"pass@{self.k} measured {self.measured:.4f}; with {self.false_pass:.2%} false passes "
            f"and {self.false_fail:.2%} false failures it would be {self.corrected:.4f} "
            f"(se {self.corrected_se:.4f}) without them: measured {self.direction}; a model "
            f"that is never right would get {self.floor:.4f}"
        )


def verifier_effect(
    counts: Any, k: int, *, false_pass: float = 0.0, false_fail: float = 0.0
) -> VerifierEffect:
    """Say what errors of the verifier do to pass@k, if their rates are as stated.

    With errors independent from draw to draw, a draw fails with chance
    ``q' = q (1 - a - b) + b``, a false passes and b false failures. So ``q**k`` is a sum
    over powers of q', and each of those has an unbiased estimate in fail@j. Weak tests that
    pass the *same* wrong answer every time are not independent: then the effect is larger for
    some problems, none for others, and no count can take it out.

    Parameters
    ----------
    counts
        As in `evaluate`, at least two problems.
    k : int
        Attempts allowed.
    false_pass, false_fail : float
        Chances that a wrong candidate passes, and that a right one fails; together below 1.

    Examples
    --------
    >>> effect = verifier_effect({f"p{i}": (20, i % 4) for i in range(40)}, 10, false_pass=0.02)
    >>> round(effect.measured, 2), round(effect.corrected, 2), round(effect.floor, 2)
    (0.54, 0.44, 0.18)
    >>> effect.direction
    'too high'
    """
    if not (min(false_pass, false_fail) >= 0 and false_pass + false_fail < 1):
        raise UsageError(
            f"error rates must not be negative and add up to less than 1, got {false_pass} "
            f"and {false_fail}"
        )
    (budget,) = attempts(k)
    read = read_counts(counts)
    if refused := refusal(read, budget):
        raise refused.error
    n, c = (np.array([getattr(row, name) for row in read], dtype=np.int64) for name in "nc")
    each = _corrected(n, c, budget, false_pass, false_fail)
    measured, right = float(np.mean(1 - fail_at_k(n, c, budget))), float(each.mean())
    return VerifierEffect(
        k=budget,
        false_pass=false_pass,
        false_fail=false_fail,
        measured=measured,
        corrected=right,
        corrected_se=float(each.std(ddof=1) / each.size**0.5) if each.size > 1 else float("nan"),
        floor=1 - (1 - false_pass) ** budget,
        direction=_direction(measured, right),
    )


def _corrected(n: Any, c: Any, k: int, false_pass: float, false_fail: float) -> Floats:
    """Estimate each problem's pass@k under a verifier without errors."""
    left = 1 - false_pass - false_fail
    lowest = k if false_fail == 0 else 0
    terms = [
        comb(k, j) * (-false_fail) ** (k - j) * (fail_at_k(n, c, j) if j else np.ones(n.size))
        for j in range(lowest, k + 1)
    ]
    return np.asarray(1 - np.sum(terms, axis=0) / left**k)


def _direction(measured: float, right: float) -> Direction:
    if measured == right:
        return "either way"
    return "too high" if measured > right else "too low"
