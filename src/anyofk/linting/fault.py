"""Faults of reported numbers: what is wrong, what shows it, what is right, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.estimates.pictures import visible

Weight = Literal["wrong", "doubtful", "incomplete"]
WEIGHTS: tuple[Weight, ...] = ("wrong", "doubtful", "incomplete")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong with counts, or with numbers that were reported of them.

    Attributes
    ----------
    what
        The kind of fault, one word for programs.
    weight
        ``wrong``: the number is not what it is called. ``doubtful``: the data alone can't tell.
        ``incomplete``: something is missing that a reader needs.
    evidence
        What shows it.
    hint
        What to do.
    k
        Attempts allowed, where it is about one number.
    reported, right
        The number as reported, and as it should be; none where no such number exists.
    low, high
        The interval of the right number; where it does not exist, what it must lie between.
    """

    what: str
    weight: Weight
    evidence: str
    hint: str
    k: int | None = None
    reported: float | None = None
    right: float | None = None
    low: float | None = None
    high: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        whose = "" if self.k is None else f"pass@{self.k}: "
        return f"{self.weight}: {self.what}: {whose}{self.evidence}{self._instead()}; {self.hint}"

    def _instead(self) -> str:
        between = "" if self.low is None else f" [{self.low:.4f}, {self.high:.4f}]"
        if self.right is None:
            return between and f"; it lies in{between}"
        return f"; right is {self.right:.4f}{between}"


class Linting(Sequence[Fault]):
    """What was found wrong, the worst first. Made by `lint`.

    Attributes
    ----------
    right
        For each k that was reported the estimate, or why there is none.
    """

    def __init__(
        self, faults: Sequence[Fault], right: Mapping[int, Estimate | RefusedEstimate]
    ) -> None:
        self._faults = sorted(faults, key=lambda fault: WEIGHTS.index(fault.weight))
        self.right = dict(right)

    def __getitem__(self, index: Any) -> Any:
        return self._faults[index]

    def __len__(self) -> int:
        return len(self._faults)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    @property
    def wrong(self) -> tuple[Fault, ...]:
        """The faults by which a number is not what it is called."""
        return tuple(fault for fault in self if fault.weight == "wrong")

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "faults": [fault.to_json() for fault in self],
            "wrong": len(self.wrong),
            "right": {str(k): estimate.to_json() for k, estimate in self.right.items()},
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing wrong was found"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        heads = ("", "fault", "k", "evidence", "reported", "right", "low", "high", "what to do")
        head = "".join(f"<th>{escape(name)}</th>" for name in heads)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in _cells(fault))}</tr>"
            for fault in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(fault: Fault) -> list[str]:
    numbers = (fault.reported, fault.right, fault.low, fault.high)
    written = ["" if number is None else f"{number:.4f}" for number in numbers]
    k = "" if fault.k is None else str(fault.k)
    return [fault.weight, fault.what, k, fault.evidence, *written, fault.hint]
