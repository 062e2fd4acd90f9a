"""What a job gets, what it gives back, and how its end is told."""

import os
import signal
import socket
import threading
import time

import pytest
from zygotes import spec, start

from anyofk.errors import SandboxError
from anyofk.sandbox import Limits, Zygote, ZygoteLost
from anyofk.sandbox.job import REPORT_LIMIT


def test_a_body_gets_its_payload_and_its_report_comes_back(closed):
    payload = bytes(range(256)) * 100
    ended = closed.run(payload, body="echo")
    assert (ended.kind, ended.code, ended.report) == ("done", 0, payload)
    assert ended.peak_mb > 1
    assert 0 < ended.cpu_s < 1


def test_a_payload_larger_than_any_socket_buffer_arrives_whole(closed):
    size = 9_000_000
    ended = closed.run(b"#" * size + b"\njob.report(str(len(job.payload)).encode())")
    assert int(ended.report) > size


def test_a_report_beyond_its_limit_is_cut(closed):
    ended = closed.run("job.report(b'x' * 10**6); job.report(b'y')")
    assert ended.report == b"x" * REPORT_LIMIT


def test_standard_input_and_output_are_real(closed):
    program = "import sys, os; os.write(1, os.read(0, 3)); sys.stdout.write(sys.stdin.read()[::-1])"
    ended = closed.run(program, stdin=b"abcdef", want_stdout=True)
    assert ended.stdout == b"abcfed"


def test_standard_input_is_empty_unless_given_and_never_the_last_job_s(closed):
    closed.run("pass", stdin=b"secret of the job before")
    assert closed.says("import sys; print(repr(sys.stdin.read()))") == "''\n"


def test_standard_error_is_kept_apart_and_cut_to_its_first_two_kibibytes(closed):
    ended = closed.run("import sys; print('out'); sys.stderr.write('e' * 5000)", want_stdout=True)
    assert ended.stdout == b"out\n"
    assert ended.stderr == b"e" * 2048


def test_output_that_nobody_wants_is_not_sent(closed):
    assert closed.run("print('x' * 1000)").stdout == b""


@pytest.mark.parametrize(
    ("program", "code"),
    [("pass", 0), ("import sys; sys.exit(7)", 7), ("import os; os._exit(3)", 3), ("1 / 0", 1)],
)
def test_the_exit_code_is_the_program_s(closed, program, code):
    ended = closed.run(program)
    assert (ended.kind, ended.code) == ("done", code)


def test_an_exception_out_of_a_body_is_told_on_standard_error(closed):
    assert b"ZeroDivisionError" in closed.run("1 / 0").stderr


def test_a_signal_of_its_own_making_is_told_by_number(closed):
    ended = closed.run("import os; os.kill(os.getpid(), 11)")
    assert (ended.kind, ended.signal) == ("signal", signal.SIGSEGV)


def test_the_channel_joins_the_body_with_whoever_holds_the_other_end(closed):
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            job = b"job.channel.sendall(job.channel.recv(9)[::-1])"
            closed.zygote.post(5, "bodies:python", job, Limits(), channel=theirs.fileno())
        ours.sendall(b"abc")
        assert ours.recv(9) == b"cba"
        assert closed.zygote.receive().kind == "done"
        assert ours.recv(9) == b"", "the end of the child is the end of its channel"


def test_the_other_end_of_a_channel_sees_a_killed_child_at_once(closed):
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            job = b"import os; os.kill(os.getpid(), 9)"
            closed.zygote.post(5, "bodies:python", job, Limits(), channel=theirs.fileno())
        ours.settimeout(10)
        assert ours.recv(1) == b""
    closed.zygote.receive()


def test_jobs_posted_ahead_are_done_in_order(closed):
    for number in range(10):
        closed.zygote.post(number, "bodies:echo", b"%d" % number, Limits())
    assert closed.zygote.pending == tuple(range(10))
    assert [closed.zygote.receive().report for _ in range(10)] == [b"%d" % n for n in range(10)]


def test_a_parent_that_only_posts_big_jobs_does_not_lock_up_with_a_zygote_that_answers(jail):
    big = b"#" * 3_000_000 + b"\nprint('y' * 3_000_000)"
    for number in range(4):
        jail.zygote.post(number, "bodies:python", big, Limits(), want_stdout=True)
    assert [len(jail.zygote.receive().stdout) for _ in range(4)] == [3_000_001] * 4


def test_posting_and_receiving_work_from_different_threads(jail):
    got = []

    def take():
        got.extend(jail.zygote.receive().job_id for _ in range(50))

    taker = threading.Thread(target=take)
    taker.start()
    for number in range(50):
        jail.zygote.post(number, "bodies:echo", b"", Limits())
    taker.join(30)
    assert got == list(range(50))


def test_every_job_starts_from_the_same_interpreter_state(closed):
    program = """
import random, string
print(random.random(), hash("a"), hasattr(string, "mark"))
string.mark = 1
"""
    assert closed.says(program) == closed.says(program)


def test_the_hash_seed_can_be_chosen():
    outputs = set()
    for seed in (0, 7):
        runner = start("jail", hash_seed=seed)
        outputs.add(runner.says("print(hash('a'))"))
        runner.zygote.close()
    assert len(outputs) == 2


def test_a_zygote_is_spent_after_its_number_of_jobs():
    runner = start("jail", jobs=3)
    for _ in range(2):
        runner.run("pass")
    assert not runner.zygote.spent
    runner.run("pass")
    assert runner.zygote.spent
    runner.zygote.close()


def test_a_zygote_that_dies_says_which_jobs_were_pending():
    runner = start("jail")
    for number in (11, 12):
        runner.zygote.post(number, "bodies:python", b"import time; time.sleep(30)", Limits())
    os.kill(runner.zygote.hello.pid, signal.SIGKILL)
    with pytest.raises(ZygoteLost) as lost:
        runner.zygote.receive()
    assert lost.value.pending == (11, 12)
    runner.zygote.close()


def test_closing_ends_what_runs_and_may_be_done_twice():
    runner = start("jail")
    runner.zygote.post(1, "bodies:python", b"import time; time.sleep(60)", Limits(wall_s=60))
    time.sleep(0.1)
    began = time.monotonic()
    runner.zygote.close()
    runner.zygote.close()
    assert time.monotonic() - began < 5


def test_an_unknown_package_is_refused_by_name():
    with pytest.raises(SandboxError, match="no_such_package_here"):
        Zygote.start(spec(packages=("no_such_package_here",)))
