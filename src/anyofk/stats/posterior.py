"""Bayesian pass@k with the prior learnt from the problems themselves.

A flat prior for each problem on its own is badly wrong for k > 1: with 50 problems, none
ever passed, n = k = 8, it gives .47 with a 95 % interval of .39 to .55. Here the chances
of all problems come from one Beta law whose parameters have a vague prior of their own
and are integrated over on a grid, so that fifty failures inform the fifty-first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets, counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

SIDE = 64  # points of the grid along each parameter
NEGLIGIBLE = 1e-9  # posterior mass below which the second grid may stop
LOGIT, LOG_SIZE = (-9.0, 9.0), (-4.0, 9.0)  # of the mean, and of a + b


class Credible(NamedTuple):
    """A posterior mean and the interval that holds the value with the stated chance."""

    mean: float
    low: float
    high: float


class Posterior(NamedTuple):
    """What the counts say about pass@k, given that the problems are of one kind.

    ``problem_mean`` and ``problem_sd`` for each problem; ``population`` for the mean over
    problems of this kind; ``benchmark`` for the mean over exactly these.
    """

    problem_mean: Floats
    problem_sd: Floats
    population: Credible
    benchmark: Credible


def posterior_pass_at_k(n: ArrayLike, c: ArrayLike, k: int, *, level: float = 0.95) -> Posterior:
    """Give the hierarchical posterior of pass@k.

    The chances are Beta(a, b); the prior is flat in the mean a / (a + b) and falls as
    ``(a + b)**-1.5``, which is proper enough for two problems or more. k may exceed n: the
    model then extrapolates, and the number is only as good as the Beta law.

    Parameters
    ----------
    n, c : array_like of int, shape (M,)
        Counts of each problem; n may differ and may be 0.
    k : int
        Attempts allowed.
    level : float
        Probability that the intervals hold.

    Examples
    --------
    >>> found = posterior_pass_at_k([8] * 50, [0] * 50, 8)
    >>> found.benchmark.high < 0.08
    True
    """
    judged, passed = (np.atleast_1d(each) for each in counts(n, c))
    budget = int(budgets(k))
    if judged.size < 2 or not 0 < level < 1:  # noqa: PLR2004 -- a law needs two problems
        raise UsageError("needs two problems or more and a level between 0 and 1")
    pairs, where, times = np.unique(
        np.stack([judged, passed], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    a, b, weight = _grid(pairs, times)
    first, second = _moments(a, b, pairs, budget)
    mean = weight @ first
    spread = np.sqrt(np.maximum(weight @ second - mean**2, 0.0))
    population = _population(a, b, weight, budget, level)
    benchmark = _benchmark(weight, (first, second), times, level)
    places = where.ravel()
    return Posterior(mean[places], spread[places], population, benchmark)


def _grid(pairs: NDArray[np.int64], times: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
    """Weigh the parameters on a coarse grid, then on a fine one where the mass lies."""
    box = (LOGIT, LOG_SIZE)
    for _ in range(3):
        means = np.linspace(*box[0], SIDE)
        sizes = np.linspace(*box[1], SIDE)
        logit, log_size = (axis.ravel() for axis in np.meshgrid(means, sizes, indexing="ij"))
        weight = _weight(logit, log_size, pairs, times)
        held = weight > NEGLIGIBLE * weight.max()
        box = (
            _widened(logit[held], means[1] - means[0], LOGIT),
            _widened(log_size[held], sizes[1] - sizes[0], LOG_SIZE),
        )
    share, size = 1 / (1 + np.exp(-logit)), np.exp(log_size)
    return share * size, (1 - share) * size, weight


def _widened(held: Floats, step: np.float64, most: tuple[float, float]) -> tuple[float, float]:
    return max(most[0], float(held.min() - step)), min(most[1], float(held.max() + step))


def _weight(
    logit: Floats, log_size: Floats, pairs: NDArray[np.int64], times: NDArray[np.intp]
) -> Floats:
    from scipy.special import betaln  # noqa: PLC0415 -- scipy is slow to load

    share = 1 / (1 + np.exp(-logit))
    a, b = share * np.exp(log_size), (1 - share) * np.exp(log_size)
    n, c = pairs.T
    fit = betaln(a[:, None] + c, b[:, None] + n - c) - betaln(a, b)[:, None]
    # flat in the mean and size**-1.5 in the size, on this grid's logit and logarithm
    log_prior = np.log(share * (1 - share)) - 0.5 * log_size
    log_weight = fit @ times + log_prior
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray(weight / weight.sum())


def _moments(a: Floats, b: Floats, pairs: NDArray[np.int64], k: int) -> tuple[Floats, Floats]:
    """Give the mean and the mean square of pass@k for each parameter and distinct count."""
    from scipy.special import betaln  # noqa: PLC0415 -- scipy is slow to load

    n, c = pairs.T
    hits, misses = a[:, None] + c, b[:, None] + n - c
    whole = betaln(hits, misses)
    once, twice = (np.exp(betaln(hits, misses + j * k) - whole) for j in (1, 2))
    return 1 - once, 1 - 2 * once + twice


def _population(a: Floats, b: Floats, weight: Floats, k: int, level: float) -> Credible:
    """Give the posterior of the law's own mean: one value for each point of the grid."""
    from scipy.special import betaln  # noqa: PLC0415 -- scipy is slow to load

    value = -np.expm1(betaln(a, b + k) - betaln(a, b))
    order = np.argsort(value)
    reached = np.cumsum(weight[order])
    low, high = np.interp([(1 - level) / 2, (1 + level) / 2], reached, value[order])
    return Credible(float(weight @ value), float(low), float(high))


def _benchmark(
    weight: Floats, moments: tuple[Floats, Floats], times: NDArray[np.intp], level: float
) -> Credible:
    """Match a Beta law to the posterior mean and variance of the mean over these problems."""
    from scipy.special import betaincinv  # noqa: PLC0415 -- scipy is slow to load

    first, second = moments
    problems = times.sum()
    mean_at = first @ times / problems
    noise_at = (second - first**2) @ times / problems**2
    mean = float(weight @ mean_at)
    variance = float(weight @ noise_at + weight @ (mean_at - mean) ** 2)
    if not 0 < variance < mean * (1 - mean):
        return Credible(mean, mean, mean)
    size = mean * (1 - mean) / variance - 1
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = betaincinv(mean * size, (1 - mean) * size, tails)
    return Credible(mean, float(low), float(high))
