"""One paired difference with all that it needs to be read rightly."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import isnan
from typing import Any

from anyofk.estimates.estimate import Caution


@dataclass(frozen=True)
class PairedEstimate:
    """pass@k of run b less that of run a, over the same problems, with its uncertainty.

    Attributes
    ----------
    k
        Attempts allowed.
    difference
        The mean over the problems of b's estimate less a's, in [-1, 1].
    low, high, level, method
        Its interval, the confidence level, and how the interval was made.
    p_value, test
        The two-sided p-value of no difference, and how it was made.
    se
        The standard error, from the differences problem by problem.
    correlation
        Between the two runs' estimates over the problems; nan where one does not vary.
    noise_corrected_correlation
        The same for the true values, with the noise of the draws taken out; nan where
        some n < 2k. It may exceed 1 by chance.
    value_a, value_b
        pass@k of each run.
    problems, differing
        Their number, and how many of them have another estimate in b than in a.
    n_min_a, n_max_a, n_min_b, n_max_b
        The smallest and largest n of each run.
    sampling_share
        The share of the draws' noise in the variance of the difference; nan where some
        n < 2k.
    detectable_difference
        The true difference that such a comparison finds with a chance of 80 %; nan where no
        problem differs.
    band_low, band_high
        A band that holds for all k asked for at once.
    cautions
        What ``warnings`` says, with the type of each warning.
    """

    k: int
    difference: float
    low: float
    high: float
    level: float
    method: str
    p_value: float
    test: str
    se: float
    correlation: float
    noise_corrected_correlation: float
    value_a: float
    value_b: float
    problems: int
    differing: int
    n_min_a: int
    n_max_a: int
    n_min_b: int
    n_max_b: int
    sampling_share: float
    detectable_difference: float
    band_low: float
    band_high: float
    cautions: tuple[Caution, ...] = field(default=(), repr=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What one should know before quoting the difference, one sentence each."""
        return tuple(caution.text for caution in self.cautions)

    @property
    def decided(self) -> bool:
        """Whether the p-value is below one less the level."""
        return self.p_value < 1 - self.level

    def not_worse(self, margin: float) -> bool:
        """Whether b is shown to be at most ``margin`` worse: the interval lies above -margin."""
        return self.low > -margin

    def to_json(self) -> dict[str, Any]:
        """Write as plain data; a nan becomes null."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "cautions"}
        return {**{n: plain(v) for n, v in values.items()}, "warnings": list(self.warnings)}

    def __str__(self) -> str:
        return (
            f"pass@{self.k}: {self.difference:+.4f}  [{self.low:+.4f}, {self.high:+.4f}]  "
            f"{self.level:.0%} {self.method}, p = {p_words(self.p_value)} ({self.test}), "
            f"{self.differing} of {self.problems} problems differ"
        )


def plain(value: Any) -> Any:
    """Give null for a nan."""
    return None if isinstance(value, float) and isnan(value) else value


def p_words(p_value: float) -> str:
    """Write a p-value to as many digits as are of use.

    Examples
    --------
    >>> p_words(0.14599609375), p_words(3e-7)
    ('0.146', '< 0.0001')
    """
    smallest = 1e-4
    return f"{p_value:.3g}" if p_value >= smallest else "< 0.0001"
