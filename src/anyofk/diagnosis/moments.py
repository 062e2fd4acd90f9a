"""What a pattern in the order of draws would be by chance: exact moments under permutation.

If the draws of a problem are independent and alike, every order of them is as likely. Under
that law the mean and the variance of each statistic here are known exactly, and sums over
problems are close to a gamma law with the same moments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

LEAST_VARIANCE = 2.0
"""Below this there is too little to look at for the limit law to hold."""
THREE = 3


class Observed(NamedTuple):
    """A statistic, with its mean and variance by chance."""

    value: float
    mean: float
    variance: float


def added(parts: Iterable[Observed]) -> Observed:
    """Add independent statistics up."""
    listed = list(parts)
    return (
        Observed(*(float(sum(column)) for column in zip(*listed, strict=True))) if listed else NONE
    )


NONE = Observed(0.0, 0.0, 0.0)


def adjacent_pairs(labels: Ints) -> Observed:
    """Count neighbours with equal labels (Mood 1940: N less the number of runs).

    Examples
    --------
    >>> adjacent_pairs(np.array([0, 0, 1, 1]))
    Observed(value=2.0, mean=1.0, variance=0.6666666666666666)
    """
    n = labels.size
    value = float(np.count_nonzero(labels[1:] == labels[:-1]))
    f = np.bincount(labels).astype(float)
    squares, cubes = float(np.sum(f**2)), float(np.sum(f**3))
    if n < 2:  # noqa: PLR2004 - a pair
        return NONE
    runs = squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3
    return Observed(value, (squares - n) / n, max(0.0, runs / (n**2 * (n - 1))))


def within_pairs(labels: Ints, batches: Ints) -> Observed:
    """Count pairs with equal labels that were drawn in the same batch.

    Examples
    --------
    >>> value, mean, variance = within_pairs(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    >>> value, round(mean, 3), round(variance, 3)
    (2.0, 0.667, 0.889)
    """
    n = labels.size
    if n < 2:  # noqa: PLR2004 - a pair
        return NONE
    cells = np.unique(np.stack([labels, batches]), axis=1, return_counts=True)[1]
    (e, e1, e2), (w, w1, w2) = (_edges(np.bincount(each)) for each in (labels, batches))
    pairs, paths = n * (n - 1) / 2, n * (n - 1) * (n - 2)
    apart = pairs**2 - pairs - paths
    square = e * w / pairs
    square += e1 * w1 / paths if paths else 0.0
    square += e2 * w2 / apart if apart else 0.0
    mean = e * w / pairs
    return Observed(float(np.sum(cells * (cells - 1)) / 2), mean, max(0.0, square - mean**2))


def _edges(sizes: Ints) -> tuple[float, float, float]:
    """Count in a union of cliques: edges, ordered pairs that share a node, disjoint ones."""
    f = sizes.astype(float)
    edges = float(np.sum(f * (f - 1)) / 2)
    paths = float(np.sum(f * (f - 1) * (f - 2)))
    return edges, paths, edges**2 - edges - paths


def trend(passed: NDArray[np.bool_]) -> Observed:
    """Add up the places of the passes, counted from the middle.

    Examples
    --------
    >>> trend(np.array([False, False, True, True]))
    Observed(value=2.0, mean=0.0, variance=1.6666666666666667)
    """
    n = passed.size
    if n < 2:  # noqa: PLR2004 - an order
        return NONE
    place = np.arange(n) - (n - 1) / 2
    c = float(np.count_nonzero(passed))
    spread = float(np.sum(place**2)) * c * (n - c) / (n * (n - 1))
    return Observed(float(np.sum(place[passed])), 0.0, spread)


def two_sided(observed: Observed, *, shape: float | None = None) -> float | None:
    """Give the two-sided p-value by a gamma law with the same moments, or none if it is thin.

    Parameters
    ----------
    observed
        The statistic and its moments.
    shape
        Of the gamma law, which sets its skewness, 2 / sqrt(shape); by default as skewed as a
        count of rare events. ``inf`` is the normal law.
    """
    value, mean, variance = observed
    if variance < LEAST_VARIANCE:
        return None
    half = 0.5 if shape is None else 0.0  # counts move in steps
    skew = 4 * mean**2 / variance if shape is None else shape
    above = _tail((value - half - mean) / variance**0.5, skew, upper=True)
    below = _tail((value + half - mean) / variance**0.5, skew, upper=False)
    return min(1.0, 2 * min(above, below))


def _tail(z: float, shape: float, *, upper: bool) -> float:
    from scipy.special import gammainc, gammaincc, ndtr  # noqa: PLC0415 - scipy is slow to load

    if shape > 1e7:  # noqa: PLR2004 - the normal law to seven digits
        return float(ndtr(-z if upper else z))
    place = max(0.0, shape + shape**0.5 * z)
    return float((gammaincc if upper else gammainc)(shape, place))
