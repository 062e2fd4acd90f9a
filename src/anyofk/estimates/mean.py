"""The mean over problems as an estimate: its errors, its interval, and what to be wary of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import FewProblemsWarning, UnequalDrawsWarning, UsageError
from anyofk.estimates.estimate import Caution, Estimate, Target
from anyofk.records import Counts
from anyofk.stats import (
    INTERVALS,
    MeanInterval,
    benchmark_interval,
    benchmark_mean,
    cluster_variance,
    korn_graubard,
    pass_at_k,
    sampling_variance,
    variance_of_mean,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT_METHOD = "kg"
BENCHMARK_METHOD = "kg-gamma"
FEW_CARRIERS = 5.0
FEW_CLUSTERS = 10
_ROUNDING = 1e-24  # a variance of values in [0, 1] below this is 0, computed


@dataclass(frozen=True)
class Counted:
    """Counts of all problems as arrays, in one order."""

    n: NDArray[np.int64]
    c: NDArray[np.int64]
    cluster: NDArray[Any] | None

    @classmethod
    def of(cls, counts: Sequence[Counts]) -> Counted:
        """Lay counts out; they have clusters all or none."""
        names = [c.cluster for c in counts]
        clusters = np.array(names, dtype=str) if names and None not in names else None
        n, c = ([getattr(row, name) for row in counts] for name in ("n", "c"))
        return cls(np.array(n, dtype=np.int64), np.array(c, dtype=np.int64), clusters)


def estimate_mean(
    counted: Counted, k: int, *, target: Target, level: float, interval: str
) -> Estimate:
    """Estimate pass@k of all problems together; every n is at least k."""
    values = np.atleast_1d(pass_at_k(counted.n, counted.c, k))
    total, sampling = _total_variance(values, counted.cluster), _sampling_variance(counted, k)
    method = _method(target, interval)
    low, high, n_eff = _interval(counted, values, k, level, method)
    variance = sampling if target == "benchmark" else total
    cautions = tuple(_cautions(counted, values, target))
    return Estimate(
        k=k,
        value=float(benchmark_mean(counted.n, counted.c, k)),
        se=sqrt(variance),
        low=float(low),
        high=float(high),
        level=level,
        method=method,
        target=target,
        problems=values.size,
        n_min=int(counted.n.min()),
        n_max=int(counted.n.max()),
        n_eff=float(n_eff),
        sampling_se=sqrt(sampling),
        sampling_share=sampling / total if total > _ROUNDING else nan,
        clusters=_clusters(counted),
        cautions=cautions,
    )


def _total_variance(values: NDArray[Any], cluster: NDArray[Any] | None) -> float:
    """Estimate the variance of the mean with the problems as a sample; nan for one problem."""
    if cluster is not None and np.unique(cluster).size > 1:
        return float(cluster_variance(values, cluster))
    return float(variance_of_mean(values)) if cluster is None and values.size > 1 else nan


def _sampling_variance(counted: Counted, k: int) -> float:
    """Estimate the variance by the draws alone; nan where some n < 2k allows no such estimate."""
    if int(counted.n.min()) < 2 * k:
        return nan
    return float(sampling_variance(counted.n, counted.c, k))


def _method(target: Target, interval: str) -> str:
    if target not in ("population", "benchmark"):
        raise UsageError(f"target must be 'population' or 'benchmark', not {target!r}")
    known = list(INTERVALS) if target == "population" else [BENCHMARK_METHOD]
    if interval == "auto":
        return DEFAULT_METHOD if target == "population" else BENCHMARK_METHOD
    if interval not in known:
        raise UsageError(
            f"no interval called {interval!r} for the target {target!r}",
            hint=f"there are: auto, {', '.join(known)}",
            interval=interval,
        )
    return interval


def _interval(
    counted: Counted, values: NDArray[Any], k: int, level: float, method: str
) -> MeanInterval:
    if method == BENCHMARK_METHOD:
        return benchmark_interval(counted.n, counted.c, k, level=level)
    if method in ("kg", "kg-capped") and _units(counted) == 1:
        # one unit says as much as one 0/1 trial, whatever is in it
        return korn_graubard(values.mean(), 0.0, 1, level=level, hard_cap=True)
    return INTERVALS[method](values, level=level, cluster=counted.cluster)


def _units(counted: Counted) -> int:
    return _clusters(counted) or counted.n.size


def _clusters(counted: Counted) -> int | None:
    return None if counted.cluster is None else int(np.unique(counted.cluster).size)


def _cautions(counted: Counted, values: NDArray[Any], target: Target) -> Iterator[Caution]:
    low, high = int(counted.n.min()), int(counted.n.max())
    if low < high:
        yield Caution(
            f"problems have different n, from {low} to {high}; each counts the same",
            UnequalDrawsWarning,
        )
    if target == "benchmark":
        return
    clusters = _clusters(counted)
    if clusters is not None and clusters < FEW_CLUSTERS:
        yield Caution(
            f"only {clusters} clusters: a standard error from so few is itself uncertain",
            FewProblemsWarning,
        )
    carriers = _carriers(values)
    # where there are hardly more problems than that, their number says it already
    if carriers < FEW_CARRIERS and values.size >= 2 * FEW_CARRIERS:
        yield Caution(
            f"about {max(1, round(carriers))} of {values.size} problems carry the estimate: "
            "another sample of problems may look quite different",
            FewProblemsWarning,
        )


def _carriers(values: NDArray[Any]) -> float:
    """Count the problems that make the mean differ from 0, or from 1, whichever are fewer.

    The participation number: (sum v)**2 / sum v**2, which is j where j problems share alike.
    """
    sides = (values, 1 - values)
    found = [float(side.sum() ** 2 / (side @ side)) for side in sides if side.any()]
    return min(found)
