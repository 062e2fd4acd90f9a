"""The contract kit itself: a sandbox that breaks a promise is told so. No hostile program runs."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from anyofk.records import Outcome, Verdict
from anyofk.testing import check_sandbox, honest_corpus, hostile_corpus, sandbox_violations
from anyofk.testing.surroundings import MARK, PORT

HOSTILE = hostile_corpus()[0]
HONEST = next(p for p in honest_corpus() if not p.needs_processes)
FORKING = next(p for p in honest_corpus() if p.needs_processes)
SLEEPER = next(p for p in hostile_corpus() if p.allowed == {Outcome.TIMEOUT})


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch):
    monkeypatch.setattr("anyofk.testing.surroundings._GRACE_S", 0.2)


def answering(outcomes, level="jail", deed=None, message=""):
    """Judge nothing: give each program the outcome named for it, and do a deed meanwhile."""

    def judge(pairs):
        if deed is not None:
            deed()
        for problem, candidate in pairs:
            outcome = outcomes[candidate.draw]
            yield Verdict(problem.id, candidate.draw, outcome, message, level=level)

    return judge


def violations(program, outcome, **answer):
    judge = answering({program.candidate.draw: outcome}, **answer)
    return sandbox_violations(judge, level="jail", programs=[program])


def test_a_sandbox_that_keeps_its_promises_has_no_violations():
    right = {HOSTILE.candidate.draw: Outcome.WRONG_ANSWER, HONEST.candidate.draw: Outcome.PASSED}
    check_sandbox(answering(right), level="jail", programs=[HOSTILE, HONEST])


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        (HOSTILE, Outcome.PASSED),
        (HOSTILE, Outcome.BROKEN),
        (SLEEPER, Outcome.WRONG_ANSWER),
        (HONEST, Outcome.TIMEOUT),
        (HONEST, Outcome.BROKEN),
        (FORKING, Outcome.FORBIDDEN),
    ],
)
def test_a_wrong_outcome_is_named_with_its_program(program, outcome):
    (line,) = violations(program, outcome)
    assert program.id in line
    assert outcome.value in line


def test_programs_that_need_processes_are_excused_where_none_may_start():
    judge = answering({FORKING.candidate.draw: Outcome.FORBIDDEN}, level="fence")
    assert sandbox_violations(judge, level="fence", programs=[FORKING]) == []
    judge = answering({FORKING.candidate.draw: Outcome.BROKEN}, level="fence")
    assert len(sandbox_violations(judge, level="fence", programs=[FORKING])) == 1


def test_a_weaker_level_than_claimed_is_named():
    judge = answering({HOSTILE.candidate.draw: Outcome.TIMEOUT}, level="none")
    (line,) = sandbox_violations(judge, level="jail", programs=[HOSTILE])
    assert line.endswith("judged at level none")


def test_control_characters_in_a_message_are_named():
    (line,) = violations(HOSTILE, Outcome.EXCEPTION, message="\x1b[2J")
    assert "unprintable" in line


def test_a_program_that_says_it_read_something_secret_is_named():
    (line,) = violations(HOSTILE, Outcome.WRONG_ANSWER, message="expected 3, got 'anyofk-leak'")
    assert "read what it must not" in line


def test_a_judge_that_fails_on_the_way_is_named_with_what_it_had_done():
    def judge(pairs):
        yield from answering({HOSTILE.candidate.draw: Outcome.EXITED})(pairs[:1])
        raise RecursionError("too deep")

    (line,) = sandbox_violations(judge, level="jail", programs=[HOSTILE, HOSTILE])
    assert line == "the judge failed after 1 of 2: RecursionError: too deep"


def test_a_program_that_was_never_judged_is_named():
    (line,) = sandbox_violations(lambda _: [], level="jail", programs=[HOSTILE])
    assert line == f"{HOSTILE.id}: judged 0 times"


def leave_process():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])


def leave_orphan():
    source = (
        "import subprocess, sys; "
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)'])"
    )
    subprocess.run([sys.executable, "-c", source], check=True)


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
@pytest.mark.parametrize("deed", [leave_process, leave_orphan])
def test_a_process_that_is_left_running_is_named(deed):
    (line,) = violations(HOSTILE, Outcome.EXITED, deed=deed)
    pid = int(re.match(r"left running: process (\d+)", line)[1])
    os.kill(pid, 9)
    assert "sleep(30)" in line


def test_a_file_with_the_mark_is_named_and_so_is_a_change_of_the_victim():
    stray, victim = Path(f"/tmp/{MARK}-stray"), Path(f"/tmp/{MARK}-victim/keep")  # noqa: S108

    def deed():
        stray.touch()
        victim.unlink()

    try:
        lines = violations(HOSTILE, Outcome.EXITED, deed=deed)
    finally:
        stray.unlink()
    assert [line.split()[1] for line in lines] == [str(stray), str(victim)]


def test_a_connection_to_the_loopback_of_the_host_is_named():
    def deed():
        socket.create_connection(("127.0.0.1", PORT)).close()

    (line,) = violations(HOSTILE, Outcome.EXITED, deed=deed)
    assert str(PORT) in line


def test_a_descriptor_that_is_left_open_is_named():
    opened = []
    lines = violations(
        HOSTILE, Outcome.EXITED, deed=lambda: opened.append(os.open("/dev/null", os.O_RDONLY))
    )
    os.close(opened[0])
    assert len(lines) == 1
    assert lines[0].startswith("outside: open descriptors")


def test_the_list_of_violations_is_what_the_error_says():
    judge = answering({HOSTILE.candidate.draw: Outcome.PASSED})
    with pytest.raises(AssertionError, match=f"1 promises not kept at level jail:\n  {HOSTILE.id}"):
        check_sandbox(judge, level="jail", programs=[HOSTILE])


def test_the_order_depends_on_the_seed_alone():
    orders = []
    draws = {p.candidate.draw: Outcome.TIMEOUT for p in hostile_corpus()}

    def judge(pairs):
        pairs = list(pairs)
        orders.append([candidate.draw for _, candidate in pairs])
        return answering(draws)(pairs)

    for seed in (1, 1, 2):
        sandbox_violations(judge, level="jail", seed=seed, programs=hostile_corpus())
    assert orders[0] == orders[1] != orders[2]
