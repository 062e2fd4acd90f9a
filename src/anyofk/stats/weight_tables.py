"""The numbers behind the training weights of one group size, as tables on the host.

With rewards in ascending order ``g_0 <= ... <= g_{n-1}`` and ``A_r = C(r, k - 1) / C(n, k)``,
the chance that the candidate of rank r is the best of k, the credits rise by
``s_r - s_{r-1} = A_{r-1} (g_r - g_{r-1})``, and the leave-one-out weights against the best
of k - 1 others rise by ``A_r (g_r - g_{r-1})``. So every weight is a running sum of terms
that are not negative, and no digit is lost to an offset of the rewards.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.stats.passk import fail_at_k, pass_at_k
from anyofk.stats.selection import best_rank_chances

if TYPE_CHECKING:
    from numpy.typing import NDArray

Baseline = Literal[
    "auto",
    "none",
    "loo",
    "loo_minus_one",
    "loo_weighted",
    "pkpo_sloo",
    "mean_centred",
    "grpo",
    "chen2025",
    "chen2025_unscaled",
]
KNOWN: tuple[str, ...] = get_args(Baseline)
BINARY_ONLY = ("loo_weighted", "chen2025", "chen2025_unscaled")
LOO_FROM = 4  # n / k from which `auto` takes loo: below, its baseline is the noisier one


class Ranked(NamedTuple):
    """Weights of sorted rewards: ``spread * S + level * s_0 + centre * mean(S)``.

    ``S`` is the running sum of ``rise * (g_r - g_{r-1})`` and ``s_0`` the sum of
    ``lowest * g_r``, the credit of the lowest.
    """

    rise: NDArray[Any]
    lowest: NDArray[Any]
    spread: Any
    level: Any
    centre: Any


class Binary(NamedTuple):
    """Weights of a passed and of a failed candidate by the passes in its group, 0 to n."""

    passed: NDArray[Any]
    failed: NDArray[Any]


def settle(n: int, k: int, baseline: str) -> str:
    """Settle which form a group of n gets, by n and k alone, or refuse."""
    if baseline not in KNOWN:
        raise UsageError(f"no baseline called {baseline!r}", hint=f"known: {', '.join(KNOWN)}")
    if baseline == "grpo" and k != 1:
        raise UsageError(f"grpo aims at pass@1, got k={k}", hint="use loo, or chen2025", k=k)
    rule = baseline
    if baseline == "auto":
        rule = "loo" if n > k and (k == 1 or n >= LOO_FROM * k) else "loo_minus_one"
    need = {"loo": k + 1, "pkpo_sloo": k + 1, "loo_weighted": max(k, 2)}.get(rule, k)
    if n < need:
        raise TooFewDrawsError(
            f"the {rule} weights for pass@{k} need groups of at least {need}, got one of n={n}",
            hint="draw more, ask for a smaller k, or leave the group out",
            k=k,
            smallest_n=n,
            problems=1,
        )
    return rule


@lru_cache(maxsize=256)
def ranked_table(n: int, k: int, rule: str, *, exact: bool = False) -> Ranked:
    """Give the table of one form for rewards of any kind."""
    one: Any = Fraction(1) if exact else 1.0
    best = best_rank_chances(n, k, exact=exact)
    before = np.concatenate([[one * 0], best[:-1]])
    lowest = before * 0
    if k == 1:
        lowest[0] = one / n
    else:
        lowest[1:] = best_rank_chances(n - 1, k - 1, exact=exact) * (one * k / n)
    if rule == "loo_minus_one" and k > 1:
        return Ranked(best, lowest, one, one * 0, one * 0)
    return Ranked(before, lowest, *_combination(n, k, rule, one))


def _combination(n: int, k: int, rule: str, one: Any) -> tuple[Any, Any, Any]:
    """Give the factors of the spread, the lowest credit and the mean."""
    if rule in ("none", "loo_minus_one"):
        return one, one, one * 0
    if rule == "mean_centred":
        return one, one * 0, -one
    left_out = one * n / (n - k)
    if rule == "loo":
        return left_out, one * 0, -left_out
    # as printed for PKPO: the others' best of k times k / (n - 1), where k / n would do
    share = one / (n - 1)
    return share * (n * left_out - 1), -share, -share * n * left_out


@lru_cache(maxsize=256)
def binary_table(n: int, k: int, rule: str, *, exact: bool = False) -> Binary:
    """Give the table of one form for 0/1 rewards.

    F is the chance that k - 1 of the others hold no pass; a failed candidate's others hold
    c passes, a passed one's c - 1.
    """
    one: Any = Fraction(1) if exact else 1.0
    share, passes = one * k / n, np.arange(n + 1)
    fails, succeeds = _others(n - 1, k - 1, exact=exact)
    of_failed, of_passed = np.append(fails, one * 0), np.append(one * 0, fails)
    if rule == "none":
        return Binary(np.full(n + 1, share), np.append(succeeds, one * 0) * share)
    if rule == "loo_minus_one":
        return Binary(of_passed * share, of_passed * 0)
    if rule == "loo_weighted":
        part = share / (n - 1)
        return Binary(of_passed * (n - passes) * part, -of_failed * passes * part)
    if rule == "pkpo_sloo":
        return _as_printed(n, k, exact=exact)
    scale = of_failed * _scale(n, k, rule, one)
    if rule in ("chen2025", "grpo"):
        scale = scale / _spread(n, k)
    return Binary(scale * (n - passes) / n, -scale * passes / n)


def _scale(n: int, k: int, rule: str, one: Any) -> Any:
    """Give what multiplies ``F * (V - c / n)``."""
    return {"loo": lambda: one * k / (n - k), "mean_centred": lambda: one * k / n}.get(
        rule, lambda: one
    )()


def _spread(n: int, k: int) -> NDArray[np.float64]:
    """Give the standard deviation of pass or fail of a k-subset; 1 where there is none."""
    passes = np.arange(n + 1)
    variance = np.asarray(pass_at_k(n, passes, k)) * np.asarray(fail_at_k(n, passes, k))
    return np.asarray(np.sqrt(np.where(variance > 0, variance, 1.0)))


def _as_printed(n: int, k: int, *, exact: bool) -> Binary:
    """Give PKPO's printed form: credit less k / (n - 1) times the others' best of k."""
    credit = binary_table(n, k, "none", exact=exact)
    left_out = binary_table(n, k, "loo", exact=exact)
    both = zip(credit, left_out, strict=True)
    return Binary(
        *(s - (s - loo) * (Fraction(n, n - 1) if exact else n / (n - 1)) for s, loo in both)
    )


def _others(n: int, k: int, *, exact: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Give the chances that k of n hold no pass, or one, for 0 to n passes; k may be 0."""
    one: Any = Fraction(1) if exact else 1.0
    passes = np.arange(n + 1)
    if k == 0:
        return np.full(n + 1, one), np.full(n + 1, one * 0)
    return (
        np.asarray(fail_at_k(n, passes, k, exact=exact)),
        np.asarray(pass_at_k(n, passes, k, exact=exact)),
    )
