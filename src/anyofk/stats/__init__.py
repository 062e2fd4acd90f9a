"""Pure statistics of pass@k: numbers in, numbers out.

No input or output, no clock, no hidden randomness; numpy and scipy only. Arguments come in
the order (n, c, k). Everywhere n is candidates judged, c candidates passed, k attempts
allowed; per-problem values have the problems on their last axis.

One problem
    `pass_at_k`, `fail_at_k`, `pass_hat_k`; `at_least_j_of_k`, `g_pass_at_k`,
    `mg_pass_at_k`; `max_at_k`, `best_of_k` and `best_of_k_variance`, `maj_at_k`;
    `variance_unbiased`, `covariance_unbiased`, `variance_given_p`, `variance_unbiased_at`;
    `pass_at_k_inverse` and `pass_at_k_stopped` for draws ended by what they showed;
    `counts_of_outcomes`, `misjudged_chance`
Many problems
    `benchmark_mean`, `population_variance`, `sampling_variance`, `between_variance`,
    `mean_over_problems`, `variance_of_mean`, `cluster_variance`; `carried_shares`,
    `gradient_weight`, `gain_threshold`; `selection_accuracy`
Intervals
    `INTERVALS` by name for the target population: `kg_interval` (the default),
    `kg_capped_interval`, `t_interval`, `wilson_interval`, `z_interval`;
    `benchmark_interval` for the target benchmark; `korn_graubard`, `clopper_pearson`;
    `curve_band` for one run's curve; `bootstrap_interval`, `bootstrap_means`;
    `posterior_pass_at_k`
Two models or more
    `paired_differences`, `paired_t`, `paired_conservative`, `conservative_ends`,
    `paired_variance`, `paired_covariance`, `paired_non_inferiority`,
    `noise_corrected_correlation`; `difference_band`, `stretches`, `crossings`; `holm`,
    `benjamini_hochberg`, `rank_intervals`, `mcnemar_exact`
Planning
    `pilot_of_run`, `pilot_of_pair`; `problems_for`, `draws_for`, `affordable_plans`,
    `neyman_allocation`, `minimum_detectable_difference`, `se_for_difference`,
    `se_for_half_width`
Beyond n, as a guess
    `extrapolate_pass_at_k`, `fit_beta`
Training
    `pass_at_k_weights`, `dead_group_share`
"""

from anyofk.stats.accuracy import Accuracy, selection_accuracy
from anyofk.stats.allocation import Plan, affordable_plans, neyman_allocation
from anyofk.stats.bands import Band, Stretch, crossings, curve_band, difference_band, stretches
from anyofk.stats.benchmark import benchmark_interval
from anyofk.stats.extrapolation import Beta, Extrapolation, extrapolate_pass_at_k, fit_beta
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
from anyofk.stats.multiplicity import benjamini_hochberg, holm, mcnemar_exact, rank_intervals
from anyofk.stats.pairs import (
    Difference,
    conservative_ends,
    noise_corrected_correlation,
    paired_conservative,
    paired_covariance,
    paired_differences,
    paired_non_inferiority,
    paired_t,
    paired_variance,
)
from anyofk.stats.passk import fail_at_k, pass_at_k, pass_hat_k
from anyofk.stats.planning import (
    Pilot,
    draws_for,
    minimum_detectable_difference,
    pilot_of_pair,
    pilot_of_run,
    problems_for,
    se_for_difference,
    se_for_half_width,
)
from anyofk.stats.posterior import Credible, Posterior, posterior_pass_at_k
from anyofk.stats.resampling import bootstrap_interval, bootstrap_means
from anyofk.stats.selection import best_of_k, best_of_k_variance, max_at_k
from anyofk.stats.shares import (
    carried_shares,
    counts_of_outcomes,
    gain_threshold,
    gradient_weight,
    misjudged_chance,
)
from anyofk.stats.stopping import pass_at_k_inverse, pass_at_k_stopped
from anyofk.stats.thresholds import at_least_j_of_k, g_pass_at_k, mg_pass_at_k
from anyofk.stats.variance import (
    covariance_unbiased,
    variance_given_p,
    variance_unbiased,
    variance_unbiased_at,
)
from anyofk.stats.weight_tables import Baseline
from anyofk.stats.weights import dead_group_share, pass_at_k_weights

__all__ = [
    "INTERVALS",
    "Accuracy",
    "Band",
    "Baseline",
    "Beta",
    "Credible",
    "Difference",
    "Extrapolation",
    "MeanInterval",
    "Pilot",
    "Plan",
    "Posterior",
    "Stretch",
    "affordable_plans",
    "at_least_j_of_k",
    "benchmark_interval",
    "benchmark_mean",
    "benjamini_hochberg",
    "best_of_k",
    "best_of_k_variance",
    "between_variance",
    "bootstrap_interval",
    "bootstrap_means",
    "carried_shares",
    "clopper_pearson",
    "cluster_variance",
    "conservative_ends",
    "counts_of_outcomes",
    "covariance_unbiased",
    "crossings",
    "curve_band",
    "dead_group_share",
    "difference_band",
    "draws_for",
    "extrapolate_pass_at_k",
    "fail_at_k",
    "fit_beta",
    "g_pass_at_k",
    "gain_threshold",
    "gradient_weight",
    "holm",
    "kg_capped_interval",
    "kg_interval",
    "korn_graubard",
    "maj_at_k",
    "max_at_k",
    "mcnemar_exact",
    "mean_over_problems",
    "mg_pass_at_k",
    "minimum_detectable_difference",
    "misjudged_chance",
    "neyman_allocation",
    "noise_corrected_correlation",
    "paired_conservative",
    "paired_covariance",
    "paired_differences",
    "paired_non_inferiority",
    "paired_t",
    "paired_variance",
    "pass_at_k",
    "pass_at_k_inverse",
    "pass_at_k_stopped",
    "pass_at_k_weights",
    "pass_hat_k",
    "pilot_of_pair",
    "pilot_of_run",
    "population_variance",
    "posterior_pass_at_k",
    "problems_for",
    "rank_intervals",
    "sampling_variance",
    "se_for_difference",
    "se_for_half_width",
    "selection_accuracy",
    "stretches",
    "t_interval",
    "variance_given_p",
    "variance_of_mean",
    "variance_unbiased",
    "variance_unbiased_at",
    "wilson_interval",
    "z_interval",
]
