"""A plan as a record: what was asked, what would answer it, and at what cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Final, Literal

from anyofk.estimates.estimate import Target

Question = Literal["half_width", "difference", "budget", "precision"]
SHOWN: Final = 12
"""Rows that a printed table has."""


@dataclass(frozen=True)
class PlanRow:
    """One way to spend: so many problems with so many draws each.

    Attributes
    ----------
    n, problems
        Draws a problem, and problems.
    candidates, cost
        Candidates to draw and judge (of both models, where two are compared), and the price.
    se
        The standard error to expect.
    half_width
        The half width of an interval to expect, away from 0 and 1.
    detectable_difference
        Where two models are compared: the true difference that is found with the power
        wanted; else none.
    """

    n: int
    problems: int
    candidates: int
    cost: float
    se: float
    half_width: float
    detectable_difference: float | None = None


@dataclass(frozen=True)
class SamplePlan:
    """What a pilot says about the draws and problems that a wanted precision takes.

    Attributes
    ----------
    k, target, level, power
        What is to be estimated, and how surely.
    question, wanted
        What was asked for (a half width, a difference, a budget; or just what precision
        there is), and how much of it.
    rows
        The ways to answer it, the best first: the cheapest, for a budget the most precise,
        and in the order of n if nothing was asked for.
    pilot_problems
        Problems of the pilot.
    between
        The variance between problems that the pilot shows, which no number of draws lowers.
    sampling
        The mean sampling variance of a problem with as many draws as the first row.
    warnings
        What one should know before relying on it.
    """

    k: int
    target: Target
    level: float
    power: float
    question: Question
    wanted: float | None
    rows: tuple[PlanRow, ...]
    pilot_problems: int
    between: float
    sampling: float
    warnings: tuple[str, ...] = ()

    @property
    def best(self) -> PlanRow:
        """The first row."""
        return self.rows[0]

    @property
    def n(self) -> int:
        """Draws a problem of the best way."""
        return self.best.n

    @property
    def problems(self) -> int:
        """Problems of the best way."""
        return self.best.problems

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        lists = {"rows": [asdict(row) for row in self.rows], "warnings": list(self.warnings)}
        return {**asdict(self), **lists}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Lay out as texts: heads and the first rows."""
        heads = ["n", "problems", "candidates", "cost", "se", "half width", "finds"]
        rows = [
            [
                *(str(x) for x in (row.n, row.problems, row.candidates)),
                f"{row.cost:.10g}",
                *(f"{x:.4f}" for x in (row.se, row.half_width)),
                "" if row.detectable_difference is None else f"{row.detectable_difference:.4f}",
            ]
            for row in self.rows[:SHOWN]
        ]
        used = len(heads) if self.best.detectable_difference is not None else len(heads) - 1
        return heads[:used], [row[:used] for row in rows]

    def __str__(self) -> str:
        heads, rows = self.cells()
        lines = ["  ".join(f"{cell:>10}" for cell in row) for row in (heads, *rows)]
        return "\n".join([self.caption(), *lines, *(f"note: {w}" for w in self.warnings)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        heads, rows = self.cells()
        head = "".join(f"<th>{escape(name)}</th>" for name in heads)
        body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in (self.caption(), *self.warnings))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def caption(self) -> str:
        """Say what was asked for."""
        asked = {
            "half_width": f"half width {self.wanted}: the cheapest first",
            "difference": f"difference {self.wanted} found with {self.power:.0%}: cheapest first",
            "budget": f"budget {self.wanted}: the most precise first",
            "precision": "the precision of more draws on the same problems",
        }[self.question]
        return (
            f"pass@{self.k}, target {self.target}, level {self.level:g}; {asked}; judged by a "
            f"pilot of {self.pilot_problems} problems"
        )
