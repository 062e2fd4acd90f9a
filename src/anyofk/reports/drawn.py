"""What a drawn run cost, and how different its candidates are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from anyofk.store import Run

_REQUESTS = (
    "SELECT count(*), coalesce(sum(tries), 0), coalesce(sum(error <> ''), 0), "
    "coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0), "
    "coalesce(sum(completion_tokens IS NULL AND came > 0), 0), sum(cost), "
    "coalesce(sum(seconds), 0) FROM requests"
)
_EACH_PROBLEM = (
    "SELECT counts.n, counts.c, coalesce(tokens, 0), cost, coalesce(seconds, 0) FROM counts "
    "LEFT JOIN (SELECT problem, sum(coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)) "
    "AS tokens, sum(cost) AS cost, sum(seconds) AS seconds FROM requests "
    "JOIN problems USING (position) GROUP BY position) USING (problem) WHERE counts.n > 0"
)
_DIFFERENT = (
    "SELECT count(*), sum(draws), sum(texts), sum(trees) FROM (SELECT count(*) AS draws, "
    "count(DISTINCT content_id) AS texts, "
    "count(DISTINCT CASE WHEN tree = '' THEN content_id ELSE tree END) AS trees "
    "FROM candidates JOIN replies USING (position, draw) GROUP BY position)"
)


@dataclass(frozen=True)
class Share:
    """What something cost, for one of some kind; none where there is no such one.

    Attributes
    ----------
    tokens, cost, drawing_s, judging_s
        Tokens, money, seconds of requests, CPU seconds of judging.
    """

    tokens: float
    cost: float | None
    drawing_s: float
    judging_s: float


@dataclass(frozen=True)
class FirstPass:
    """What it takes until the first pass, draw after draw, or until all n are used up.

    The mean over the problems of the exact expectation (n + 1) / (c + 1), at most n, over the
    orders in which the draws of a problem might have come.

    Attributes
    ----------
    draws, tokens, cost, waiting_s
        Draws, their tokens, money and seconds, one after another.
    """

    draws: float
    tokens: float
    cost: float | None
    waiting_s: float


@dataclass(frozen=True)
class DrawnCosts:
    """What a drawn run cost, and how different its candidates are.

    Attributes
    ----------
    requests, tries, failed_requests
        How often the model was asked, tries included, and how often in vain.
    prompt_tokens, completion_tokens, requests_without_usage
        What the server counted, and how many answered requests it did not count.
    cost
        Money, where a price is known.
    drawing_s, judging_s
        Seconds of all requests together, and CPU seconds of all candidates together.
    candidates, problems, passed, solved
        How many.
    per
        Shares by ``candidate``, ``problem``, ``pass`` and ``solved problem``.
    first_pass
        What the first pass takes.
    distinct_texts, distinct_trees
        Different programs, and different syntax trees, a problem on average.
    """

    requests: int
    tries: int
    failed_requests: int
    prompt_tokens: int
    completion_tokens: int
    requests_without_usage: int
    cost: float | None
    drawing_s: float
    judging_s: float
    candidates: int
    problems: int
    passed: int
    solved: int
    per: dict[str, Share]
    first_pass: FirstPass | None
    distinct_texts: float
    distinct_trees: float

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return asdict(self)


def drawn_costs(run: Run) -> DrawnCosts:
    """Sum up what a run cost."""
    (asked,) = run.query(_REQUESTS)
    requests, tries, failed, prompt, completion, uncounted, cost, seconds = asked
    ((judging_s,),) = run.query("SELECT coalesce(sum(cpu_s), 0) FROM latest_verdicts")
    numbers = _numbers(run)
    total = Share(prompt + completion, cost, seconds, judging_s)
    texts, trees = _different(run)
    return DrawnCosts(
        requests=requests,
        tries=tries,
        failed_requests=failed,
        prompt_tokens=prompt,
        completion_tokens=completion,
        requests_without_usage=uncounted,
        cost=cost,
        drawing_s=seconds,
        judging_s=judging_s,
        candidates=numbers["candidate"],
        problems=numbers["problem"],
        passed=numbers["pass"],
        solved=numbers["solved problem"],
        per={name: _of(total, number) for name, number in numbers.items() if number},
        first_pass=_first_pass(run.query(_EACH_PROBLEM)),
        distinct_texts=texts,
        distinct_trees=trees,
    )


def _numbers(run: Run) -> dict[str, int]:
    counts = run.counts()
    return {
        "candidate": run.size(),
        "problem": len(counts),
        "pass": sum(each.c for each in counts),
        "solved problem": sum(each.c > 0 for each in counts),
    }


def _of(total: Share, number: int) -> Share:
    cost = None if total.cost is None else total.cost / number
    return Share(total.tokens / number, cost, total.drawing_s / number, total.judging_s / number)


def _first_pass(rows: Sequence[tuple[Any, ...]]) -> FirstPass | None:
    if not rows:
        return None
    draws = [min(n, (n + 1) / (c + 1)) for n, c, *_ in rows]
    shares = [used / n for used, (n, *_) in zip(draws, rows, strict=True)]
    columns = list(zip(*rows, strict=True))
    money = None if any(each is None for each in columns[3]) else _mean(columns[3], shares)
    return FirstPass(
        sum(draws) / len(draws), _mean(columns[2], shares), money, _mean(columns[4], shares)
    )


def _mean(values: Sequence[float], shares: Sequence[float]) -> float:
    return sum(v * s for v, s in zip(values, shares, strict=True)) / len(shares)


def _different(run: Run) -> tuple[float, float]:
    ((problems, _, texts, trees),) = run.query(_DIFFERENT)
    return (texts / problems, trees / problems) if problems else (0.0, 0.0)
