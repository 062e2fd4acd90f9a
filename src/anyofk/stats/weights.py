"""How much each candidate of a group adds to the gradient of pass@k (or max@k).

All weights follow the sum convention: ``sum over i of w[i] * grad log p(candidate i)``
estimates the gradient of pass@k (of the mean of the largest of k rewards). Multiply by n
where a trainer averages over the group.

The *credit* s of a candidate is the share of k-subsets that hold it, times their best
reward: ``s_i = sum over subsets I with i of max(I) / C(n, k)``. A baseline that does not
depend on candidate i leaves the estimate unbiased.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyofk.errors import UsageError
from anyofk.stats.arguments import budgets
from anyofk.stats.arrays import Group, read_group
from anyofk.stats.weight_tables import (
    BINARY_ONLY,
    Baseline,
    binary_table,
    ranked_table,
    settle,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def pass_at_k_weights(
    rewards: Any, k: int, *, baseline: Baseline = "auto", mask: ArrayLike | None = None
) -> Any:
    """Weight each candidate by its part in pass@k, for policy gradients.

    With 0/1 rewards the aim is pass@k, else the mean of the largest of k rewards. Unbiased
    baselines: ``none``; ``loo`` (needs n > k; at k = 1 it is RLOO); ``loo_minus_one`` (the
    others' best of k - 1; at k = 1 there is none, so no baseline); ``loo_weighted`` (0/1
    only, any k up to n); ``pkpo_sloo`` (as printed for PKPO [1]_: more variance, and not
    zero on constant groups). ``auto`` decides by n and k alone, since a choice by what was
    seen is biased: ``loo`` if k = 1 or n >= 4k, else ``loo_minus_one``.

    By name only, because they estimate something else: ``mean_centred`` estimates
    ``(1 - k/n)`` times the gradient, which is nothing at k = n; ``grpo`` is
    (r - mean) / std and knows only k = 1; ``chen2025`` is the analytic advantage of [2]_,
    whose division by the group's spread flattens the weights between problems;
    ``chen2025_unscaled`` is the same without it, ``n / k`` times ``mean_centred``. These
    last three are advantages, to be averaged over the group and not summed.

    Parameters
    ----------
    rewards : array, shape (..., n)
        A group of candidates on the last axis: numpy, or with array-api-compat installed
        torch, jax and others. bool is 0/1. An object array of fractions is computed
        exactly. nan and None count as masked.
    k : int
        Attempts allowed.
    baseline : str
        See above.
    mask : array of bool, shape (..., n), optional
        True where a candidate counts. The others get weight 0 and have no part in the
        group; the weights stay unbiased only if it does not depend on the outcome whether
        a candidate counts.

    Returns
    -------
    array like rewards, shape (..., n)
        Weights in the float type of the rewards (the default one for integers and bool),
        on the same device.

    Raises
    ------
    TooFewDrawsError
        If a group has fewer candidates that count than the baseline needs.

    Notes
    -----
    The sizes of the groups must be known before the weights: with a mask or float rewards
    they are read from the device, so that only bool rewards without a mask can be traced
    by a compiler such as that of jax.

    References
    ----------
    .. [1] Walder and Karkhanis (2025), Pass@K Policy Optimization.
    .. [2] Chen et al. (2025), Pass@k Training.

    Examples
    --------
    >>> pass_at_k_weights([1, 0, 0, 1, 0], 2, baseline="mean_centred").round(2).tolist()
    [0.12, -0.08, -0.08, 0.12, -0.08]
    >>> pass_at_k_weights([1.0, float("nan"), 0.0, 1.0], 1).round(3).tolist()
    [0.167, 0.0, -0.333, 0.167]
    """
    budget = int(budgets(k))
    group = read_group(rewards, mask)
    plan = {size: settle(size, budget, baseline) for size in group.distinct_sizes}
    if baseline in BINARY_ONLY and not group.is_binary():
        raise UsageError(f"the baseline {baseline!r} is for 0/1 rewards")
    if baseline == "grpo" and not group.known_binary:
        return _standardised(group)
    if group.known_binary or baseline in BINARY_ONLY:
        return _binary(group, budget, plan)
    return _ranked(group, budget, plan)


def dead_group_share(rewards: Any, k: int, *, baseline: Baseline = "auto") -> float:
    """Give the share of groups whose weights are all zero, and so teach nothing.

    Arguments are those of `pass_at_k_weights`. With a leave-one-out form groups without a
    pass are dead, and those with so many that almost every k-subset holds one.

    Examples
    --------
    >>> dead_group_share([[1, 0, 0, 0], [0, 0, 0, 0]], 2)
    0.5
    """
    group = read_group(pass_at_k_weights(rewards, k, baseline=baseline), None)
    xp = group.xp
    alive = xp.astype(xp.any(group.rewards != 0, axis=-1), group.rewards.dtype)
    return 1.0 - float(xp.sum(alive)) / max(1, group.sizes.size)


def _binary(group: Group, k: int, plan: dict[int, str]) -> Any:
    """Look up the weights by the group's size and its passes."""
    xp, exact = group.xp, group.exact
    tables = [binary_table(size, k, rule, exact=exact) for size, rule in plan.items()]
    hits = (group.rewards == 1) & group.counted
    passes = xp.sum(xp.astype(hits, xp.int32), axis=-1)
    good = group.look_up([table.passed for table in tables], passes)
    bad = group.look_up([table.failed for table in tables], passes)
    weights = xp.where(hits, good[..., None], bad[..., None])
    return xp.where(group.counted, weights, xp.zeros_like(weights))


def _ranked(group: Group, k: int, plan: dict[int, str]) -> Any:
    """Sort the rewards, add up the rises of the weights, and put them back in place."""
    xp = group.xp
    tables = [ranked_table(size, k, rule, exact=group.exact) for size, rule in plan.items()]
    order = group.order()
    ranked = xp.take_along_axis(group.rewards, order, axis=-1)
    rises = ranked[..., 1:] - ranked[..., :-1]  # times 0 up to the lowest that counts
    risen = group.running_sum(group.rows([table.rise for table in tables])[..., 1:] * rises)
    risen = xp.concat([group.rewards[..., :1] * 0, risen], axis=-1)
    lowest = xp.sum(group.rows([table.lowest for table in tables]) * ranked, axis=-1, keepdims=True)
    sizes = group.numbers([[size] for size in plan])
    mean = xp.sum(risen, axis=-1, keepdims=True) / sizes
    spread, level, centre = (
        group.numbers([[table[part]] for table in tables]) for part in (2, 3, 4)
    )
    weights = spread * risen + (level * lowest + centre * mean)
    weights = xp.take_along_axis(weights, xp.argsort(order, axis=-1), axis=-1)
    return xp.where(group.counted, weights, xp.zeros_like(weights))


def _standardised(group: Group) -> Any:
    """Give (r - mean) / std over those who count, std without Bessel's correction; 0 if it is 0."""
    xp = group.xp
    sizes = group.numbers([[size] for size in group.distinct_sizes])
    mean = xp.sum(group.rewards, axis=-1, keepdims=True) / sizes
    away = xp.where(group.counted, group.rewards - mean, group.rewards * 0)
    spread = xp.sqrt(xp.sum(away * away, axis=-1, keepdims=True) / sizes)
    return xp.where(spread > 0, away / xp.where(spread > 0, spread, spread + 1), away * 0)
