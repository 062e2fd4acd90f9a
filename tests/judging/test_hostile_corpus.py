"""The shared hostile and honest candidates, judged at the strongest level that holds here."""

import gzip
import json

import pytest

from anyofk.judging import judge_all
from anyofk.records import Candidate, Problem, Tests

pytestmark = pytest.mark.hostile


def problems(shared):
    with gzip.open(shared / "data" / "humaneval" / "HumanEval.jsonl.gz", "rt") as file:
        for row in map(json.loads, file):
            yield Problem(
                row["task_id"],
                prompt=row["prompt"],
                entry_point=row["entry_point"],
                tests=(Tests(code=row["test"]),),
                reference=row["prompt"] + row["canonical_solution"],
                prompt_is_code=True,
            )


@pytest.fixture(scope="module")
def humaneval(shared):
    return {problem.id: problem for problem in problems(shared)}


def corpus(shared, humaneval, name):
    lines = (shared / "attacks" / f"{name}.jsonl").read_text("utf-8").splitlines()
    for draw, row in enumerate(map(json.loads, lines)):
        form = "program" if row["full"] else "completion"
        yield (
            row,
            humaneval[row["task_id"]],
            Candidate(row["task_id"], draw, row["completion"], form),
        )


def judged(rows, level, kept):
    pairs = [(problem, candidate) for _, problem, candidate in rows]
    verdicts = judge_all(pairs, level=level, calibrations=kept)
    return {verdict.draw: verdict for verdict in verdicts}


def test_no_attack_passes_or_is_broken(shared, humaneval, level, kept, told):
    rows = list(corpus(shared, humaneval, "attacks"))
    verdicts = judged(rows, level, kept)
    told(f"hostile corpus: {len(verdicts)} attacks at level {level}")
    unfit = {rows[d][0]["id"]: v for d, v in verdicts.items() if v.passed or not v.judged}
    assert len(verdicts) == len(rows)
    assert not unfit


def test_every_honest_candidate_passes(shared, humaneval, level, kept, told):
    rows = list(corpus(shared, humaneval, "honest"))
    if level != "jail":
        rows = [row for row in rows if not row[0]["needs_processes"]]
    verdicts = judged(rows, level, kept)
    told(f"honest corpus: {len(verdicts)} programs at level {level}")
    by_draw = {candidate.draw: row for row, _, candidate in rows}
    failed = {by_draw[d]["id"]: v for d, v in verdicts.items() if not v.passed}
    assert len(verdicts) == len(rows)
    assert not failed


def test_every_reference_of_humaneval_passes_isolated(humaneval, level, kept):
    pairs = [(p, Candidate(p.id, 0, p.reference)) for p in humaneval.values()]
    verdicts = list(judge_all(pairs, level=level, calibrations=kept))
    assert len(verdicts) == 164
    assert not [v for v in verdicts if not v.passed or v.mode != "isolated"]
