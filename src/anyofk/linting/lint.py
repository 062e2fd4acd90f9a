"""Lint: hold reported numbers against the counts that they are said to come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from anyofk.errors import UsageError
from anyofk.estimates import estimate_or_refuse
from anyofk.estimates.mean import Counted
from anyofk.estimates.reading import read_counts
from anyofk.linting.draws import count_faults
from anyofk.linting.fault import Linting
from anyofk.linting.reported import read_reported
from anyofk.linting.shape import shape_faults
from anyofk.linting.uncertainty import uncertainty_faults
from anyofk.linting.values import value_faults
from anyofk.records import Counts


def lint(
    counts: Any,
    reported: Any = None,
    *,
    problems: Iterable[str] = (),
    level: float = 0.95,
) -> Linting:
    """Say what is wrong with reported numbers, what shows it, and what is right.

    Each reported value is held against the unbiased mean over problems. One that differs by
    more than its rounding is held against the wrong ways that are in use: the plug-in
    ``1 - (1 - c/n)**k``, pooled counts, (problems, solved) taken for (n, c), problems with
    n < k counted as solved, and more (`anyofk.linting.ways`).

    Parameters
    ----------
    counts
        As in `evaluate`.
    reported
        A mapping from k, or ``"pass@k"``, to the reported value: a number, a text such as
        ``"0.31"`` or ``"31.2 %"``, or a mapping with ``value`` and perhaps ``se``, ``low`` and
        ``high``. Without it only the counts are looked at.
    problems : iterable of str
        The ids of the whole problem set, so that missing ones are known.
    level : float
        Confidence level of the intervals, the reported ones and the right ones.

    Returns
    -------
    Linting
        A sequence of `Fault`, the worst first.

    Raises
    ------
    UsageError
        What was reported is no table of chances.
    DataError
        The counts are no counts, or there are none.

    Examples
    --------
    >>> counts = {"a": (5, 2), "b": (5, 0), "c": (5, 5)}
    >>> for fault in lint(counts, {1: "0.47", 2: "0.55", 10: "0.70"}).wrong:
    ...     print(fault.k, fault.what, fault.right and round(fault.right, 4))
    2 plug_in 0.5667
    10 n_less_than_k None
    """
    if not 0 < level < 1:
        raise UsageError(f"the level must lie between 0 and 1, got {level}", level=level)
    table, ids = read_reported(reported), tuple(problems)
    read = read_counts(counts)
    known = {row.problem for row in read}
    read = [*read, *(Counts(name, 0, 0) for name in dict.fromkeys(ids) if name not in known)]
    present = Counted.of([row for row in read if row.n])
    right = estimate_or_refuse(read, tuple(table), level=level) if table else {}
    faults = [
        *value_faults(table, right, present),
        *shape_faults(table),
        *count_faults(read, ids),
        *uncertainty_faults(table, right, present, level),
    ]
    return Linting(faults, right)
