"""What k attempts at a problem cost: all of them at once, or one after another until one passes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anyofk.stats import fail_at_k
from anyofk.store import Run

_EACH_PROBLEM = (
    "SELECT counts.n, counts.c, coalesce(tokens, 0), cost, coalesce(seconds, 0) FROM counts "
    "LEFT JOIN (SELECT problem, sum(coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)) "
    "AS tokens, sum(cost) AS cost, sum(seconds) AS seconds FROM requests "
    "JOIN problems USING (position) GROUP BY position) USING (problem) WHERE counts.n > 0"
)


@dataclass(frozen=True)
class Spent:
    """Draws, and what they take: tokens, money (none without a price) and seconds of requests."""

    draws: float
    tokens: float
    cost: float | None
    seconds: float


@dataclass(frozen=True)
class AttemptCosts:
    """What k attempts at a problem cost on average.

    Attributes
    ----------
    k
        Attempts allowed.
    at_once
        All k are drawn, whatever becomes of them.
    in_turn
        One after another, until one passes or all k are used: what it takes to the first pass.
    """

    k: int
    at_once: Spent
    in_turn: Spent


def attempt_costs(run: Run, ks: Iterable[int]) -> dict[int, AttemptCosts]:
    """Say what k attempts cost, for each k that every problem's n allows.

    The number of draws in turn is the unbiased ``1 + sum(fail@j for j < k)``, averaged over
    the problems; a draw of a problem costs the mean of its draws.
    """
    rows = run.query(_EACH_PROBLEM)
    most = min((n for n, *_ in rows), default=0)
    return {k: _costs(rows, k) for k in dict.fromkeys(ks) if k <= most}


def draws_in_turn(n: int, c: int, k: int) -> float:
    """Expect how many draws are used until the first pass, at most k.

    Examples
    --------
    >>> draws_in_turn(4, 0, 3), draws_in_turn(4, 4, 3), round(draws_in_turn(4, 2, 4), 4)
    (3.0, 1.0, 1.6667)
    """
    if k == 1:
        return 1.0
    return 1.0 + float(sum(fail_at_k(n, c, range(1, k))))


def _costs(rows: Sequence[tuple[int, int, float, float | None, float]], k: int) -> AttemptCosts:
    at_once = [float(k)] * len(rows)
    in_turn = [draws_in_turn(n, c, k) for n, c, *_ in rows]
    return AttemptCosts(k, _spent(rows, at_once), _spent(rows, in_turn))


def _spent(
    rows: Sequence[tuple[int, int, float, float | None, float]], draws: Sequence[float]
) -> Spent:
    """Average over the problems what so many draws of each cost."""
    shares = [used / n / len(rows) for used, (n, *_) in zip(draws, rows, strict=True)]
    tokens = sum(share * row[2] for share, row in zip(shares, rows, strict=True))
    seconds = sum(share * row[4] for share, row in zip(shares, rows, strict=True))
    paid = [row[3] for row in rows if row[3] is not None]
    whole = len(paid) == len(rows)
    cost = sum(s * p for s, p in zip(shares, paid, strict=True)) if whole else None
    return Spent(sum(draws) / len(draws), tokens, cost, seconds)
