"""Counts at the door: mappings, lists, data frames and runs become one list of Counts."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from anyofk.errors import DataError, UsageError, shown
from anyofk.records import Counts, identifier

Clusters = Mapping[str, str] | str | None


def read_counts(counts: Any, cluster: Clusters = None) -> list[Counts]:
    """Bring counts to one form, each problem once, with its cluster where asked for.

    Parameters
    ----------
    counts
        A mapping from each problem to (n, c), a list of `Counts`, a data frame with the
        columns ``problem``, ``n``, ``c`` (and ``broken`` or ``cluster`` where it has them),
        or anything with a method ``counts()``, such as a run.
    cluster
        A mapping from each problem to its cluster, or the name of the column that has it
        (``"cluster"`` for what `Counts` carry); none treats problems as independent.
    """
    read = _from_any(counts, cluster if isinstance(cluster, str) else "cluster")
    _check_unique(read)
    return [replace(c, cluster=_cluster_of(c, cluster)) for c in read]


def _from_any(counts: Any, cluster_column: str) -> list[Counts]:
    if callable(getattr(counts, "counts", None)):
        return list(counts.counts())
    if isinstance(counts, Mapping):
        return [_from_pair(problem, pair) for problem, pair in counts.items()]
    if hasattr(counts, "columns"):
        return _from_frame(counts, cluster_column)
    if isinstance(counts, Iterable) and not isinstance(counts, str | bytes):
        return [_checked(c) for c in counts]
    raise _no_counts(counts)


def _checked(counts: Any) -> Counts:
    if isinstance(counts, Counts):
        return counts
    raise _no_counts(counts)


def _from_pair(problem: Any, pair: Any) -> Counts:
    if isinstance(pair, Counts):
        return pair
    if isinstance(pair, Mapping):
        return _counts_of(problem, pair)
    try:
        n, c = pair
    except (TypeError, ValueError):
        raise _no_counts(pair) from None
    return _counts_of(problem, {"n": n, "c": c})


def _from_frame(frame: Any, cluster_column: str) -> list[Counts]:
    names = [str(name) for name in frame.columns]
    missing = [name for name in ("problem", "n", "c") if name not in names]
    if missing:
        raise DataError(
            f"the data frame has no column {missing[0]!r}",
            hint=f"it needs problem, n and c; it has {', '.join(names) or 'none'}",
            field=missing[0],
        )
    wanted = [n for n in ("problem", "n", "c", "broken", cluster_column) if n in names]
    columns = [list(frame[name]) for name in wanted]
    rows = (dict(zip(wanted, row, strict=True)) for row in zip(*columns, strict=True))
    return [_counts_of(row["problem"], row, row.get(cluster_column)) for row in rows]


def _counts_of(problem: Any, row: Mapping[str, Any], cluster: Any = None) -> Counts:
    numbers = {name: _whole(row.get(name, 0), name, problem) for name in ("n", "c", "broken")}
    return Counts(_name(problem), **numbers, cluster=None if cluster is None else str(cluster))


def _name(problem: Any) -> str:
    return identifier(problem) if isinstance(problem, int) else str(problem)


def _whole(value: Any, name: str, problem: Any) -> int:
    """Read a count; a bool or a number with a fraction is none."""
    try:
        whole = int(value) if not isinstance(value, bool) and value == int(value) else None
        return operator.index(whole)  # type: ignore[arg-type]  # None is refused here on purpose
    except (TypeError, ValueError, OverflowError):
        raise DataError(
            f"{name} of problem {shown(problem)} is no count: {shown(value)}",
            hint="n and c are whole numbers: candidates judged, and passed",
            problem=_name(problem),
            field=name,
        ) from None


def _check_unique(counts: list[Counts]) -> None:
    twice = [problem for problem, times in Counter(c.problem for c in counts).items() if times > 1]
    if twice:
        raise DataError(
            f"problem {twice[0]!r} has two rows of counts",
            hint="add the counts up if they come from the same run, else estimate each run",
            problem=twice[0],
        )


def _cluster_of(counts: Counts, cluster: Clusters) -> str | None:
    if cluster is None:
        return None
    found = cluster.get(counts.problem) if isinstance(cluster, Mapping) else counts.cluster
    if found is None:
        raise UsageError(
            f"problem {counts.problem!r} has no cluster",
            hint="give each problem its cluster, or leave cluster=None",
            problem=counts.problem,
        )
    return str(found)


def _no_counts(value: Any) -> UsageError:
    return UsageError(
        f"counts must be a mapping problem -> (n, c), a list of Counts, a data frame or a run, "
        f"not {type(value).__name__}",
        hint="verdicts are counted by anyofk.tally",
    )
