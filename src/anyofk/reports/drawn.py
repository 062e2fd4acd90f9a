"""What a drawn run cost, and how different its candidates are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from anyofk.reports.attempt_costs import AttemptCosts, attempt_costs
from anyofk.store import Run

_REQUESTS = (
    "SELECT count(*), coalesce(sum(tries), 0), coalesce(sum(error <> ''), 0), "
    "coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0), "
    "coalesce(sum(completion_tokens IS NULL AND came > 0), 0), sum(cost), "
    "coalesce(sum(seconds), 0) FROM requests"
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
    attempts
        For each k, what k attempts cost at once, and one after another until the first pass.
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
    attempts: dict[int, AttemptCosts]
    distinct_texts: float
    distinct_trees: float

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        by_k = {str(k): asdict(each) for k, each in self.attempts.items()}
        return {**asdict(self), "attempts": by_k}


def drawn_costs(run: Run, ks: Iterable[int] = ()) -> DrawnCosts:
    """Sum up what a run cost, and what each number of attempts would."""
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
        attempts=attempt_costs(run, ks),
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


def _different(run: Run) -> tuple[float, float]:
    ((problems, _, texts, trees),) = run.query(_DIFFERENT)
    return (texts / problems, trees / problems) if problems else (0.0, 0.0)
