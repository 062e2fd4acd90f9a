"""Counts: how many candidates of a problem were judged, and how many passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anyofk.errors import DataError, shown

MOST: Final = 1 << 53  # what a float still counts one by one


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
        if not 0 <= self.c <= self.n <= MOST:
            raise DataError(
                f"counts of problem {self.problem!r} must hold 0 <= c <= n <= 2**53, "
                f"not n={shown(self.n)}, c={shown(self.c)}",
                hint="n is the number of judged candidates, c the number that passed",
                problem=self.problem,
                n=self.n,
                c=self.c,
            )
