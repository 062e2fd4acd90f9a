"""Limits: what ends a program, and that the end is called by its name."""

import subprocess
import sys
import time

import pytest
from zygotes import HERE, start

from anyofk.sandbox import Limits

SPIN = "while True: pass"


def test_cpu_time_ends_a_program_that_computes(closed):
    ended = closed.run(SPIN, limits=Limits(cpu_s=0.2, wall_s=30))
    assert ended.kind == "cpu"
    assert 0.2 <= ended.cpu_s < 0.6


def test_cpu_time_is_that_of_all_threads(closed):
    program = f"""
import threading
threads = [threading.Thread(target=exec, args=("{SPIN}",)) for _ in range(3)]
for thread in threads: thread.start()
threads[0].join()
"""
    assert closed.run(program, limits=Limits(cpu_s=0.3, wall_s=30)).kind == "cpu"


def test_cpu_time_is_that_of_all_processes(jail):
    program = "import os\nfor _ in range(4): os.fork() or exec('while True: pass')\nos.wait()"
    ended = jail.run(program, limits=Limits(cpu_s=0.5, wall_s=30))
    assert ended.kind == "cpu"


def test_cpu_time_of_orphans_counts_too(jail):
    program = """
import os, time
for _ in range(100):
    if os.fork() == 0:
        if os.fork() == 0:
            end = time.process_time() + 0.1
            while time.process_time() < end: pass
        os._exit(0)
    os.wait()
    time.sleep(0.05)
"""
    assert jail.run(program, limits=Limits(cpu_s=0.5, wall_s=30)).kind == "cpu"


def test_wall_time_ends_a_program_that_sleeps(closed):
    began = time.monotonic()
    ended = closed.run("import time; time.sleep(60)", limits=Limits(wall_s=0.2))
    assert ended.kind == "wall"
    assert time.monotonic() - began < 3


def test_wall_time_ends_a_program_that_stops_itself(closed):
    program = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    assert closed.run(program, limits=Limits(wall_s=0.2)).kind == "wall"


def test_wall_time_ends_a_program_that_ignores_every_signal(closed):
    program = """
import signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
time.sleep(60)
"""
    assert closed.run(program, limits=Limits(wall_s=0.2)).kind == "wall"


def test_memory_beyond_the_limit_is_refused_to_the_program(closed):
    program = "try: bytearray(300 << 20)\nexcept MemoryError: print('refused')"
    assert closed.says(program, limits=Limits(memory_mb=200)) == "refused\n"


def test_memory_within_the_limit_is_given_on_top_of_what_the_interpreter_uses(closed):
    assert closed.says("print(len(bytearray(190 << 20)))", limits=Limits(memory_mb=200))


def test_the_limit_can_not_be_raised_by_the_program(closed):
    program = """
import resource
for name in ("AS", "FSIZE", "NOFILE", "CPU"):
    which = getattr(resource, "RLIMIT_" + name)
    try: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError): print(name)
"""
    assert closed.says(program).split() == ["AS", "FSIZE", "NOFILE", "CPU"]


def test_memory_is_that_of_all_processes_together(jail):
    program = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        hog = b"x" * (60 << 20)
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
    ended = jail.run(program, limits=Limits(memory_mb=200, wall_s=20, cpu_s=20))
    assert ended.kind == "memory"
    assert ended.strays == 8


def test_shared_memory_of_many_processes_counts_too(jail):
    program = """
import mmap, os, time
for _ in range(8):
    if os.fork() == 0:
        area = mmap.mmap(-1, 60 << 20)
        for page in range(0, 60 << 20, 4096): area[page] = 1
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
    ended = jail.run(program, limits=Limits(memory_mb=200, wall_s=20, cpu_s=20))
    assert ended.kind == "memory"


def test_output_beyond_the_limit_ends_the_program(closed):
    ended = closed.run("while True: print('x' * 10000)", limits=Limits(output_mb=1))
    assert ended.kind == "output"
    assert closed.says("print('fine')") == "fine\n"


def test_open_files_are_limited(closed):
    program = """
import os
try:
    for count in range(1000): os.dup(0)
except OSError as error: print(count < 64, error.errno)
"""
    assert closed.says(program, limits=Limits(files=64)).split() == ["True", "24"]


def test_forks_end_at_the_cap_and_what_is_left_is_killed(jail):
    program = """
import os, time
for count in range(200):
    try:
        if os.fork() == 0: time.sleep(60); os._exit(0)
    except OSError: break
print(count)
"""
    ended = jail.run(program, limits=Limits(processes=20), want_stdout=True)
    assert (ended.kind, int(ended.stdout), ended.strays) == ("done", 19, 19)


def test_a_fork_bomb_ends_and_the_next_job_is_right(jail):
    program = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    ended = jail.run(program, limits=Limits(cpu_s=1, wall_s=10, processes=32))
    assert ended.kind == "cpu"
    assert jail.says("print('right')") == "right\n"


def test_threads_are_limited_with_processes(jail):
    program = """
import threading
stop = threading.Event()
try:
    for count in range(100): threading.Thread(target=stop.wait, daemon=True).start()
except RuntimeError: print(count)
stop.set()
"""
    assert int(jail.says(program, limits=Limits(processes=10))) == 9


def test_deep_recursion_is_possible_and_endless_recursion_is_an_exception(closed):
    program = """
import sys
sys.setrecursionlimit(20000)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
print(down(9000))
try: down(10**6)
except RecursionError: print("deep")
"""
    assert closed.says(program).split() == ["9000", "deep"]


def test_a_thread_may_have_a_large_stack(closed):
    program = """
import sys, threading
threading.stack_size(64 << 20); sys.setrecursionlimit(10**6)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
thread = threading.Thread(target=lambda: print(down(50000))); thread.start(); thread.join()
"""
    assert closed.says(program) == "50000\n"


def test_a_stack_that_overflows_is_a_signal_not_our_failure(closed):
    program = "import ctypes; ctypes.string_at(0)"
    ended = closed.run(program)
    assert (ended.kind, ended.signal) == ("signal", 11)


def test_wall_time_forgives_what_the_scheduler_takes(jail):
    """Busy neighbours on the same cores cost wall time, not verdicts."""
    hogs = [start("jail") for _ in range(3)]
    for hog in hogs:
        hog.zygote.post(1, "bodies:python", SPIN.encode(), Limits(cpu_s=6, wall_s=60))
    work = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
    kinds = {jail.run(work, limits=Limits(cpu_s=2, wall_s=0.75)).kind for _ in range(3)}
    for hog in hogs:
        hog.zygote.close()
    assert kinds == {"done"}


def test_lower_hard_limits_of_the_caller_are_respected_and_no_failure_of_ours():
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
resource.setrlimit(resource.RLIMIT_NPROC, (500, 500))
from zygotes import start
runner = start("jail")
inside = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE)[1])"
print(runner.says(inside))
runner.zygote.close()
"""
    how = {"capture_output": True, "text": True, "cwd": HERE, "timeout": 60}
    done = subprocess.run([sys.executable, "-c", program], check=False, **how)
    assert done.stdout.split() == ["100"], done.stderr


@pytest.mark.parametrize("level", ["limits"])
def test_limits_alone_hold_cpu_wall_memory_and_output(level):
    runner = start(level)
    kinds = [
        runner.run(SPIN, limits=Limits(cpu_s=0.1)).kind,
        runner.run("import time; time.sleep(9)", limits=Limits(wall_s=0.1)).kind,
        runner.run("while True: print('x' * 10000)", limits=Limits(output_mb=1)).kind,
    ]
    assert kinds == ["cpu", "wall", "output"]
    program = "try: bytearray(300 << 20)\nexcept MemoryError: print('refused')"
    assert runner.says(program, limits=Limits(memory_mb=200)) == "refused\n"
    runner.zygote.close()
