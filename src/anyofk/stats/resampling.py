"""Bootstrap intervals over problems, by name: percentile, BCa and Bayesian.

None of them holds its level near 0 and 1 (see `kg_interval`). Problems are resampled and
candidates are not: the spread of the per-problem estimates holds the sampling noise already.
What is resampled is how often each distinct row of values occurs, so that a thousand
problems with few distinct counts cost little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.intervals import MeanInterval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

Bootstrap = Literal["percentile", "bca", "bayesian"]


def bootstrap_means(
    values: ArrayLike, *, replicates: int = 10_000, seed: int = 0, bayesian: bool = False
) -> Floats:
    """Draw bootstrap replicates of the mean over problems.

    Parameters
    ----------
    values : array_like, shape (M,) or (K, M)
        Per-problem estimates; all k share one resampling.
    replicates : int
        Their number.
    seed : int
        Of the draws.
    bayesian : bool
        Weigh problems by a flat Dirichlet law instead of by whole counts.

    Returns
    -------
    ndarray, shape (replicates,) or (replicates, K)

    Examples
    --------
    >>> bool(0.4 < bootstrap_means([0.0, 1.0] * 50).mean() < 0.6)
    True
    """
    each = np.asarray(values, dtype=np.float64)
    columns = each[:, None] if each.ndim == 1 else each.T
    rows, times = np.unique(columns, axis=0, return_counts=True)
    rng = np.random.default_rng(seed)
    if bayesian:
        weights = rng.standard_gamma(times, size=(replicates, times.size))
        shares = weights / weights.sum(axis=1, keepdims=True)
    else:
        problems = int(times.sum())
        shares = rng.multinomial(problems, times / problems, size=replicates) / problems
    means = shares @ rows
    return np.asarray(means[:, 0] if each.ndim == 1 else means)


def bootstrap_interval(
    values: ArrayLike,
    *,
    method: Bootstrap,
    level: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> MeanInterval:
    """Give a bootstrap interval for the mean over problems.

    Parameters
    ----------
    values : array_like, shape (M,)
        Per-problem estimates, at least two.
    method : {"percentile", "bca", "bayesian"}
        Quantiles of the replicates, the same corrected for bias and acceleration, or
        quantiles under the Bayesian bootstrap.
    level, replicates, seed
        Confidence level, number and seed of the draws.

    Returns
    -------
    MeanInterval
        ``low``, ``high`` and ``n_eff`` (nan: it has none). Constant values give no width,
        which is no evidence of certainty.

    Examples
    --------
    >>> low, high, _ = bootstrap_interval([0.0, 1.0] * 50, method="bca")
    >>> 0.38 < low < 0.43 and 0.57 < high < 0.62
    True
    """
    each = np.asarray(values, dtype=np.float64)
    if each.ndim != 1 or each.size < 2:  # noqa: PLR2004 -- a spread needs two
        raise UsageError(f"needs the values of two problems or more, got shape {each.shape}")
    if method not in ("percentile", "bca", "bayesian"):
        raise UsageError(f"no bootstrap called {method!r}", hint="percentile, bca or bayesian")
    means = bootstrap_means(each, replicates=replicates, seed=seed, bayesian=method == "bayesian")
    tails = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca" and np.ptp(each) > 0:
        tails = _corrected(each, means, level)
    low, high = np.quantile(means, tails)
    return MeanInterval(float(low), float(high), float("nan"))


def _corrected(each: Floats, means: Floats, level: float) -> tuple[float, float]:
    """Move the tails for the bias and the skewness of the mean (Efron 1987)."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 -- scipy is slow to load

    mean = each.mean()
    below = np.mean(means < mean) + np.mean(means == mean) / 2  # ties: values are discrete
    bias = ndtri(np.clip(below, 1e-9, 1 - 1e-9))
    away = each - mean
    skew = np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)  # the jackknife's, for a mean
    z = ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    moved = ndtr(bias + (bias + z) / (1 - skew * (bias + z)))
    return float(moved[0]), float(moved[1])
