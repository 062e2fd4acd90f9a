"""Counts: how many candidates of a problem were judged, and how many passed."""

from __future__ import annotations

from dataclasses import dataclass

from anyofk.errors import DataError


@dataclass(frozen=True, slots=True)
class Counts:
    """One problem's counts: n candidates judged, c of them passed.

    ``broken`` candidates could not be judged; they are in neither n nor c.

    Examples
    --------
    >>> Counts("p", n=10, c=3)
    Counts(problem='p', n=10, c=3, broken=0, cluster=None)
    """

    problem: str
    n: int
    c: int
    broken: int = 0
    cluster: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.c <= self.n:
            raise DataError(
                f"counts of problem {self.problem!r} must hold 0 <= c <= n, "
                f"not n={self.n}, c={self.c}",
                hint="n is the number of judged candidates, c the number that passed",
                problem=self.problem,
                n=self.n,
                c=self.c,
            )
