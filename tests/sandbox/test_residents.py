"""Children that stay: one per key, each job with limits of its own."""

import json
import socket

import pytest
from zygotes import start

from anyofk.sandbox import Limits


@pytest.fixture(scope="module")
def checker():
    runner = start("jail", role="checker")
    yield runner
    runner.zygote.close()


def serve(runner, payload, key, **how):
    return runner.run(payload, body="remember", resident=key, **how)


def state(ended):
    assert ended.kind == "done", ended
    return json.loads(ended.report)


def test_a_resident_keeps_its_state_between_jobs_of_its_key(checker):
    assert state(serve(checker, b"1", "keep")) == [1]
    assert state(serve(checker, b"22", "keep")) == [1, 2]


def test_another_key_gets_another_child(checker):
    serve(checker, b"1", "one")
    assert state(serve(checker, b"22", "two")) == [2]
    assert state(serve(checker, b"333", "one")) == [3], "coming back is a fresh child too"


def test_a_fresh_child_can_be_asked_for(checker):
    serve(checker, b"1", "fresh")
    assert state(serve(checker, b"22", "fresh", fresh=True)) == [2]


def test_each_job_has_a_channel_of_its_own(checker):
    for text in (b"abc", b"xyz"):
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                where = {"channel": theirs.fileno(), "resident": "chan"}
                checker.zygote.post(1, "bodies:remember", b"", Limits(), **where)
            ours.sendall(text)
            assert ours.recv(9) == text.upper()
            checker.zygote.receive()
            assert ours.recv(9) == b""


@pytest.mark.parametrize(
    ("program", "limits", "kind"),
    [
        (b"exec:\nwhile True: pass", Limits(cpu_s=0.2), "cpu"),
        (b"exec:import time; time.sleep(30)", Limits(wall_s=0.2), "wall"),
        (b"exec:import os; os.kill(os.getpid(), 9)", Limits(), "signal"),
        (b"exec:import os; os._exit(4)", Limits(), "done"),
    ],
)
def test_a_child_that_ends_is_replaced_for_the_next_job(checker, program, limits, kind):
    serve(checker, b"1", "ends", fresh=True)
    ended = serve(checker, program, "ends", limits=limits)
    assert ended.kind == kind
    assert state(serve(checker, b"22", "ends")) == [2]


def test_cpu_time_is_counted_per_job(checker):
    spin = b"""exec:
import time
end = time.process_time() + 0.15
while time.process_time() < end:
    pass
"""
    limits = Limits(cpu_s=0.3)
    kinds = [serve(checker, spin, "spin", limits=limits).kind for _ in range(4)]
    assert kinds == ["done"] * 4


def test_memory_is_limited_per_job(checker):
    hungry = b"""exec:
try:
    bytearray(300 << 20)
    job.report(b"got")
except MemoryError:
    job.report(b"not")
"""
    assert serve(checker, hungry, "mem", limits=Limits(memory_mb=100)).report.startswith(b"not")
    assert serve(checker, hungry, "mem", limits=Limits(memory_mb=600)).report.startswith(b"got")
    assert serve(checker, hungry, "mem", limits=Limits(memory_mb=100)).report.startswith(b"not")


def test_a_checker_starts_no_processes_but_threads(checker):
    program = b"""exec:
import os, threading
try:
    os.fork()
except PermissionError:
    job.report(b"refused")
thread = threading.Thread(target=job.report, args=(b" thread",)); thread.start(); thread.join()
"""
    assert serve(checker, program, "forks").report.startswith(b"refused thread")


def test_one_shot_jobs_and_residents_share_a_zygote(checker):
    serve(checker, b"1", "mix")
    assert checker.run(b"hi", body="echo").report == b"hi"
    assert state(serve(checker, b"22", "mix")) == [2], "a one-shot job ends the resident"


def test_what_a_resident_prints_is_given_back_and_not_the_job_before_s(checker):
    first = serve(checker, b"exec:print('one')", "print", want_stdout=True)
    second = serve(checker, b"exec:print('two')", "print", want_stdout=True)
    assert (first.stdout, second.stdout) == (b"one\n", b"two\n")
