"""Many candidates over a pool: streaming, bounded, tidy, and the same whatever the order."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anyofk.errors import SandboxError, UsageError
from anyofk.judging import judge, judge_all
from anyofk.judging.pool import Pool
from anyofk.judging.seat import Seat
from anyofk.records import Candidate, Problem, Tests
from anyofk.sandbox import Zygote

TEXTS = {
    "return x + {n}": "passed",
    "return x + {n} + 1": "wrong_answer",
    "return 1 / 0": "exception",
    "return x +": "syntax_error",
    "import os; os._exit(0)": "exited",
}


def problem(n):
    return Problem(
        f"add/{n}",
        entry_point="f",
        tests=(Tests(code=f"assert f(1) == {1 + n}\nassert f(2) == {2 + n}"),),
        reference=f"def f(x): return x + {n}",
    )


def pairs(problems=6, rounds=2):
    for n in range(problems):
        for draw in range(rounds * len(TEXTS)):
            body = list(TEXTS)[draw % len(TEXTS)].format(n=n)
            yield problem(n), Candidate(f"add/{n}", draw, f"def f(x): {body}")


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def outcomes(verdicts):
    return {(v.problem, v.draw): v.outcome for v in verdicts}


def expected():
    wanted = list(TEXTS.values())
    return {(p.id, c.draw): wanted[c.draw % len(wanted)] for p, c in pairs()}


@pytest.fixture
def started(monkeypatch):
    """All zygotes that are started."""
    zygotes, start = [], Zygote.start

    def starting(spec):
        zygotes.append(start(spec))
        return zygotes[-1]

    monkeypatch.setattr("anyofk.judging.seat.Zygote.start", starting)
    return zygotes


def running(zygotes):
    return [zygote for zygote in zygotes if zygote._process.poll() is None]


def test_every_candidate_gets_its_verdict_once(level, kept):
    verdicts = list(judge_all(pairs(), level=level, calibrations=kept))
    assert outcomes(verdicts) == expected()
    assert len(verdicts) == len(expected())


def test_the_order_of_candidates_and_the_number_of_workers_change_nothing(level, kept):
    shuffled = list(pairs())
    shuffled.sort(key=lambda pair: (pair[1].draw * 7919 + len(pair[0].id)) % 97)
    assert outcomes(judge_all(shuffled, level=level, workers=3, calibrations=kept)) == expected()


def test_candidates_are_taken_lazily_and_a_bounded_number_ahead(level, kept):
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield problem(1), Candidate("add/1", taken, "def f(x): return x + 1")

    verdicts = judge_all(endless(), level=level, workers=1, calibrations=kept)
    assert taken == 0
    for _ in range(100):
        assert next(verdicts).passed
    assert taken < 300
    verdicts.close()


def test_closing_early_ends_every_process(level, kept, started):
    verdicts = judge_all(pairs(), level=level, calibrations=kept)
    next(verdicts)
    assert running(started)
    verdicts.close()
    assert not running(started)


def test_an_interrupt_of_the_consumer_ends_every_process(level, kept, started):

    def interrupted():
        yield from pairs(20)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(judge_all(interrupted(), level=level, calibrations=kept))
    assert started
    assert not running(started)


def test_a_faulty_problem_is_told_and_the_others_go_on(level, kept):
    faulty = Problem("bad", tests=(Tests(code="x = 1"),))
    both = [(faulty, Candidate("bad", 0, "y = 1")), *pairs(1, 1)]
    verdicts = {v.problem: v for v in judge_all(both, level=level, calibrations=kept)}
    assert verdicts["bad"].outcome == "broken"
    assert "no check" in verdicts["bad"].message
    assert verdicts["add/0"].judged


def test_a_zygote_that_dies_costs_no_verdict(level, kept, monkeypatch):
    assert list(judge_all(pairs(3), level=level, calibrations=kept))
    posted, post = 0, Seat.post

    def killing(seat, task, trial):
        nonlocal posted
        posted += 1
        answer = post(seat, task, trial)
        if posted % 7 == 0:
            next(iter(seat._zygotes.values()))._process.kill()
        return answer

    monkeypatch.setattr(Seat, "post", killing)
    verdicts = list(judge_all(pairs(3), level=level, workers=1, calibrations=kept))
    wanted = {
        key: outcome for key, outcome in expected().items() if key[0] in ("add/0", "add/1", "add/2")
    }
    assert posted > 7
    # a second death during the retry is the candidate's failure by the rules, never broken
    assert all(v.judged for v in verdicts)
    same = [key for key, outcome in outcomes(verdicts).items() if outcome == wanted[key]]
    assert len(same) > 0.7 * len(wanted)


def test_where_no_sandbox_starts_nothing_is_judged(kept, monkeypatch):
    def refuse(_spec):
        raise SandboxError("no sandbox here")

    monkeypatch.setattr("anyofk.judging.seat.Zygote.start", refuse)
    with pytest.raises(SandboxError, match="no sandbox here"):
        list(judge_all(pairs(), level="jail", calibrations=kept))


def test_a_weak_level_needs_to_be_allowed_by_name():
    with pytest.raises(SandboxError, match="weaker") as caught:
        judge_all([], level="limits")
    assert "--allow-weak limits" in caught.value.hint
    with pytest.raises(UsageError, match="no level called"):
        judge_all([], level="fort")


def test_limits_that_mean_nothing_are_refused():
    with pytest.raises(UsageError, match="time limit"):
        judge_all([], level="jail", time_limit=0)
    with pytest.raises(UsageError, match="memory limit"):
        judge_all([], level="jail", memory_mb=0)


def test_judge_works_from_many_threads(level):
    def one(n):
        return judge(f"def f(x): return x + {n}", f"assert f(1) == {1 + n}", level=level)

    with ThreadPoolExecutor(4) as threads:
        assert all(verdict.passed for verdict in threads.map(one, range(8)))


def test_judging_works_beside_a_running_event_loop(level, kept):
    asyncio = pytest.importorskip("asyncio")

    async def inside():
        return outcomes(judge_all(pairs(1), level=level, calibrations=kept))

    assert asyncio.run(inside()) == {k: v for k, v in expected().items() if k[0] == "add/0"}


def test_judging_leaves_no_thread_and_no_descriptor(level, kept):
    list(judge_all(pairs(1, 1), level=level, calibrations=kept))
    before = descriptors(), threading.active_count()
    list(judge_all(pairs(2, 1), level=level, calibrations=kept))
    assert (descriptors(), threading.active_count()) == before


def test_a_sleeper_is_retried_once_and_timed_out(level, kept):
    start = time.monotonic()
    sleeper = Candidate("add/0", 0, "import time\ndef f(x): time.sleep(60)")
    settings = {"level": level, "time_limit": 0.3, "calibrations": kept}
    (verdict,) = judge_all([(problem(0), sleeper)], **settings)
    assert verdict.outcome == "timeout"
    assert verdict.wall_s < 5
    assert time.monotonic() - start < 30


def test_a_pool_in_a_forked_copy_leaves_the_originals_zygotes_alone(monkeypatch):
    pool = Pool("jail", 1)
    closed = []
    monkeypatch.setattr(Seat, "close", closed.append)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    pool.close()
    assert not closed
    assert not pool.ours


def test_nothing_at_the_moment_lets_what_runs_go_on():
    problem = Problem(
        "p",
        entry_point="f",
        tests=(Tests(code="assert f(1) == 2"),),
        reference="def f(x):\n    return x + 1\n",
    )
    seen = []

    def pairs():
        yield problem, Candidate("p", 0, "def f(x):\n    return x + 1\n")
        while not seen:  # the second candidate comes only after the first verdict
            yield None
        yield problem, Candidate("p", 1, "def f(x):\n    return x\n")

    for verdict in judge_all(pairs(), workers=1):
        seen.append(verdict.outcome.value)  # noqa: PERF401 -- pairs() reads it meanwhile
    assert seen == ["passed", "wrong_answer"]
