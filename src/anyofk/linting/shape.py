"""What the numbers of a table say against each other, whatever the counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from anyofk.linting.fault import Fault
from anyofk.linting.reported import Reported


def shape_faults(reported: Mapping[int, Reported]) -> Iterator[Fault]:
    """Find what no curve of pass@k does: fall with k, or gain more by a later attempt.

    Every problem's ``1 - q**k`` rises with k, each attempt adding less than the one before,
    and so do its unbiased estimate and the mean over problems.
    """
    rows = [reported[k] for k in sorted(reported)]
    for before, after in pairwise(rows):
        if after.value < before.value - after.unit:
            yield _fault(
                "falls_with_k",
                after,
                f"{after.value:.6g} is less than pass@{before.k} = {before.value:.6g}",
            )
    points = [(0, 0.0), *((row.k, row.value) for row in rows)]
    for (a, low), (b, middle), row in zip(points, points[1:], rows[1:], strict=False):
        most = middle + (row.k - b) * (middle - low) / (b - a)
        slack = row.unit * (row.k - a) / (b - a)
        if row.value > most + slack:
            why = f"{row.value:.6g} is more than the {most:.4g} that pass@{b} = {middle:.6g} allows"
            yield _fault("rises_too_fast", row, why)
    if rows and rows[0].k > 1:
        yield Fault(
            what="no_pass_1",
            weight="incomplete",
            evidence=f"pass@{rows[0].k} stands without pass@1",
            hint="show pass@1 beside it: what a single attempt delivers",
        )


def _fault(what: str, row: Reported, evidence: str) -> Fault:
    hint = "numbers of one table must come from the same candidates, settings and formula"
    return Fault(
        what=what, weight="wrong", evidence=evidence, hint=hint, k=row.k, reported=row.value
    )
