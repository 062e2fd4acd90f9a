"""Success within so many rounds, of a run whose model could repair its programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from anyofk.estimates import Estimate, RefusedEstimate, estimate_or_refuse
from anyofk.reports.summary import Question
from anyofk.reports.terminal import plain_table
from anyofk.store import Run

_PASSED = (
    "SELECT problem, json_array_length(earlier) + 1, count(*) FROM latest_verdicts "
    "JOIN replies USING (position, draw) WHERE outcome = 'passed' GROUP BY position, 2"
)


def success_by_round(run: Run, question: Question) -> dict[int, Estimate | RefusedEstimate]:
    """Estimate for each r the share of conversations that succeed within r rounds.

    A conversation that went on had failed the public tests, so that within fewer rounds it had
    no success. Empty for a run without rounds.
    """
    rounds = int(run.manifest.content.get("drawing", {}).get("rounds", 1))
    if rounds == 1:
        return {}
    passed: dict[int, Counter[str]] = {}
    for problem, used, number in run.query(_PASSED):
        passed.setdefault(used, Counter())[problem] += number
    found, counted = {}, Counter[str]()
    for r in range(1, rounds + 1):
        counted += passed.get(r, Counter())
        counts = [replace(each, c=counted[each.problem]) for each in run.counts()]
        found[r] = estimate_or_refuse(
            counts,
            1,
            target=question.target,
            level=question.level,
            interval=question.interval,
        )[1]
    return found


def rounds_view(rounds: Mapping[int, Estimate | RefusedEstimate]) -> RenderableType:
    """Lay out the success within each number of rounds, none without its interval."""
    rows = [
        [f"{r}", f"{each.value:.4f}", f"{each.low:.4f}", f"{each.high:.4f}"]
        for r, each in rounds.items()
        if isinstance(each, Estimate)
    ]
    if not rows:
        return Text("no success by round: some conversations are not there or not judged")
    level = next(each.level for each in rounds.values() if isinstance(each, Estimate))
    heads = ("rounds", "success within", f"{100 * level:g} % low", "high")
    return Group(plain_table(heads, rows))
