import json
from collections import Counter

import pytest

from anyofk import Candidate, Outcome, Problem, Verdict, evaluate, verify
from anyofk.errors import CandidateFileError, DataError, UnavailableError, UnlikeRunsError
from anyofk.exchange import read_candidates
from anyofk.judging import survey
from anyofk.pipeline import JudgingSettings, StoredVerification
from anyofk.problems import ProblemSet
from anyofk.records import Tests
from anyofk.store import Run

PROBLEMS = ProblemSet(
    "tiny",
    "1",
    tuple(
        Problem(f"p{i}", entry_point="f", tests=(Tests(code=f"assert f({i}) == {i}"),))
        for i in range(3)
    ),
)
CANDIDATES = [
    Candidate(f"p{i}", draw, f"def f(x): return x + {draw}") for i in range(3) for draw in range(40)
]
SETTINGS = JudgingSettings(level="jail")


class FakeJudge:
    """Judges by the draw alone: even ones pass; notes what it was asked."""

    def __init__(self, stop_after=None, breaks=()):
        self.asked = Counter()
        self._stop_after = stop_after
        self._breaks = set(breaks)

    def __call__(self, pairs):
        for number, (problem, candidate) in enumerate(pairs):
            if number == self._stop_after:
                raise KeyboardInterrupt
            key = problem.id, candidate.draw
            self.asked[key] += 1
            outcome = Outcome.WRONG_ANSWER if candidate.draw % 2 else Outcome.PASSED
            yield Verdict(*key, Outcome.BROKEN if key in self._breaks else outcome)


def work(path, judge, *, candidates=CANDIDATES, problems=PROBLEMS, settings=SETTINGS, fresh=False):
    source = read_candidates(candidates, problems)
    return StoredVerification(path, source, problems, settings, fresh=fresh, judge=judge)


def settings(**changes):
    return {"settings": JudgingSettings(**{"level": "jail", **changes})}


def run_all(path, judge, **more):
    with work(path, judge, **more) as verification:
        return list(verification)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs" / "tiny.db"


def test_every_candidate_is_judged_and_stored(path):
    verdicts = run_all(path, FakeJudge())
    assert len(verdicts) == 120
    with Run(path) as run:
        assert [(c.n, c.c) for c in run.counts()] == [(40, 20)] * 3


def test_the_same_again_judges_nothing(path):
    run_all(path, FakeJudge())
    judge = FakeJudge()
    with work(path, judge) as verification:
        assert (verification.total, verification.judged_before) == (120, 120)
        assert list(verification) == []
    assert not judge.asked


def test_an_interrupted_run_goes_on_and_judges_nothing_twice(path):
    first = FakeJudge(stop_after=50)
    with pytest.raises(KeyboardInterrupt):
        run_all(path, first)
    second = FakeJudge()
    run_all(path, second)
    asked = first.asked + second.asked
    assert len(asked) == 120
    assert set(asked.values()) == {1}
    with Run(path) as run:
        assert [(c.n, c.c, c.broken) for c in run.counts()] == [(40, 20, 0)] * 3


def test_what_broke_is_judged_again_by_the_next_command(path):
    run_all(path, FakeJudge(breaks={("p0", 3), ("p2", 0)}))
    with Run(path) as run:
        assert [c.broken for c in run.counts()] == [1, 0, 1]
    judge = FakeJudge()
    run_all(path, judge)
    assert set(judge.asked) == {("p0", 3), ("p2", 0)}
    with Run(path) as run:
        assert [(c.n, c.broken) for c in run.counts()] == [(40, 0)] * 3


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (
            {"settings": JudgingSettings(level="jail", time_limit=6.0)},
            "judging.time_limit: 3.0, now 6.0",
        ),
        (
            {"settings": JudgingSettings(level="jail", memory_mb=64)},
            "judging.memory_mb: 1024, now 64",
        ),
        ({"settings": JudgingSettings(level="fence")}, "judging.level: jail, now fence"),
        (
            {"settings": JudgingSettings(level="jail", allow_inprocess=True)},
            "judging.allow_inprocess: False, now True",
        ),
        ({"candidates": CANDIDATES[1:]}, "candidates.digest: sha256:"),
        (
            {"problems": ProblemSet("tiny", "2", PROBLEMS.problems)},
            "problems.version: 1, now 2",
        ),
    ],
)
def test_another_manifest_is_refused_with_what_differs(path, changed, names):
    run_all(path, FakeJudge())
    with pytest.raises(UnlikeRunsError) as caught:
        work(path, FakeJudge(), **changed)
    assert any(line.startswith(names) for line in caught.value.differences)
    assert names.split(":")[0] in str(caught.value)
    assert len(run_all(path, FakeJudge(), fresh=True, **changed)) in {119, 120}


def test_the_number_of_workers_is_no_difference(path):
    run_all(path, FakeJudge(), settings=JudgingSettings(level="jail", workers=1))
    assert run_all(path, FakeJudge(), settings=JudgingSettings(level="jail", workers=7)) == []


def test_bad_candidates_leave_no_run(path, tmp_path):
    file = tmp_path / "samples.jsonl"
    file.write_text('{"task_id": "p0", "completion": "x"}\n{"task_id": "p0", "completion": 7}\n')
    with pytest.raises(CandidateFileError, match="line 2"):
        work(path, FakeJudge(), candidates=file)
    assert not path.exists()


def test_a_changed_file_is_never_judged_by_old_verdicts(path, tmp_path):
    file = tmp_path / "samples.jsonl"
    file.write_text(json.dumps({"task_id": "p0", "completion": "one"}))
    run_all(path, FakeJudge(), candidates=file)
    file.write_text(json.dumps({"task_id": "p0", "completion": "two"}))
    with pytest.raises(UnlikeRunsError, match=r"candidates\.digest"):
        work(path, FakeJudge(), candidates=file)


def test_a_run_at_work_is_not_worked_at_by_another(path):
    with work(path, FakeJudge()), pytest.raises(UnavailableError, match="in use"):
        work(path, FakeJudge())


def test_verdicts_are_on_disk_within_half_a_second(path):
    from anyofk.store import writer  # noqa: PLC0415 - its constants alone

    with work(path, FakeJudge()) as verification:
        iterator = iter(verification)
        next(iterator)
        verification._writer._last_commit -= writer.BATCH_SECONDS
        next(iterator)
        with Run(path) as run:
            assert run.pending() == 118


def test_an_unknown_problem_in_memory_is_named():
    with pytest.raises(DataError, match="problem 'zzz'"):
        list(verify([Candidate("zzz", 0, "")], PROBLEMS))


@pytest.mark.usefixtures("_sandbox")
def test_verify_in_python_keeps_a_run_that_goes_on_and_is_counts(path):
    drawn = CANDIDATES[:2] + CANDIDATES[40:42] + CANDIDATES[80:82]
    unused = verify(drawn, PROBLEMS, store=path, workers=1)
    verdicts = list(verify(drawn, PROBLEMS, store=path, workers=1))
    assert len(verdicts) == 6
    assert {(v.problem, v.draw) for v in verdicts if v.passed} == {("p0", 0), ("p1", 0), ("p2", 0)}
    assert list(unused) == []
    with Run(path) as run:
        assert evaluate(run, 2)[2].value == 1.0
    longer = verify(drawn, PROBLEMS, store=path, time_limit=9.0)
    with pytest.raises(UnlikeRunsError, match=r"judging\.time_limit"):
        next(longer)
    assert len(list(verify(drawn, PROBLEMS, store=path, time_limit=9.0, fresh=True))) == 6


@pytest.mark.usefixtures("_sandbox")
def test_verify_in_python_takes_an_endless_stream():
    def endless():
        yield from CANDIDATES[:1]
        draw = 1
        while True:
            yield Candidate("p0", draw, "def f(x): return x")
            draw += 1

    verdicts = verify(endless(), PROBLEMS, workers=1)
    assert all(next(verdicts).passed for _ in range(5))
    verdicts.close()


@pytest.fixture(scope="module")
def _sandbox():
    level = survey().level
    if level not in {"vm", "jail", "fence"}:
        pytest.skip(f"no sandbox holds on this machine: level {level}")
