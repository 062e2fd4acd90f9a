"""Sampling policies: how a model is asked, and whether its draws can differ by chance alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from anyofk.errors import UsageError

_BEAMS: Final = ("num_beams", "beam_width", "best_of")
_SWITCHES: Final = ("use_beam_search", "without_replacement", "greedy")


@dataclass(frozen=True)
class Sampling:
    """How a model is asked.

    Attributes
    ----------
    temperature, top_p
        As usual; temperature 0 leaves nothing to chance.
    max_tokens
        The most tokens of one reply; a longer one is cut, and fails at this budget.
    stop
        Texts that end a reply.
    extra
        Other fields, sent to the server as they are; null leaves a field out.

    Examples
    --------
    >>> Sampling(extra={"top_k": 20, "top_p": None}).fields()
    {'temperature': 0.8, 'max_tokens': 1024, 'top_k': 20}
    """

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check(self.temperature, low=0, high=float("inf"), name="temperature")
        _check(self.top_p, low=0, high=1, name="top_p")
        if self.max_tokens < 1:
            raise UsageError(f"max_tokens must be at least 1, not {self.max_tokens}")

    def fields(self) -> dict[str, Any]:
        """Give the fields of a request."""
        own = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            **({"stop": list(self.stop)} if self.stop else {}),
        }
        return {name: value for name, value in {**own, **self.extra}.items() if value is not None}

    @property
    def token_limit(self) -> int:
        """The most tokens that one reply may take, whatever the field is called."""
        renamed = self.extra.get("max_completion_tokens")
        return renamed if isinstance(renamed, int) else self.max_tokens

    @property
    def dependence(self) -> str:
        """Why the draws of one problem are not independent, or empty text.

        Examples
        --------
        >>> Sampling(temperature=0).dependence
        'temperature 0'
        >>> Sampling().dependence
        ''
        """
        return dependence(self.fields())


def dependence(fields: Mapping[str, Any]) -> str:
    """Say why draws with these fields of a request are not independent, or give empty text.

    Examples
    --------
    >>> dependence({"num_beams": 4})
    'num_beams 4'
    """
    if fields.get("temperature") == 0:
        return "temperature 0"
    if fields.get("top_k") == 1 or fields.get("do_sample") is False:
        return "no sampling"
    for name in _BEAMS:
        if isinstance(fields.get(name), int) and fields[name] > 1:
            return f"{name} {fields[name]}"
    on = [name for name in _SWITCHES if fields.get(name) is True]
    return on[0].replace("_", " ") if on else ""


def seed_of(seed: int, problem: str, draw: int) -> int:
    """Give the seed of one draw: 31 bits, its own for each problem and draw of each run seed.

    Examples
    --------
    >>> seed_of(0, "p", 0) == seed_of(0, "p", 0) != seed_of(0, "p", 1)
    True
    """
    text = f"{seed}/{problem}/{draw}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "big") >> 1


SEED_POLICY: Final = "first 31 bits of sha256(seed/problem/draw)"


def _check(value: float, *, low: float, high: float, name: str) -> None:
    if not low <= value <= high or value == float("inf"):
        raise UsageError(f"{name} must be a number from {low} to {high}, not {value}")
