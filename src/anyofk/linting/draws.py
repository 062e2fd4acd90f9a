"""What is wrong with counts themselves, before any number is made of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from anyofk.linting.fault import Fault
from anyofk.records import Counts

_NAMED: Final = 5
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,9})")
_FEW_GAPS: Final = 10  # one in so many may be missing before numbers are no numbering
_ALIKE: Final = 3  # so many problems that always passed, none that passed sometimes


def count_faults(counts: Sequence[Counts], problems: Sequence[str]) -> Iterator[Fault]:
    """Look at the problems and their n and c."""
    absent = tuple(dict.fromkeys([*(c.problem for c in counts if not (c.n or c.broken))]))
    yield from _missing(absent, len(counts))
    yield from _unknown([c.problem for c in counts], problems)
    if not problems and not absent:
        yield from _gaps([c.problem for c in counts])
    yield from _unjudged(counts)
    drawn = [c for c in counts if c.n]
    if drawn:
        yield from _mixed(drawn)
        yield from _single_row(drawn)
        yield from _all_or_none(drawn)


def _missing(absent: Sequence[str], of: int) -> Iterator[Fault]:
    if absent:
        yield Fault(
            what="missing_problems",
            weight="wrong",
            evidence=f"{len(absent)} of {of} problems have no draw: {_listed(absent)}",
            hint="draw them, or count them as failed and say so; leaving them out is no score",
        )


def _unknown(given: Sequence[str], problems: Sequence[str]) -> Iterator[Fault]:
    known = set(problems)
    others = [name for name in given if name not in known] if problems else []
    if others:
        yield Fault(
            what="unknown_problems",
            weight="wrong",
            evidence=f"{len(others)} problems are not of the set: {_listed(others)}",
            hint="use the counts and the problem set of the same benchmark and version",
        )


def _gaps(names: Sequence[str]) -> Iterator[Fault]:
    """Find numbers left out of a numbering that nearly all ids follow."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            numbers[match[1]].append(int(match[2]))
    for prefix, found in numbers.items():
        span = max(found) - min(found) + 1
        if len(set(found)) < span <= len(found) * (1 + 1 / _FEW_GAPS):
            absent = sorted(set(range(min(found), max(found))) - set(found))
            yield Fault(
                what="gaps_in_ids",
                weight="doubtful",
                evidence=f"{len(absent)} ids of the numbering are absent: "
                f"{_listed([f'{prefix}{number}' for number in absent])}",
                hint="see whether they are problems of the set that lost their candidates",
            )


def _unjudged(counts: Sequence[Counts]) -> Iterator[Fault]:
    broken = [c.problem for c in counts if c.broken]
    if broken:
        yield Fault(
            what="unjudged_candidates",
            weight="wrong",
            evidence=f"{sum(c.broken for c in counts)} candidates are not judged: "
            f"{_listed(broken)}",
            hint="judge them; until then there are bounds and no number",
        )


def _mixed(counts: Sequence[Counts]) -> Iterator[Fault]:
    least, most = (extreme(c.n for c in counts) for extreme in (min, max))
    if least < most:
        few = [c.problem for c in counts if c.n < most]
        yield Fault(
            what="mixed_n",
            weight="doubtful",
            evidence=f"n is not the same for all problems ({least} to {most}): {_listed(few)}",
            hint="say so, and see why: draws lost to errors are failures, and drawing that "
            "stopped at a success biases pass@k",
        )


def _single_row(counts: Sequence[Counts]) -> Iterator[Fault]:
    if len(counts) == 1:
        (row,) = counts
        yield Fault(
            what="one_row",
            weight="doubtful",
            evidence=f"there is one row of counts, n={row.n}, c={row.c}: nothing tells how "
            "problems differ",
            hint="if these are sums over problems, or (problems, solved problems), no pass@k "
            "for k > 1 follows from them: give each problem its row",
        )


def _all_or_none(counts: Sequence[Counts]) -> Iterator[Fault]:
    several = [c for c in counts if c.n > 1]
    always = sum(c.c == c.n for c in several)
    if always >= _ALIKE and all(c.c in {0, c.n} for c in several):
        yield Fault(
            what="draws_alike",
            weight="doubtful",
            evidence=f"in each of {len(several)} problems all draws pass or all fail",
            hint="if the draws are the same text (temperature 0, a cache, one seed), they are "
            "one draw: report pass@1 alone",
        )


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
