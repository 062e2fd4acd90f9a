"""Pure statistics of pass@k: numbers in, numbers out.

No input or output, no clock, no hidden randomness; numpy and scipy only. Arguments come in
the order (n, c, k). Everywhere n is candidates judged, c candidates passed, k attempts
allowed; per-problem values have the problems on their last axis.

One problem
    `pass_at_k`, `fail_at_k`, `pass_hat_k`;
    `variance_unbiased`, `covariance_unbiased`, `variance_given_p`, `variance_unbiased_at`
Many problems
    `benchmark_mean`, `population_variance`, `sampling_variance`, `between_variance`,
    `mean_over_problems`, `variance_of_mean`, `cluster_variance`
Intervals
    `INTERVALS` by name for the target population: `kg_interval` (the default),
    `kg_capped_interval`, `t_interval`, `wilson_interval`, `z_interval`;
    `benchmark_interval` for the target benchmark; `korn_graubard`, `clopper_pearson`
"""

from anyofk.stats.benchmark import benchmark_interval
from anyofk.stats.intervals import (
    INTERVALS,
    MeanInterval,
    clopper_pearson,
    kg_capped_interval,
    kg_interval,
    korn_graubard,
    t_interval,
    wilson_interval,
    z_interval,
)
from anyofk.stats.means import (
    benchmark_mean,
    between_variance,
    cluster_variance,
    mean_over_problems,
    population_variance,
    sampling_variance,
    variance_of_mean,
)
from anyofk.stats.passk import fail_at_k, pass_at_k, pass_hat_k
from anyofk.stats.variance import (
    covariance_unbiased,
    variance_given_p,
    variance_unbiased,
    variance_unbiased_at,
)

__all__ = [
    "INTERVALS",
    "MeanInterval",
    "benchmark_interval",
    "benchmark_mean",
    "between_variance",
    "clopper_pearson",
    "cluster_variance",
    "covariance_unbiased",
    "fail_at_k",
    "kg_capped_interval",
    "kg_interval",
    "korn_graubard",
    "mean_over_problems",
    "pass_at_k",
    "pass_hat_k",
    "population_variance",
    "sampling_variance",
    "t_interval",
    "variance_given_p",
    "variance_of_mean",
    "variance_unbiased",
    "variance_unbiased_at",
    "wilson_interval",
    "z_interval",
]
