"""From two paired runs to one difference at one k."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from anyofk.comparison.pairing import Pair
from anyofk.comparison.record import PairedEstimate
from anyofk.errors import FewDifferencesWarning, FewProblemsWarning, UsageError
from anyofk.estimates.estimate import Caution
from anyofk.stats import (
    Difference,
    difference_band,
    mcnemar_exact,
    minimum_detectable_difference,
    noise_corrected_correlation,
    paired_conservative,
    paired_t,
    pass_at_k,
    sampling_variance,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEW_DIFFERENCES: Final = 10
FEW_CLUSTERS: Final = 10
POWER: Final = 0.8
_ROUNDING: Final = 1e-12  # a standard error below this is 0, computed
INTERVALS: Final[dict[str, Callable[..., Difference]]] = {
    "t": paired_t,
    "conservative": paired_conservative,
}


def compare_at(
    pair: Pair, ks: Sequence[int], *, level: float, interval: str = "auto"
) -> dict[int, PairedEstimate]:
    """Compare two paired runs at each k; every n allows it."""
    method = _method(interval, level)
    a, b = (pass_at_k(*counted, list(ks)).T for counted in (pair.counted_a, pair.counted_b))
    apart = np.asarray(b - a)
    band = difference_band(apart, level=level)
    ends = zip(band.low.tolist(), band.high.tolist(), strict=True)
    return {
        k: _at(pair, k, (a[i], b[i]), ends=low_high, method=method, level=level)
        for i, (k, low_high) in enumerate(zip(ks, ends, strict=True))
    }


def _at(
    pair: Pair,
    k: int,
    values: tuple[Floats, Floats],
    *,
    ends: tuple[float, float],
    method: str,
    level: float,
) -> PairedEstimate:
    a, b = values
    found = INTERVALS[method](b - a, level=level, cluster=pair.cluster)
    differing = int(np.count_nonzero(a != b))
    return PairedEstimate(
        k=k,
        difference=found.value,
        low=max(-1.0, found.low),
        high=min(1.0, found.high),
        level=level,
        method=method,
        se=found.se,
        correlation=_correlation(a, b),
        value_a=float(a.mean()),
        value_b=float(b.mean()),
        problems=a.size,
        differing=differing,
        detectable_difference=_detectable(found.se, level),
        band_low=max(-1.0, ends[0]),
        band_high=min(1.0, ends[1]),
        cautions=tuple(_cautions(pair, differing, method)),
        **_test(pair, k, found.p_value, method),
        **_noise(pair, k, found.se),
        **_n_ranges(pair),
    )


def _detectable(se: float, level: float) -> float:
    return minimum_detectable_difference(se, level=level, power=POWER) if se > 0 else nan


def _method(interval: str, level: float) -> str:
    if not 0 < level < 1:
        raise UsageError(f"the level must lie between 0 and 1, got {level}", level=level)
    method = "t" if interval == "auto" else interval
    if method not in INTERVALS:
        raise UsageError(
            f"no interval called {interval!r} for a difference",
            hint=f"there are: auto, {', '.join(INTERVALS)}",
            interval=interval,
        )
    return method


def _test(pair: Pair, k: int, by_interval: float, method: str) -> dict[str, Any]:
    """With one draw a problem the exact test replaces the one that goes with the interval."""
    (n_a, c_a), (n_b, c_b) = pair.counted_a, pair.counted_b
    single = k == 1 and bool(np.all(n_a == 1) and np.all(n_b == 1))
    if not single or pair.clustered:
        return {"p_value": by_interval, "test": method}
    only_a, only_b = (int(np.count_nonzero(x > y)) for x, y in ((c_a, c_b), (c_b, c_a)))
    return {"p_value": mcnemar_exact(only_a, only_b), "test": "mcnemar-exact"}


def _correlation(a: Floats, b: Floats) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return nan
    return float(np.corrcoef(a, b)[0, 1])


def _noise(pair: Pair, k: int, se: float) -> dict[str, Any]:
    """Take the draws' noise apart, where n allows an unbiased estimate of it."""
    if pair.least_n < 2 * k:
        return {"noise_corrected_correlation": nan, "sampling_share": nan}
    sides = pair.counted_a, pair.counted_b
    sampling = sum(float(sampling_variance(*counted, k)) for counted in sides)
    return {
        "noise_corrected_correlation": noise_corrected_correlation(*sides, k),
        "sampling_share": sampling / se**2 if se > _ROUNDING else nan,
    }


def _n_ranges(pair: Pair) -> dict[str, Any]:
    ranges = {"a": pair.counted_a[0], "b": pair.counted_b[0]}
    ends = {"min": np.min, "max": np.max}
    return {f"n_{end}_{side}": int(of(n)) for side, n in ranges.items() for end, of in ends.items()}


def _few(differing: int, problems: int) -> str:
    if not differing:
        return (
            f"none of {problems} problems differs: the interval allows for problems too rare to "
            "be among them"
        )
    verb = "differs" if differing == 1 else "differ"
    return (
        f"only {differing} of {problems} problems {verb}: a t interval may cover too little; "
        "the interval 'conservative' holds its level"
    )


def _cautions(pair: Pair, differing: int, method: str) -> Iterator[Caution]:
    yield from pair.cautions()
    if differing < FEW_DIFFERENCES and method == "t":
        yield Caution(_few(differing, len(pair.problems)), FewDifferencesWarning)
    cluster: Any = pair.cluster
    if cluster is not None and (units := np.unique(cluster).size) < FEW_CLUSTERS:
        yield Caution(
            f"only {units} clusters: a standard error from so few is itself uncertain",
            FewProblemsWarning,
        )
