"""Outcomes that depend on the order of draws, on their batch, or on each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np

from anyofk.diagnosis.blocks import PARTS, blocks
from anyofk.diagnosis.draws import Draws
from anyofk.diagnosis.finding import Check
from anyofk.diagnosis.moments import (
    Observed,
    added,
    adjacent_pairs,
    trend,
    two_sided,
    within_pairs,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FEWEST_PROBLEMS: Final = 10
DRIFT: Final = (
    "the n draws are not of one policy (a limit, a server or a prompt changed on the way): "
    "pass@k for k above 1 is a little too high for their mixture, and for none of its parts"
)
ALIKE: Final = (
    "draws that go together count for fewer than n: the noise of the draws is understated; "
    "k attempts from one batch pass less often than pass@k says, k of different batches more"
)
UNLIKE: Final = (
    "draws avoid each other (deduplication, stratified seeds): pass@k for k above 1 is too "
    "high for independent draws"
)
SHARED: Final = (
    "something that all problems share moves whole draws (a seed, a server, an outage): "
    "problems are not independent, and every interval over problems is too narrow"
)


def order_checks(draws: tuple[Draws, ...]) -> Iterator[Check]:
    """Look at the outcomes in the order of the draws."""
    mixed = [each for each in draws if 0 < np.count_nonzero(each.passed) < each.passed.size]
    yield from _trend(mixed)
    outcomes = [each.passed.astype(np.int64) for each in mixed]
    near = added(adjacent_pairs(labels) for labels in outcomes)
    yield from _alike("neighbours", near, inf, "neighbours with equal outcomes")
    parts = [(labels, blocks(labels.size)) for labels in outcomes]
    yield from _grouped("sub_batches", parts, "pairs of equal outcomes within a quarter")
    drawn = [
        (labels, each.batches)
        for labels, each in zip(outcomes, mixed, strict=True)
        if each.batches is not None
    ]
    yield from _grouped("batches", drawn, "pairs of equal outcomes drawn together")
    yield from _shared(mixed)


def _trend(mixed: list[Draws]) -> Iterator[Check]:
    seen = added(trend(each.passed) for each in mixed)
    p_value = two_sided(seen, shape=inf)
    if p_value is None:
        return
    when = "later" if seen.value > 0 else "earlier"
    early, late = (_rate(mixed, part) for part in (0, PARTS - 1))
    observed = (
        f"{when} draws pass more often: {early:.1%} in the first quarter, {late:.1%} in the last"
    )
    numbers = {"first_quarter": early, "last_quarter": late}
    yield Check("trend", p_value, observed, DRIFT, "too high", numbers)


def _rate(mixed: list[Draws], part: int) -> float:
    chosen = [each.passed[blocks(each.passed.size) == part] for each in mixed]
    joined = np.concatenate(chosen)
    return float(joined.mean()) if joined.size else 0.0


def _grouped(name: str, parts: list[tuple[Ints, Ints]], what: str) -> Iterator[Check]:
    """Compare pairs drawn together with chance; the sum is nearly a chi-square law."""
    seen = added(within_pairs(labels, groups) for labels, groups in parts)
    freedom = sum(int(np.unique(groups).size) - 1 for _, groups in parts)
    yield from _alike(name, seen, freedom / 2, what)


def _alike(name: str, seen: Observed, shape: float, what: str) -> Iterator[Check]:
    p_value = two_sided(seen, shape=shape)
    if p_value is None:
        return
    more = seen.value > seen.mean
    observed = f"{seen.value:g} {what}, by chance {seen.mean:.1f}"
    numbers = {"seen": seen.value, "by_chance": seen.mean}
    if more:
        yield Check(name, p_value, observed, ALIKE, "either way", numbers)
    else:
        yield Check(name, p_value, observed, UNLIKE, "too high", numbers)


def _shared(mixed: list[Draws]) -> Iterator[Check]:
    """Ask by Cochran's Q whether the j-th draws of all problems pass more or less than others."""
    sizes = {each.passed.size for each in mixed}
    if len(mixed) < FEWEST_PROBLEMS or len(sizes) > 1:
        return
    table = np.stack([each.passed for each in mixed]).astype(float)
    n = table.shape[1]
    columns, rows = table.sum(axis=0), table.sum(axis=1)
    q = (n - 1) * (n * np.sum(columns**2) - columns.sum() ** 2)
    q /= np.sum(rows * (n - rows))
    rates = columns / table.shape[0]
    least, most = float(rates.min()), float(rates.max())
    observed = f"over all problems, draws pass between {least:.1%} and {most:.1%}"
    numbers = {"least": least, "most": most}
    yield Check("shared_draws", _chi2(float(q), n - 1), observed, SHARED, "either way", numbers)


def _chi2(value: float, freedom: int) -> float:
    from scipy.special import chdtrc  # noqa: PLC0415 - scipy is slow to load

    return float(chdtrc(freedom, value))
