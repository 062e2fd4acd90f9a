"""Two runs laid side by side: the same problems in one order, or a refusal."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.comparison.likeness import (
    Side,
    Unlikeness,
    n_range,
    require_likeness,
    surroundings,
)
from anyofk.errors import (
    UnequalDrawsWarning,
    UnlikeRunsWarning,
    UsageError,
)
from anyofk.estimates.estimate import Caution
from anyofk.estimates.reading import Clusters, read_counts
from anyofk.estimates.refusal import RefusedEstimate, refusal, refused_as_identical
from anyofk.records import Manifest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FEWEST = 2


@dataclass(frozen=True)
class Pair:
    """Two runs over the same problems in one order.

    Attributes
    ----------
    a, b
        The runs.
    problems
        The ids of the problems, in the order of the arrays.
    despite
        The differences that were named as being on purpose.
    """

    a: Side
    b: Side
    problems: tuple[str, ...]
    despite: tuple[Unlikeness, ...] = ()
    clustered: bool = False

    @cached_property
    def counted_a(self) -> tuple[Ints, Ints]:
        """What the first run has: n and c."""
        return self._counted(self.a)

    @cached_property
    def counted_b(self) -> tuple[Ints, Ints]:
        """What the second run has: n and c."""
        return self._counted(self.b)

    def _counted(self, side: Side) -> tuple[Ints, Ints]:
        rows = [side.counts[problem] for problem in self.problems]
        n, c = [row.n for row in rows], [row.c for row in rows]
        return np.array(n, dtype=np.int64), np.array(c, dtype=np.int64)

    @property
    def cluster(self) -> NDArray[Any] | None:
        """The cluster of each problem, where they count as dependent."""
        if not self.clustered:
            return None
        return np.array([self.a.counts[problem].cluster for problem in self.problems], dtype=str)

    @property
    def least_n(self) -> int:
        """The smallest n of either run: the largest k that both allow."""
        return int(min(self.counted_a[0].min(), self.counted_b[0].min()))

    def require(self, k: int) -> None:
        """Refuse a k for which either run has no estimate, and say which."""
        for side in (self.a, self.b):
            counts = [side.counts[problem] for problem in self.problems]
            refused = refusal(counts, k)
            if refused is None and side.deterministic and k > 1:
                refused = refused_as_identical(k)
            if refused:
                raise _whose(refused, side).error

    def cautions(self) -> Iterator[Caution]:
        """Say what to know about the two runs as such."""
        if self.despite:
            words = "; ".join(str(each) for each in self.despite)
            yield Caution(f"compared in spite of differences: {words}", UnlikeRunsWarning)
        if around := surroundings(self.a, self.b):
            words = "; ".join(around)
            yield Caution(f"judged in other surroundings: {words}", UnlikeRunsWarning)
        if not np.array_equal(self.counted_a[0], self.counted_b[0]):
            each = (f"{n_range(side, self.problems)} in {side.name}" for side in (self.a, self.b))
            yield Caution(
                f"n differs: {', '.join(each)}; each estimate is unbiased, but check that both "
                "were drawn alike",
                UnequalDrawsWarning,
            )


def pair(
    a: Any,
    b: Any,
    despite: str | Iterable[str] = (),
    cluster: Clusters = None,
    *,
    names: tuple[str, str] | None = None,
) -> Pair:
    """Lay two runs side by side, under their own names unless others are given.

    Raises
    ------
    UnlikeRunsError
        They differ in more than the model, and not all of it is named in ``despite``.
    """
    one, other = (
        side(given, name, cluster)
        for given, name in zip((a, b), names or _names(a, b), strict=True)
    )
    named = (despite,) if isinstance(despite, str) else tuple(despite)
    unlike = require_likeness(one, other, named)
    shared = tuple(problem for problem in one.counts if problem in other.counts)
    if len(shared) < FEWEST:
        raise UsageError(
            f"{one.name} and {other.name} share {len(shared)} problems; a comparison needs two",
            hint="the problems of both are matched by their ids",
        )
    return Pair(one, other, shared, unlike, cluster is not None)


def side(given: Any, name: str, cluster: Clusters = None) -> Side:
    """Read one run: its counts, and its manifest where it has one."""
    if isinstance(given, str | Path):
        raise UsageError(
            f"counts of {name} must be read first, not given as the path {str(given)!r}",
            hint="anyofk.exchange.read_counts(path) reads files, anyofk.store.Run(path) runs",
        )
    counts = {row.problem: row for row in read_counts(given, cluster)}
    return Side(name, counts, _manifest(getattr(given, "manifest", None)))


def _manifest(given: Any) -> Manifest | None:
    if isinstance(given, Mapping):
        return Manifest(dict(given))
    return given if isinstance(given, Manifest) else None


def warn_of(cautions: Iterable[Caution]) -> None:
    """Warn of each once, at the line that called the public function."""
    for caution in dict.fromkeys(cautions):
        warnings.warn(caution.text, caution.category, stacklevel=4)


def _names(a: Any, b: Any) -> tuple[str, str]:
    """Call each run by its own name, unless it has none or both have the same."""
    own = [getattr(each, "name", None) for each in (a, b)]
    first, second = (name if isinstance(name, str) and name else None for name in own)
    if first == second:
        return "A", "B"
    return first or "A", second or "B"


def _whose(refused: RefusedEstimate, side: Side) -> RefusedEstimate:
    return replace(refused, message=f"{side.name}: {refused.message}")
