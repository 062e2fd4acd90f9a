"""pass@k for k above n: a model's guess, labelled as one and never given by default.

The chances of the problems that n draws never solved decide it, and n draws don't show
them. On real counts two models missed by +.02 to +.03 and by -.01 to -.02: opposite
signs. So both are given, beside the plug-in, and none is called the estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

WIDEST = 12.0  # of the logarithms of the parameters: beyond, the law is a single point


class Extrapolation(NamedTuple):
    """Three guesses of the mean pass@k beyond n, which bound nothing."""

    k: int
    beta_binomial: float
    zero_inflated: float
    plug_in: float


class Beta(NamedTuple):
    """A law of the problems' chances: a share ``zero`` never pass, the others Beta(a, b)."""

    a: float
    b: float
    zero: float
    log_likelihood: float

    def pass_at_k(self, k: float) -> float:
        """Give the mean over the law of 1 - (1 - p)**k.

        Examples
        --------
        >>> Beta(1.0, 1.0, 0.0, 0.0).pass_at_k(1)
        0.5
        """
        from scipy.special import betaln  # noqa: PLC0415 -- scipy is slow to load

        log_fail = float(betaln(self.a, self.b + k) - betaln(self.a, self.b))
        return (1 - self.zero) * -float(np.expm1(log_fail))


def extrapolate_pass_at_k(n: ArrayLike, c: ArrayLike, k: int) -> Extrapolation:
    """Guess the mean pass@k for a k that may exceed every n, under two models.

    Parameters
    ----------
    n, c : array_like of int, shape (M,)
        Counts of each problem.
    k : int
        Attempts allowed.

    Returns
    -------
    Extrapolation
        The beta-binomial and the zero-inflated beta-binomial fit by maximum likelihood,
        and the plug-in ``mean of 1 - (1 - c/n)**k``, which is biased downwards.

    Examples
    --------
    >>> guess = extrapolate_pass_at_k([10] * 6, [0, 0, 1, 2, 5, 10], 100)
    >>> guess.zero_inflated <= guess.beta_binomial
    True
    """
    judged, passed = (np.atleast_1d(each) for each in counts(n, c))
    budget = int(budgets(k))
    plain, inflated = (fit_beta(judged, passed, zeros=zeros) for zeros in (False, True))
    plug_in = float(np.mean(-np.expm1(budget * np.log1p(-np.minimum(passed / judged, 1 - 1e-16)))))
    return Extrapolation(budget, plain.pass_at_k(budget), inflated.pass_at_k(budget), plug_in)


def fit_beta(n: ArrayLike, c: ArrayLike, *, zeros: bool = False) -> Beta:
    """Fit a beta law of the problems' chances to their counts by maximum likelihood.

    Parameters
    ----------
    n, c : array_like of int, shape (M,)
        Counts of each problem, n at least 1.
    zeros : bool
        Let a share of the problems never pass.

    Examples
    --------
    >>> law = fit_beta([20] * 5, [0, 5, 10, 15, 20])
    >>> round(law.a / (law.a + law.b), 3)
    0.5
    """
    from scipy.optimize import minimize  # noqa: PLC0415 -- scipy is slow to load

    judged, passed = (np.atleast_1d(each) for each in counts(n, c))
    if judged.size == 0 or np.any(judged < 1):
        raise UsageError("a fit needs problems, each with at least one draw")
    rows = np.unique(np.stack([judged, passed], axis=1), axis=0, return_counts=True)

    def loss(logs: Floats) -> float:
        return -_log_likelihood(logs, rows)

    starts = [np.array([x, y, *([-2.0] if zeros else [])]) for x, y in ((0, 0), (-2, 0), (0, -2))]
    bounds = [(-WIDEST, WIDEST)] * len(starts[0])
    best = min((minimize(loss, s, bounds=bounds, method="L-BFGS-B") for s in starts), key=_value)
    a, b = np.exp(best.x[:2])
    share = 1 / (1 + np.exp(-best.x[2])) if zeros else 0.0
    return Beta(float(a), float(b), float(share), -float(best.fun))


def _value(result: object) -> float:
    return float(result.fun)  # type: ignore[attr-defined]  # scipy's result has it


def _log_likelihood(logs: Floats, rows: tuple[NDArray[np.int64], NDArray[np.intp]]) -> float:
    """Give the log likelihood without the binomial factors, which don't depend on the law."""
    from scipy.special import betaln  # noqa: PLC0415 -- scipy is slow to load

    (pairs, times), (a, b) = rows, np.exp(logs[:2])
    n, c = pairs.T
    each = betaln(a + c, b + n - c) - betaln(a, b)
    if logs.size > 2:  # noqa: PLR2004 -- the third is the share of zeros
        log_zero, log_other = -np.logaddexp(0, -logs[2]), -np.logaddexp(0, logs[2])
        each = log_other + each
        each = np.where(c == 0, np.logaddexp(log_zero, each), each)
    return float(np.sum(times * each))
