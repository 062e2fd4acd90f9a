"""What a program can't reach, and what an honest one can."""

import os
import select
import socket
from pathlib import Path

import pytest
from zygotes import start

from anyofk.sandbox import Limits
from anyofk.sandbox.syscalls import numbers

pytestmark = pytest.mark.hostile


def test_no_file_of_the_host_can_be_read(closed, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden test")
    program = f"""
import os
for path in ({str(secret)!r}, {__file__!r}, "/etc/shadow", "/proc/1/environ", "/root/.bashrc"):
    try: print(open(path).read())
    except OSError: pass
"""
    assert closed.says(program) == ""


def test_nothing_can_be_written_but_the_scratch(closed):
    program = """
import os, sys
library = os.path.dirname(os.__file__)
for place in ("/", "/usr/lib", "/etc", "/dev", "/packages", library, sys.prefix):
    for act in (lambda p: open(p, "w"), os.mkdir, lambda p: os.symlink("x", p), os.mkfifo):
        try: act(place + "/probe"); print("wrote", place, act)
        except OSError: pass
open("mine", "w").write("fine")
"""
    assert closed.says(program) == ""


def test_installed_packages_are_invisible_unless_given(closed):
    program = """
import sys, os
for name in ("anyofk", "pytest", "numpy", "pip"):
    for place in list(sys.path):
        for tail in ("", "/__init__.py"):
            try: open(f"{place}/{name}{tail}"); print("saw", place, name)
            except OSError: pass
try: import numpy
except ImportError: print("no numpy")
"""
    assert closed.says(program) == "no numpy\n"


@pytest.mark.parametrize("level", ["jail", "fence"])
def test_a_given_package_works_without_its_neighbours(level):
    runner = start(level, packages=("numpy",), preload=("numpy",))
    program = """
import numpy
print(int(numpy.dot(numpy.arange(4), numpy.ones(4))))
try: import pytest
except ImportError: print("alone")
"""
    assert runner.says(program).split() == ["6", "alone"]
    runner.zygote.close()


def test_the_environment_of_the_parent_is_gone(closed, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "do not tell")
    runner = start(closed.zygote.spec.level)
    assert "do not tell" not in runner.says("import os; print(dict(os.environ))")
    runner.zygote.close()


def test_no_network_and_no_way_to_a_socket_of_the_host(closed, tmp_path):
    place = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        Path(place).chmod(0o777)
        program = f"""
import socket
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET):
    try: socket.socket(family, socket.SOCK_DGRAM); print("made", family)
    except OSError: pass
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try: socket.socket(socket.AF_UNIX, kind).connect({place!r}); print("reached", kind)
    except OSError: pass
    try: socket.socketpair(socket.AF_UNIX, kind)[0].sendto(b"x", {place!r}); print("sent", kind)
    except OSError: pass
"""
        assert closed.says(program) == ""


def test_the_parent_and_its_zygote_can_not_be_signalled(closed):
    program = f"""
import os, signal
for pid in ({os.getpid()}, {closed.zygote.hello.pid}, os.getppid(), -1, 0, -os.getpgrp()):
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM):
        try: os.kill(pid, number)
        except OSError: pass
"""
    # What is left over may include the program itself: all but its own end is ignored.
    closed.run(program)
    assert closed.says("print('still here')") == "still here\n"


def test_the_template_of_the_children_can_not_be_signalled(jail):
    """A stopped template would stop every later job."""
    program = """
import os, signal, ctypes
libc = ctypes.CDLL(None)
for pid in range(2, 4000):
    if pid != os.getpid():
        for act in (lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(-pid, signal.SIGSTOP)):
            try: act()
            except OSError: pass
        libc.syscall(234, pid, pid, signal.SIGSTOP)
        libc.syscall(200, pid, signal.SIGSTOP)
"""
    assert jail.run(program).kind == "done"
    assert jail.says("print('still here')") == "still here\n"


@pytest.mark.parametrize(
    "call",
    """ptrace mount umount2 pivot_root unshare setns bpf perf_event_open userfaultfd
    io_uring_setup memfd_secret keyctl add_key process_vm_readv init_module kexec_load reboot
    swapon quotactl open_by_handle_at""".split(),  # noqa: SIM905 - one a line would be a page
)
def test_calls_that_no_honest_program_makes_are_forbidden(jail, call):
    program = f"import ctypes; ctypes.CDLL(None).syscall({numbers()[call]}, 0, 0, 0, 0, 0)"
    assert jail.run(program).kind == "forbidden"


@pytest.mark.parametrize("call", ["shmget", "msgget", "semget", "mq_open", "memfd_create"])
def test_memory_that_outlives_a_program_is_refused(closed, call):
    number = {"shmget": 29, "msgget": 68, "semget": 64, "mq_open": 240, "memfd_create": 319}[call]
    if os.uname().machine != "x86_64":
        pytest.skip("numbers for x86-64")
    program = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall({number}, b"probe", 4096, 0o1600, 0), ctypes.get_errno())
"""
    assert closed.says(program).split() == ["-1", "1"]


def test_the_other_calling_conventions_of_the_processor_are_forbidden(closed):
    if os.uname().machine != "x86_64":
        pytest.skip("x32 belongs to x86-64")
    program = f"import ctypes; ctypes.CDLL(None).syscall({0x40000000 + 39})"
    assert closed.run(program).kind == "forbidden"


def test_a_new_namespace_can_not_be_made_by_clone(jail):
    program = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x20000000, 0x00020000, 0x40000000):
    print(libc.syscall(56 if ctypes.sizeof(ctypes.c_long) == 8 else 0, flag | 17, 0, 0, 0, 0))
"""
    if os.uname().machine != "x86_64":
        pytest.skip("numbers for x86-64")
    assert jail.says(program).split() == ["-1"] * 4


def test_limits_and_scheduling_of_others_can_not_be_changed(closed):
    program = """
import os, resource
for act in (lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0)),
            lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
            lambda: os.sched_setaffinity(os.getppid(), {0})):
    try: act(); print("changed")
    except OSError: pass
"""
    assert closed.says(program) == ""


def test_behind_a_fence_no_permission_owner_or_time_of_a_file_can_be_changed(fence):
    program = """
import os
target = os.__file__
for act in (lambda: os.chmod(target, 0), lambda: os.chown(target, 0, 0), lambda: os.utime(target),
            lambda: os.truncate(target, 0), lambda: os.open(target, os.O_RDONLY | os.O_TRUNC),
            lambda: os.open(target, 3 | os.O_TRUNC), lambda: os.setxattr(target, "user.x", b"")):
    try: act(); print("changed")
    except OSError: pass
"""
    size = Path(os.__file__).stat().st_size
    assert fence.says(program) == ""
    assert Path(os.__file__).stat().st_size == size


def test_no_descriptor_of_the_zygote_is_open_but_the_report(closed):
    program = """
import os
found = []
for number in range(3, 1000):
    try: os.fstat(number); found.append(number)
    except OSError: pass
print(len(found))
"""
    assert closed.says(program) == "1\n"


def test_a_report_written_by_hand_is_only_a_report(closed):
    """Whatever bytes come, they end up in `report` and nowhere else."""
    program = """
import os
for number in range(3, 64):
    try: os.write(number, bytes(range(256)) * 20)
    except OSError: pass
os._exit(0)
"""
    ended = closed.run(program)
    assert (ended.kind, ended.code, ended.report) == ("done", 0, bytes(range(256)) * 20)


def test_a_report_pipe_filled_by_hand_only_costs_the_program_its_own_time(closed):
    for number in (5, 6):
        program = f"import os\nwhile True: os.write({number}, b'x' * 4096)"
        ended = closed.run(program, limits=Limits(cpu_s=0.3, wall_s=0.5))
        assert ended.kind in {"cpu", "wall", "done"}
    assert closed.says("print('next')") == "next\n"


def test_honest_programs_use_what_python_offers(jail):
    program = """
import subprocess, sys, multiprocessing, threading, signal, tempfile, asyncio, os, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
out = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True)
print(out.stdout.strip())
context = multiprocessing.get_context("fork")
ours, theirs = context.Pipe()
child = context.Process(target=theirs.send, args=(5,)); child.start()
print(ours.recv()); child.join()
with ProcessPoolExecutor(2, mp_context=context) as pool: print(sum(pool.map(abs, range(4))))
with ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(4))))
with tempfile.TemporaryDirectory() as place:
    open(place + "/f", "w").write("x"); print(len(os.listdir(place)))
with tempfile.NamedTemporaryFile() as file: file.write(b"x")
signal.signal(signal.SIGALRM, lambda *a: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.05)
print(asyncio.run(asyncio.sleep(0, "async")))
lock = context.Lock(); lock.acquire(); lock.release()
queue = context.Queue(); queue.put(3); print(queue.get())
"""
    assert jail.says(program).split() == ["42", "5", "6", "6", "1", "alarm", "async", "3"]


def test_honest_programs_without_processes_run_behind_a_fence(fence):
    program = """
import threading, signal, tempfile, asyncio, os, time
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(4))))
with tempfile.TemporaryDirectory() as place:
    open(place + "/f", "w").write("x"); print(len(os.listdir(place)))
signal.signal(signal.SIGALRM, lambda *a: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.05)
print(asyncio.run(asyncio.sleep(0, "async")))
try: os.fork()
except PermissionError: print("alone")
"""
    assert fence.says(program).split() == ["6", "1", "alarm", "async", "alone"]


def test_forty_children_of_half_a_gigabyte_do_not_move_the_host(jail):
    program = """
import os, time
for _ in range(40):
    if os.fork() == 0:
        hog = b"x" * (500 << 20); time.sleep(30); os._exit(0)
time.sleep(30)
"""
    before = available_mb()
    lowest = []
    jail.zygote.post(1, "bodies:python", program.encode(), Limits(cpu_s=30, wall_s=30))
    while not select.select([jail.zygote], [], [], 0.02)[0]:
        lowest.append(available_mb())
    ended = jail.zygote.receive()
    assert ended.kind == "memory"
    assert before - min(lowest, default=before) < 4000


def available_mb():
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable"):
            return int(line.split()[1]) / 1024
    return pytest.skip("the kernel does not tell the available memory")
