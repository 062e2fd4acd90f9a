import resource
import sys

import pytest

from anyofk.records import Candidate, Manifest, Outcome, Problem, Verdict
from anyofk.store import Run, RunWriter

PROBLEMS, DRAWS = 1000, 1000


def peak_mb():
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


@pytest.mark.deep
def test_a_million_candidates_need_no_more_memory_than_a_few(tmp_path):
    drawn = (
        Candidate(f"p{i}", draw, f"def f(x):\n    return x + {draw}\n" * 10)
        for i in range(PROBLEMS)
        for draw in range(DRAWS)
    )
    before = peak_mb()
    with RunWriter(tmp_path / "large.db") as writer:
        problems = [Problem(f"p{i}") for i in range(PROBLEMS)]
        writer.begin(Manifest({}), Manifest({}), problems, drawn)
        for candidate in writer.unjudged():
            writer.record(Verdict(candidate.problem, candidate.draw, Outcome.PASSED))
    with Run(tmp_path / "large.db") as run:
        assert sum(verdict.passed for verdict in run.verdicts()) == PROBLEMS * DRAWS
        assert sum(1 for _ in run.candidates()) == PROBLEMS * DRAWS
        assert all((c.n, c.c) == (DRAWS, DRAWS) for c in run.counts())
    assert peak_mb() - before < 50
