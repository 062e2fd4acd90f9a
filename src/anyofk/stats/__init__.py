"""Pure statistics of pass@k: numbers in, numbers out.

No input or output, no clock, no hidden randomness; numpy and scipy only. Arguments come in
the order (n, c, k). Everywhere n is candidates judged, c candidates passed, k attempts
allowed; per-problem values have the problems on their last axis.

One problem
    `pass_at_k`, `fail_at_k`, `pass_hat_k`; `at_least_j_of_k`, `g_pass_at_k`,
    `mg_pass_at_k`; `max_at_k`, `best_of_k` and `best_of_k_variance`, `maj_at_k`;
    `variance_unbiased`, `covariance_unbiased`, `variance_given_p`, `variance_unbiased_at`;
    `pass_at_k_inverse` and `pass_at_k_stopped` for draws ended by what they showed
Many problems
    `benchmark_mean`, `population_variance`, `sampling_variance`, `between_variance`,
    `mean_over_problems`, `variance_of_mean`, `cluster_variance`
Intervals
    `INTERVALS` by name for the target population: `kg_interval` (the default),
    `kg_capped_interval`, `t_interval`, `wilson_interval`, `z_interval`;
    `benchmark_interval` for the target benchmark; `korn_graubard`, `clopper_pearson`
Two models
    `paired_differences`, `paired_t`, `paired_conservative`, `paired_variance`,
    `paired_covariance`, `noise_corrected_correlation`
Training
    `pass_at_k_weights`, `dead_group_share`
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
from anyofk.stats.majority import maj_at_k
from anyofk.stats.means import (
    benchmark_mean,
    between_variance,
    cluster_variance,
    mean_over_problems,
    population_variance,
    sampling_variance,
    variance_of_mean,
)
from anyofk.stats.pairs import (
    Difference,
    noise_corrected_correlation,
    paired_conservative,
    paired_covariance,
    paired_differences,
    paired_t,
    paired_variance,
)
from anyofk.stats.passk import fail_at_k, pass_at_k, pass_hat_k
from anyofk.stats.selection import best_of_k, best_of_k_variance, max_at_k
from anyofk.stats.stopping import pass_at_k_inverse, pass_at_k_stopped
from anyofk.stats.thresholds import at_least_j_of_k, g_pass_at_k, mg_pass_at_k
from anyofk.stats.variance import (
    covariance_unbiased,
    variance_given_p,
    variance_unbiased,
    variance_unbiased_at,
)
from anyofk.stats.weights import Baseline, dead_group_share, pass_at_k_weights

__all__ = [
    "INTERVALS",
    "Baseline",
    "Difference",
    "MeanInterval",
    "at_least_j_of_k",
    "benchmark_interval",
    "benchmark_mean",
    "best_of_k",
    "best_of_k_variance",
    "between_variance",
    "clopper_pearson",
    "cluster_variance",
    "covariance_unbiased",
    "dead_group_share",
    "fail_at_k",
    "g_pass_at_k",
    "kg_capped_interval",
    "kg_interval",
    "korn_graubard",
    "maj_at_k",
    "max_at_k",
    "mean_over_problems",
    "mg_pass_at_k",
    "noise_corrected_correlation",
    "paired_conservative",
    "paired_covariance",
    "paired_differences",
    "paired_t",
    "paired_variance",
    "pass_at_k",
    "pass_at_k_inverse",
    "pass_at_k_stopped",
    "pass_at_k_weights",
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
