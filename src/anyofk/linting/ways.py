"""Wrong ways to compute pass@k that are in use: each explains a number that is not right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from anyofk.estimates.mean import Counted
from anyofk.stats import pass_at_k, pass_hat_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Way:
    """A wrong way: its name, what was done, why it is wrong, and its number for (n, c, k)."""

    what: str
    done: str
    hint: str
    formula: Callable[[Ints, Ints, int], float | None]


def _plug_in(n: Ints, c: Ints, k: int) -> float:
    return float(np.mean(1 - (1 - c / n) ** k))


def _pooled(n: Ints, c: Ints, k: int) -> float | None:
    return _one(int(n.sum()), int(c.sum()), k)


def _pooled_plug_in(n: Ints, c: Ints, k: int) -> float:
    return float(1 - (1 - int(c.sum()) / int(n.sum())) ** k)


def _problems_as_draws(n: Ints, c: Ints, k: int) -> float | None:
    return _one(n.size, int(np.count_nonzero(c)), k)


def _one(n: int, c: int, k: int) -> float | None:
    return float(pass_at_k(n, c, k)) if n >= k else None


def _short_as_solved(n: Ints, c: Ints, k: int) -> float | None:
    if (n >= k).all():
        return None
    values = pass_at_k(n, c, k, insufficient="nan")
    return float(np.mean(np.where(n - c < k, 1.0, values)))


def _short_left_out(n: Ints, c: Ints, k: int) -> float | None:
    enough = n >= k
    if enough.all() or not enough.any():
        return None
    return float(np.mean(pass_at_k(n[enough], c[enough], k)))


def _cut_to_n(n: Ints, c: Ints, k: int) -> float | None:
    if (n >= k).all():
        return None
    each = np.zeros(n.shape)
    for size in np.unique(np.minimum(n, k)).tolist():
        these = np.minimum(n, k) == size
        each[these] = pass_at_k(n[these], c[these], size)
    return float(np.mean(each))


def _filled_with_failures(n: Ints, c: Ints, k: int) -> float | None:
    most = int(n.max())
    return None if most < k or (n == most).all() else float(np.mean(pass_at_k(most, c, k)))


def _any_of_n(n: Ints, c: Ints, k: int) -> float | None:
    return float(np.mean(c > 0)) if (n >= k).all() else None


def _all_of_k(n: Ints, c: Ints, k: int) -> float | None:
    return float(np.mean(pass_hat_k(n, c, k))) if (n >= k).all() else None


WAYS: Final = (
    Way(
        "short_as_solved",
        "problems with fewer draws than k were counted as solved (n - c < k gives 1)",
        "draw more, or report only k that every problem's n allows",
        _short_as_solved,
    ),
    Way(
        "short_left_out",
        "problems with fewer draws than k were left out",
        "that is another set of problems at each k: draw more, or report smaller k",
        _short_left_out,
    ),
    Way(
        "k_cut_to_n",
        "where n is less than k, pass@n stands for pass@k",
        "draw more, or report only k that every problem's n allows",
        _cut_to_n,
    ),
    Way(
        "filled_with_failures",
        "draws that were never made were counted as failed",
        "use each problem's own n",
        _filled_with_failures,
    ),
    Way(
        "plug_in",
        "it is the mean of 1 - (1 - c/n)**k, which is biased downwards",
        "use 1 - C(n - c, k) / C(n, k) of each problem",
        _plug_in,
    ),
    Way(
        "problems_as_draws",
        "(problems, solved problems) were taken for (n, c)",
        "n and c are one problem's draws; average the estimates over the problems",
        _problems_as_draws,
    ),
    Way(
        "pooled",
        "the counts of all problems were added up before estimating",
        "estimate each problem, then average: pooling lets easy problems hide hard ones",
        _pooled,
    ),
    Way(
        "pooled_plug_in",
        "it is 1 - (1 - p)**k with one p for all problems",
        "estimate each problem, then average: problems differ in p",
        _pooled_plug_in,
    ),
    Way(
        "any_of_n",
        "it is the share of problems with any pass among all n draws, which is pass@n",
        "name it pass@n, or estimate pass@k",
        _any_of_n,
    ),
    Way(
        "all_of_k",
        "it is the chance that all k attempts pass, which is pass^k",
        "name it pass^k",
        _all_of_k,
    ),
)


def numbers_of(counted: Counted, k: int) -> dict[Way, float]:
    """Give the number of each wrong way that gives one here."""
    if not counted.n.size:
        return {}
    found = {way: way.formula(counted.n, counted.c, k) for way in WAYS}
    return {way: number for way, number in found.items() if number is not None}
