"""An estimate with all that it needs to be read rightly, and a mapping of them that prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from html import escape
from math import isnan
from typing import Any, Literal

from anyofk.errors import AnyofkWarning

Target = Literal["population", "benchmark"]


@dataclass(frozen=True)
class Caution:
    """Something to know before quoting a number, and the type of its warning."""

    text: str
    category: type[AnyofkWarning]


@dataclass(frozen=True)
class Estimate:
    """pass@k of a set of problems, with its uncertainty.

    Attributes
    ----------
    k
        Attempts allowed.
    value
        The mean over the problems of the unbiased estimate of pass@k, in [0, 1].
    se
        Its standard error towards the target; nan where it cannot be estimated.
    low, high, level
        The interval and its confidence level.
    method
        How the interval was made.
    target
        ``population``: the problems are a sample of those that could be asked.
        ``benchmark``: just these problems; only the sampling of candidates is noise.
    problems
        Their number, M.
    n_min, n_max
        The smallest and the largest n.
    n_eff
        As many independent yes-or-no problems would tell as much; nan where unknown.
    sampling_se, sampling_share
        The standard error by the sampling of candidates alone, and its share of the total
        variance; nan where some n < 2k, since no unbiased estimator exists there.
    clusters
        The number of clusters, or none if the problems count as independent.
    cautions
        What ``warnings`` says, with the type of each warning.
    """

    k: int
    value: float
    se: float
    low: float
    high: float
    level: float
    method: str
    target: Target
    problems: int
    n_min: int
    n_max: int
    n_eff: float
    sampling_se: float
    sampling_share: float
    clusters: int | None = None
    cautions: tuple[Caution, ...] = field(default=(), repr=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What one should know before quoting the number, one sentence each."""
        return tuple(caution.text for caution in self.cautions)

    @property
    def n_range(self) -> str:
        """The n of the problems in words: ``20``, or ``5 to 20``."""
        return str(self.n_min) if self.n_min == self.n_max else f"{self.n_min} to {self.n_max}"

    def to_json(self) -> dict[str, Any]:
        """Write as plain data; a nan becomes null."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "cautions"}
        plain = {n: None if _is_nan(value) else value for n, value in values.items()}
        return {**plain, "warnings": list(self.warnings)}

    def __str__(self) -> str:
        return (
            f"pass@{self.k} = {self.value:.4f}  [{self.low:.4f}, {self.high:.4f}]  "
            f"{self.level:.0%} {self.method}, {self.target}, "
            f"{self.problems} problems, n = {self.n_range}"
        )


class Estimates(Mapping[int, Estimate]):
    """A mapping from each k to its estimate, in the order asked for.

    Printed, it shows pass@1 beside any pass@k, since the one is no substitute for the other.
    """

    def __init__(self, estimates: Mapping[int, Estimate], first: Estimate | None = None) -> None:
        self._estimates = dict(estimates)
        self._first = first

    def __getitem__(self, k: int) -> Estimate:
        return self._estimates[k]

    def __iter__(self) -> Iterator[int]:
        return iter(self._estimates)

    def __len__(self) -> int:
        return len(self._estimates)

    def shown(self) -> list[Estimate]:
        """List what a table shows: pass@1 first, then the rest."""
        beside = [self._first] if self._first and 1 not in self._estimates else []
        return [*beside, *self._estimates.values()]

    def __str__(self) -> str:
        lines = [str(estimate) for estimate in self.shown()]
        cautions = dict.fromkeys(w for e in self._estimates.values() for w in e.warnings)
        return "\n".join([*lines, *(f"note: {caution}" for caution in cautions)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        heads = ("", "estimate", "low", "high", "level", "method", "target", "problems", "n")
        rows = [_cells(estimate) for estimate in self.shown()]
        head = "".join(f"<th>{escape(name)}</th>" for name in heads)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(estimate: Estimate) -> list[str]:
    return [
        f"pass@{estimate.k}",
        *(f"{number:.4f}" for number in (estimate.value, estimate.low, estimate.high)),
        f"{estimate.level:.0%}",
        estimate.method,
        estimate.target,
        str(estimate.problems),
        estimate.n_range,
    ]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and isnan(value)
