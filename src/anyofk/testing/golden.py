"""Every function of the golden values, under the names and arguments used there.

The public names are free to be good ones; this map ties them to exact reference values.
Numbers written as ``"a/b"`` are read as fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def _rational(values: Sequence[Any]) -> Any:
    result = np.empty(len(values), dtype=object)
    result[:] = [Fraction(value) for value in values]
    return result


def _numbers(values: Sequence[Any], *, exact: bool) -> Any:
    rational = _rational(values)
    return rational if exact else rational.astype(np.float64)


def _weights(baseline: str) -> Callable[..., list[Any]]:
    def weigh(
        rewards: Sequence[Any] = (), k: int = 1, *, v: Sequence[int] = (), exact: bool = False
    ) -> list[Any]:
        given = _numbers(rewards if len(rewards) else v, exact=exact)
        return list(stats.pass_at_k_weights(given, k, baseline=baseline))  # type: ignore[arg-type]  # checked there

    return weigh


def _best_of_k(scores: Sequence[Any], values: Sequence[Any], k: int, *, exact: bool = False) -> Any:
    rank, worth = _numbers(scores, exact=exact), _numbers(values, exact=exact)
    return stats.best_of_k(rank, worth, k, exact=exact)


def _best_of_k_variance(
    scores: Sequence[Any], values: Sequence[Any], k: int, *, exact: bool = False
) -> Any:
    return stats.best_of_k_variance(_rational(scores), _rational(values), k, exact=exact)


def _max_at_k(rewards: Sequence[Any], k: int, *, exact: bool = False) -> Any:
    return stats.max_at_k(_numbers(rewards, exact=exact), k, exact=exact)


def _maj_at_k(
    counts: Sequence[int],
    correct: Sequence[bool],
    k: int,
    abstain: int = 0,
    *,
    exact: bool = False,
) -> Any:
    return stats.maj_at_k(counts, correct, k, abstain=abstain, exact=exact)


def _covariance(n: int, c: int, k: int, l: int, *, exact: bool = False) -> Any:  # noqa: E741 -- its name there
    return stats.covariance_unbiased(n, c, k, l, exact=exact)


def _variance_at(n: int, c: int, k: int, n_new: int, *, exact: bool = False) -> Any:
    return stats.variance_unbiased_at(n, c, k, n_new, exact=exact)


def _inverse(N: int, r: int, k: int, *, exact: bool = False) -> Any:  # noqa: N803 -- its name there
    return stats.pass_at_k_inverse(N, r, k, exact=exact)


def _cluster_variance(
    n: Sequence[int], c: Sequence[int], k: int, cluster: Sequence[Any], *, exact: bool = False
) -> Any:
    values = stats.pass_at_k(n, c, k, exact=exact)
    return np.asarray(stats.cluster_variance(values, cluster)).item()


def _paired(formula: Callable[..., Any]) -> Callable[..., Any]:
    def pair(
        na: Sequence[int],
        ca: Sequence[int],
        nb: Sequence[int],
        cb: Sequence[int],
        k: int,
        *,
        exact: bool = False,
    ) -> Any:
        return formula((na, ca), (nb, cb), k, exact=exact)

    return pair


golden_functions: Mapping[str, Callable[..., Any]] = {
    "bench_between": stats.between_variance,
    "bench_mean": stats.benchmark_mean,
    "bench_var_sampling": stats.sampling_variance,
    "bench_var_total": stats.population_variance,
    "best_of_k": _best_of_k,
    "best_of_k_variance_unbiased": _best_of_k_variance,
    "chen2025_advantage_times_sigma": _weights("chen2025_unscaled"),
    "cluster_var_cr1": _cluster_variance,
    "covariance_unbiased": _covariance,
    "fail_at_k": stats.fail_at_k,
    "g_pass_at_k": stats.g_pass_at_k,
    "inverse_sampling_pass_at_k": _inverse,
    "maj_at_k": _maj_at_k,
    "max_at_k": _max_at_k,
    "mg_pass_at_k": stats.mg_pass_at_k,
    "paired_cov": _paired(stats.paired_covariance),
    "paired_var": _paired(stats.paired_variance),
    "pass_at_k": stats.pass_at_k,
    "pass_hat_k": stats.pass_hat_k,
    "variance_given_p": stats.variance_given_p,
    "variance_unbiased": stats.variance_unbiased,
    "variance_unbiased_at": _variance_at,
    "weights_loo": _weights("loo"),
    "weights_loo_binary": _weights("loo_minus_one"),
    "weights_loo_minus_one": _weights("loo_minus_one"),
    "weights_mean_centred": _weights("mean_centred"),
    "weights_none": _weights("none"),
    "weights_pkpo_sloo_listing": _weights("pkpo_sloo"),
    "weights_rloo": _weights("loo"),
}
"""Callables for `golden.json`; with ``exact=True`` they give fractions."""
