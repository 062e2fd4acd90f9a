"""Findings: what was looked for, whether it is there, and what it does to pass@k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal

Direction = Literal["too high", "too low", "either way"]
State = Literal["found", "not found", "cannot tell"]


def p_words(p_value: float) -> str:
    """Write a p-value to as many digits as are of use.

    Examples
    --------
    >>> p_words(0.0077), p_words(0.0)
    ('p = 0.0077', 'p < 0.0001')
    """
    smallest = 1e-4
    return f"p = {p_value:.2g}" if p_value >= smallest else "p < 0.0001"


@dataclass(frozen=True)
class Finding:
    """One assumption that was looked at.

    Attributes
    ----------
    name
        What was looked for, one word for programs.
    state
        ``found``, ``not found``, or ``cannot tell`` where the data alone don't say.
    p_value
        Two-sided, uncorrected; none where it is not a matter of chance.
    observed
        What was seen.
    effect
        What it does to pass@k if it is so.
    direction
        Where pass@k for k above 1 then lies.
    details
        Numbers behind it.
    """

    name: str
    state: State
    p_value: float | None
    observed: str
    effect: str
    direction: Direction
    details: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {**asdict(self), "details": dict(self.details)}

    def __str__(self) -> str:
        chance = "" if self.p_value is None else f" ({p_words(self.p_value)})"
        words = f"{self.name}: {self.state}: {self.observed}{chance}"
        return words if self.state == "not found" else f"{words}; {self.effect}"


class Diagnosis(Mapping[str, Finding]):
    """A mapping from the name of each check to its `Finding`. Made by `diagnose`.

    Attributes
    ----------
    level
        The chance that draws without fault show no finding at all.
    """

    def __init__(self, findings: list[Finding], level: float) -> None:
        self._findings = {each.name: each for each in findings}
        self.level = level

    def __getitem__(self, name: str) -> Finding:
        return self._findings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._findings)

    def __len__(self) -> int:
        return len(self._findings)

    @property
    def found(self) -> tuple[Finding, ...]:
        """The assumptions that are broken."""
        return tuple(each for each in self.values() if each.state == "found")

    @property
    def unclear(self) -> tuple[Finding, ...]:
        """What the data alone cannot tell."""
        return tuple(each for each in self.values() if each.state == "cannot tell")

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "level": self.level,
            "findings": {name: each.to_json() for name, each in self.items()},
            "found": [each.name for each in self.found],
        }

    def __str__(self) -> str:
        first = [*self.found, *self.unclear]
        rest = [each.name for each in self.values() if each.state == "not found"]
        head = f"{len(self.found)} of {len(self)} checks found something"
        clean = [f"nothing found: {', '.join(rest)}"] if rest else []
        return "\n".join([head, *map(str, first), *clean])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        heads = ("check", "state", "p", "observed", "what it does to pass@k")
        rows = [
            (
                each.name,
                each.state,
                "" if each.p_value is None else p_words(each.p_value).removeprefix("p = "),
                each.observed,
                each.effect if each.state != "not found" else "",
            )
            for each in self.values()
        ]
        head = "".join(f"<th>{name}</th>" for name in heads)
        body = "".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Check:
    """A check before the correction for all checks together; ``forced`` needs none."""

    name: str
    p_value: float | None
    observed: str
    effect: str
    direction: Direction
    details: Mapping[str, float] = field(default_factory=dict)
    forced: State | None = None

    def finding(self, state: State) -> Finding:
        """Make the finding."""
        parts = (self.observed, self.effect, self.direction, self.details)
        return Finding(self.name, self.forced or state, self.p_value, *parts)
