"""The mean over problems and its variance: problems as a sample, or these problems only.

Two targets. *Population*: the problems are a sample of those that could have been asked;
``s**2 / M`` over the per-problem estimates already holds both the spread between problems
and the sampling noise, so that resampling the candidates too would count the noise twice.
*Benchmark*: these problems and no others; only the sampling noise counts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError
from anyofk.stats.passk import pass_at_k
from anyofk.stats.variance import variance_unbiased

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

TWO = 2


def benchmark_mean(n: ArrayLike, c: ArrayLike, k: ArrayLike, *, exact: bool = False) -> Any:
    """Estimate the mean of pass@k over problems, each with its own n >= k.

    Parameters
    ----------
    n, c : array_like of int, shape (M,)
        Counts of each problem (or one n for all).
    k : int or list of int
        Attempts allowed.
    exact : bool
        Give fractions.

    Returns
    -------
    float, Fraction or ndarray
        One number in [0, 1] for each k.

    Examples
    --------
    >>> benchmark_mean([2, 10, 100], [2, 1, 20], 1, exact=True)
    Fraction(13, 30)
    """
    return _plain(mean_over_problems(_by_problem(pass_at_k(n, c, k, exact=exact), k)))


def population_variance(n: ArrayLike, c: ArrayLike, k: ArrayLike, *, exact: bool = False) -> Any:
    """Estimate the variance of the mean when the problems are a sample: s**2 / M.

    Unbiased also with unequal n. Arguments and results are those of `benchmark_mean`;
    refused for fewer than two problems.

    Examples
    --------
    >>> population_variance([10, 10, 10, 10], [10, 10, 0, 0], 1, exact=True)
    Fraction(1, 12)
    """
    return _plain(variance_of_mean(_by_problem(pass_at_k(n, c, k, exact=exact), k)))


def sampling_variance(n: ArrayLike, c: ArrayLike, k: ArrayLike, *, exact: bool = False) -> Any:
    """Estimate the variance of the mean for these problems only: sum of variances / M**2.

    Unbiased; needs n >= 2k for each problem. Arguments and results are those of
    `benchmark_mean`.

    Examples
    --------
    >>> sampling_variance([4, 4], [2, 4], 1, exact=True)
    Fraction(1, 48)
    """
    each = _by_problem(variance_unbiased(n, c, k, exact=exact), k)
    return _plain(mean_over_problems(each) / each.shape[-1])


def between_variance(n: ArrayLike, c: ArrayLike, k: ArrayLike, *, exact: bool = False) -> Any:
    """Estimate the variance of the true pass@k between problems: s**2 less the sampling noise.

    Unbiased, hence negative at times; report it so. Needs n >= 2k for each problem and two
    problems. Arguments and results are those of `benchmark_mean`.

    Examples
    --------
    >>> between_variance([4, 4], [2, 4], 1, exact=True)
    Fraction(1, 12)
    """
    each = _by_problem(pass_at_k(n, c, k, exact=exact), k)
    noise = _by_problem(variance_unbiased(n, c, k, exact=exact), k)
    return _plain(variance_of_mean(each) * each.shape[-1] - mean_over_problems(noise))


def mean_over_problems(values: ArrayLike) -> NDArray[Any]:
    """Average per-problem values over their last axis; fractions stay fractions."""
    each = np.asarray(values)
    if each.ndim == 0 or each.shape[-1] == 0:
        raise UsageError("no problems: a mean over nothing is no number")
    return np.asarray(np.sum(each, axis=-1) / _whole(each.shape[-1], each))


def variance_of_mean(values: ArrayLike) -> NDArray[Any]:
    """Estimate the variance of the mean of M independent values (last axis): s**2 / M.

    Examples
    --------
    >>> float(variance_of_mean([1, 1, 0, 0]))
    0.08333333333333333
    """
    each = np.asarray(values)
    problems = each.shape[-1]
    if problems < TWO:
        raise UsageError(
            f"a standard error needs at least two problems, got {problems}", problems=problems
        )
    away = each - mean_over_problems(each)[..., None]
    return np.asarray(np.sum(away * away, axis=-1) / _whole(problems * (problems - 1), each))


def cluster_variance(values: ArrayLike, cluster: ArrayLike) -> NDArray[Any]:
    """Estimate the variance of the mean when problems come in clusters (CR1).

    ``G / (G - 1) * sum over clusters of (sum of residuals)**2 / M**2``: exactly unbiased for
    equal clusters. Use it with Student's t on G - 1 degrees of freedom.

    Parameters
    ----------
    values : array_like, shape (..., M)
        Per-problem estimates.
    cluster : array_like, shape (M,)
        The cluster of each problem, any labels.

    Returns
    -------
    ndarray, shape (...)
        Refused for fewer than two clusters.

    Examples
    --------
    >>> float(cluster_variance([1.0, 1.0, 0.0, 0.0], ["a", "a", "b", "b"]))
    0.25
    """
    each = np.asarray(values)
    groups, members = clusters(cluster, each.shape[-1])
    if groups < TWO:
        raise UsageError(f"a clustered standard error needs two clusters, got {groups}")
    away = each - mean_over_problems(each)[..., None]
    sums = np.stack([np.sum(away[..., members == g], axis=-1) for g in range(groups)], axis=-1)
    squares = np.sum(sums * sums, axis=-1) / _whole(each.shape[-1] ** 2, each)
    return np.asarray(squares * (_whole(groups, each) / (groups - 1)))


def clusters(cluster: ArrayLike, problems: int) -> tuple[int, NDArray[np.intp]]:
    """Number the clusters: how many there are, and the one of each problem."""
    labels = np.asarray(cluster)
    if labels.shape != (problems,):
        raise UsageError(f"cluster has shape {labels.shape} for {problems} problems")
    names, members = np.unique(labels, return_inverse=True)
    return names.size, members


def _whole(number: int, like: NDArray[Any]) -> Any:
    """Keep rational arithmetic rational."""
    return Fraction(number) if like.dtype == object else float(number)


def _by_problem(values: Any, k: ArrayLike) -> NDArray[Any]:
    """Put the problems on the last axis, after k if there are several."""
    each = np.asarray(values)
    if each.ndim - np.ndim(k) != 1:
        raise UsageError("n and c must be one list of problems")
    return each if np.ndim(k) == 0 else np.moveaxis(each, -1, 0)


def _plain(values: Any) -> Any:
    given = np.asarray(values)
    return given.item() if given.ndim == 0 else given
