"""Numbers as they were reported: values, what their rounding hides, and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import UsageError, shown

_KEY: Final = re.compile(r"(?:pass[@_ ](?:at[_ ])?)?([1-9][0-9]{0,14})")
_NUMBER: Final = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?\s*(%?)")
_LEAST_DECIMALS: Final = 3  # "1" alone says 1.000, not "anything above a half"
_MOST_DECIMALS: Final = 9  # beyond these a difference is one of floating-point arithmetic
_PERCENT: Final = 100.0
_LONGEST: Final = 60
PARTS: Final = ("value", "se", "low", "high")


@dataclass(frozen=True)
class Reported:
    """One number of a report.

    Attributes
    ----------
    k
        Attempts allowed.
    value
        The number, as a chance.
    unit
        One in its last place: rounding moved it by up to half of this.
    se, low, high
        Its standard error and the ends of its interval; none where they were not reported.
    error_unit
        One in the last place of these.
    """

    k: int
    value: float
    unit: float
    se: float | None = None
    low: float | None = None
    high: float | None = None
    error_unit: float = 0.0

    @property
    def has_error(self) -> bool:
        """Whether anything says how uncertain it is."""
        return self.se is not None or (self.low is not None and self.high is not None)

    def agrees(self, number: float, units: float = 0.5) -> bool:
        """Whether it is this number, rounded."""
        return abs(self.value - number) <= units * self.unit * (1 + 1e-6)


def read_reported(reported: Any) -> dict[int, Reported]:
    """Read a table of reported numbers.

    Parameters
    ----------
    reported
        A mapping from k, or ``"pass@k"``, to a number, a text such as ``"0.31"`` or ``"31 %"``,
        or a mapping with ``value`` and perhaps ``se``, ``low`` and ``high``. Texts keep zeros at
        the end, and so tell better what rounding hides. A table with a value above 1 is read as
        percent.

    Raises
    ------
    UsageError
        A key is no k, or a value is no chance.
    """
    if reported is None:
        return {}
    if not isinstance(reported, Mapping):
        raise UsageError(
            f"reported numbers must be a mapping from k to a value, not {shown(reported)}",
            hint='such as {1: "0.31", 10: "0.60"}',
        )
    table = {_k(key): _parts(key, value) for key, value in reported.items()}
    in_percent = any(row["value"].number > 1 for row in table.values())
    scaled = {
        k: {name: part.scaled(in_percent=in_percent) for name, part in row.items()}
        for k, row in sorted(table.items())
    }
    unit = _unit(row["value"] for row in scaled.values())
    of_errors = _unit(part for row in scaled.values() for n, part in row.items() if n != "value")
    return {k: _checked(k, row, unit, of_errors) for k, row in scaled.items()}


@dataclass(frozen=True)
class _Written:
    """A number as it was written: how many decimals it shows, and whether it says percent."""

    number: float
    decimals: int
    says_percent: bool = False

    def scaled(self, *, in_percent: bool) -> _Written:
        """Read it as a chance; a number that doesn't say percent may mean it all the same."""
        if not (in_percent or self.says_percent):
            return self
        return _Written(self.number / _PERCENT, self.decimals + 2)


def _k(key: Any) -> int:
    match = _KEY.fullmatch(str(key).strip()) if not isinstance(key, bool) else None
    if match is None:
        raise UsageError(f"{shown(key)} names no k", hint="write 10 or pass@10")
    return int(match[1])


def _parts(key: Any, value: Any) -> dict[str, _Written]:
    given = value if isinstance(value, Mapping) else {"value": value}
    parts = {name: given[name] for name in PARTS if given.get(name) is not None}
    if "value" not in parts:
        raise UsageError(f"{shown(key)} has no value", hint="leave out what was not reported")
    return {name: _number(part, key) for name, part in parts.items()}


def _number(value: Any, key: Any) -> _Written:
    text = str(value).strip() if not isinstance(value, bool) else ""
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or not (match[2] or match[3]):
        raise UsageError(f"the value of {shown(key)} is no number: {shown(value)}")
    decimals = len(match[3]) - int(match[4] or 0)
    return _Written(float(text.rstrip("% ")), decimals, bool(match[5]))


def _unit(written: Iterable[_Written]) -> float:
    """Give one in the last place of a table, whose numbers are written alike."""
    most = max((each.decimals for each in written), default=0)
    return float(10.0 ** -min(most if most > 0 else _LEAST_DECIMALS, _MOST_DECIMALS))


def _checked(k: int, row: dict[str, _Written], unit: float, error_unit: float) -> Reported:
    value = row["value"].number
    if not 0 <= value <= 1:
        raise UsageError(
            f"pass@{k} is a chance, not {value:g}",
            hint="write chances from 0 to 1, or percent up to 100",
            k=k,
        )
    se, low, high = (row[name].number if name in row else None for name in PARTS[1:])
    return Reported(k, value, unit, se, low, high, error_unit)
