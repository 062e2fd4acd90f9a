"""Texts that repeat more, or less, than independent draws would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from anyofk.diagnosis.blocks import blocks
from anyofk.diagnosis.draws import Draws, numbered
from anyofk.diagnosis.finding import Check, Direction
from anyofk.diagnosis.moments import Observed, added, adjacent_pairs, two_sided, within_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

COPIED: Final = (
    "repeated requests or a cache leave fewer independent draws than n, so that pass@k for k "
    "above 1 is too low and the noise of the draws is understated"
)
SIFTED: Final = (
    "draws that avoid each other (deduplication, n-best lists) cover more than independent "
    "ones: pass@k for k above 1 is too high where right answers are rare, and pass@1 is too "
    "low where they are common"
)
LEAST_COPIES: Final = 4
TELLING: Final = 50
"""So many pairs that differ in white space alone would hold an identical one: with ten variants
of a program, all but surely (0.9**50 = .005)."""


def repeat_checks(draws: tuple[Draws, ...], against: tuple[Draws, ...] = ()) -> Iterator[Check]:
    """Look at the texts of all draws, where they are known, and at those of another run."""
    yield from _between(draws, against)
    yield from _within(draws)


def _between(draws: tuple[Draws, ...], against: tuple[Draws, ...]) -> Iterator[Check]:
    """Texts repeat within a run as often as between two runs of one configuration."""
    others = {each.problem: each.texts for each in against if each.texts is not None}
    seen = added(
        _two_runs(each.texts, others[each.problem])
        for each in draws
        if each.texts is not None and each.problem in others
    )
    yield from _check("repeats_within_runs", seen, "pairs of equal texts within either run")


def _two_runs(texts: Ints, others: Ints) -> Observed:
    runs = np.repeat([0, 1], [texts.size, others.size])
    return within_pairs(numbered(np.concatenate([texts, others])), runs)


def _within(draws: tuple[Draws, ...]) -> Iterator[Check]:
    known = [each for each in draws if each.texts is not None and each.texts.size > 1]
    if not known:
        return
    if all(int(_texts(each).max()) == 0 for each in known):
        yield _identical(known)
        return
    pairs = sum(_equal_pairs(_texts(each)) for each in known)
    if pairs == 0:
        yield _all_distinct(known)
        return
    yield from _in_order(known)
    yield from _in_batches(known)
    yield from _copies(known)


def _texts(each: Draws) -> Ints:
    assert each.texts is not None  # noqa: S101 - filtered above
    return numbered(each.texts)


def _equal_pairs(labels: Ints) -> int:
    f = np.bincount(labels)
    return int(np.sum(f * (f - 1)) // 2)


def _identical(known: list[Draws]) -> Check:
    return Check(
        "identical",
        None,
        f"all draws of a problem are the same text, in each of {len(known)} problems",
        "they are one draw each: pass@k for k above 1 is pass@1 again and says nothing",
        "too low",
        {"problems": len(known)},
        forced="found",
    )


def _all_distinct(known: list[Draws]) -> Check:
    """No repeat at all fits long answers as well as deduplicated short ones.

    Texts that differ in white space alone have few variants. If a program has v of them, two
    draws of it are identical with a chance of at least 1 / v, whatever their chances are.
    """
    pairs = sum(each.passed.size * (each.passed.size - 1) // 2 for each in known)
    loose = sum(_equal_pairs(numbered(each.loose)) for each in known if each.loose is not None)
    same = f", though {loose} are equal but for white space" if loose else ""
    sifted = loose >= TELLING
    return Check(
        "all_distinct",
        None,
        f"of {pairs} pairs of draws on one problem none has equal texts{same}",
        SIFTED if sifted else f"usual for long answers; if they were deduplicated, {SIFTED}",
        "too high",
        {"pairs": pairs, "equal_but_for_white_space": loose},
        forced="found" if sifted else "cannot tell",
    )


def _in_order(known: list[Draws]) -> Iterator[Check]:
    """Equal texts stand anywhere, if draws are independent: not together, and not apart."""
    near = added(adjacent_pairs(_texts(each)) for each in known)
    yield from _check("repeats_next_to_each_other", near, "neighbours with equal texts")
    close = added(within_pairs(_texts(e), blocks(e.passed.size)) for e in known)
    yield from _check(
        "repeats_close_by", close, "pairs of equal texts within a quarter of the draws"
    )


def _in_batches(known: list[Draws]) -> Iterator[Check]:
    batched = [(_texts(e), e.batches) for e in known if e.batches is not None]
    inside = added(within_pairs(texts, batches) for texts, batches in batched)
    yield from _check("repeats_in_a_batch", inside, "pairs of equal texts drawn together")


def _check(name: str, seen: Observed, what: str) -> Iterator[Check]:
    p_value = two_sided(seen)
    if p_value is None:
        return
    more = seen.value > seen.mean
    direction: Direction = "too low" if more else "too high"
    observed = f"{seen.value:g} {what}, by chance {seen.mean:.1f}"
    numbers = {"seen": seen.value, "by_chance": seen.mean}
    yield Check(name, p_value, observed, COPIED if more else SIFTED, direction, numbers)


def _copies(known: list[Draws]) -> Iterator[Check]:
    """Look for texts that stand exactly twice, and too rarely once or three times.

    With a text's chance q and w = (1 - q)**n, the expected numbers of texts that stand r
    times are C(n, r) sum w (q / (1 - q))**r, so that by Cauchy and Schwarz the number standing
    twice is at most ``sqrt(1.5 (n - 1) / (n - 2) f1 f3)``. Copies break that bound.
    """
    n = Counter(each.passed.size for each in known).most_common(1)[0][0]
    if n < LEAST_COPIES:
        return
    once, twice, thrice = _times([each for each in known if each.passed.size == n])
    ratio = 1.5 * (n - 1) / (n - 2)
    most = sqrt(ratio * (once + 1) * (thrice + 1))
    spread = sqrt(max(1.0, twice + ratio / 4 * (once + thrice)))
    observed = f"{twice} texts stand twice; {once} stand once and {thrice} three times"
    numbers = {"once": once, "twice": twice, "three_times": thrice, "most_twice": most}
    yield Check("copies", _upper((twice - most) / spread), observed, COPIED, "too low", numbers)


def _times(known: list[Draws]) -> tuple[int, ...]:
    """Count the texts that stand once, twice and three times."""
    sizes = np.concatenate([np.bincount(_texts(each)) for each in known])
    return tuple(int(np.count_nonzero(sizes == times)) for times in (1, 2, 3))


def _upper(z: float) -> float:
    from scipy.special import ndtr  # noqa: PLC0415 - scipy is slow to load

    return float(ndtr(-z))
