"""What a program can't reach, and what it can't leave for the next one."""

import os
import select
import shutil
import socket
from pathlib import Path

import pytest
from zygotes import SOURCE, start

from anyofk.sandbox import Limits, ZygoteLost
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


LITTER = """
import os
for place in (".", "/dev/shm", "/tmp"):
    try: os.chdir(place)
    except OSError: continue
    open("file", "w").write("poison")
    os.symlink("/", "link"); os.link("file", "hard"); os.mkfifo("fifo")
    os.mkdir("closed"); open("closed/file", "w").write("x"); os.mkdir("locked", 0)
    try: os.chmod("closed", 0); os.chmod(".", 0)
    except OSError: pass
"""


def test_files_of_every_kind_are_gone_for_the_next_program(closed):
    assert closed.run(LITTER).kind == "done"
    program = """
import os
print(os.listdir("."), oct(os.stat(".").st_mode & 0o777 | 0o077))
try: print(os.listdir("/dev/shm"))
except OSError: print([])
open("again", "w")
"""
    assert closed.says(program).split() == ["[]", "0o777", "[]"]
    assert not closed.zygote.spent


def test_a_zygote_that_can_not_be_cleaned_says_so_and_runs_nothing_more(monkeypatch, tmp_path):
    """A copy of the package that forgets to clean stands for whatever might hinder it."""
    copy = tmp_path / "anyofk"
    shutil.copytree(SOURCE / "anyofk", copy, ignore=shutil.ignore_patterns("__pycache__"))
    broken = copy / "sandbox" / "scratch.py"
    cleans = "        empty_directory(self.descriptor, self._device)\n        self._reset()"
    text = broken.read_text()
    assert cleans in text
    forgets = "        if 'stuck' not in os.listdir(self.descriptor):\n    "
    broken.write_text(text.replace(cleans, forgets + cleans.replace("\n", "\n    ", 1)))
    monkeypatch.setattr("anyofk.sandbox.runtime.source_directory", lambda: str(tmp_path))
    runner = start("jail")
    for number, program in enumerate((b"open('stuck', 'w')", b"print(1)")):
        runner.zygote.post(number, "bodies:python", program, Limits())
    assert runner.zygote.receive().kind == "done"
    assert runner.zygote.spent
    with pytest.raises(ZygoteLost) as lost:
        runner.zygote.receive()
    assert lost.value.pending == (1,)
    runner.zygote.close()


def test_a_tree_deeper_than_any_path_or_recursion_is_gone(closed):
    levels = {"jail": 3000, "fence": 100}  # a disk takes its time for each
    program = f"""
import os
name = "d" * 50
for _ in range({levels[closed.zygote.spec.level]}):
    os.mkdir(name); os.chdir(name)
open("end", "w")
"""
    # Where the scratch has no limits of its own, what can't be measured is too much.
    expected = {"jail": {"done"}, "fence": {"done", "output"}}
    assert closed.run(program).kind in expected[closed.zygote.spec.level]
    assert closed.says("import os; print(os.listdir('.'))") == "[]\n"
    assert not closed.zygote.spent


def test_a_scratch_filled_to_the_brim_is_empty_again(jail):
    program = """
import os
try:
    for number in range(10**6): open(f"f{number}", "wb").write(b"x" * 200000)
except OSError as error: print(error.errno)
"""
    assert jail.says(program) == "28\n"
    assert jail.says("open('f', 'wb').write(b'x' * 200000); print('fits')") == "fits\n"


def test_a_scratch_filled_with_empty_files_is_empty_again(jail):
    program = """
try:
    for number in range(10**6): open(f"f{number}", "w").close()
except OSError as error: print(error.errno)
"""
    assert jail.says(program) == "28\n"
    assert jail.says("open('f', 'w').close(); print('fits')") == "fits\n"


def test_behind_a_fence_a_scratch_that_grows_too_large_ends_the_program():
    runner = start("fence", scratch_mb=4)
    program = "for number in range(10**6): open(f'f{number}', 'wb').write(b'x' * 200000)"
    assert runner.run(program).kind == "output"
    assert runner.says("import os; print(os.listdir('.'))") == "[]\n"
    runner.zygote.close()


def test_processes_left_running_are_killed_and_counted(jail):
    program = """
import os, signal, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
        time.sleep(60); os._exit(0)
"""
    ended = jail.run(program)
    assert (ended.kind, ended.strays) == ("done", 3)
    assert jail.run("pass").strays == 0


def test_processes_made_for_someone_else_are_killed_too(jail):
    """CLONE_PARENT makes a child of the warden, and an ordinary wait does not tell of it."""
    program = """
import ctypes, os, time
libc = ctypes.CDLL(None)
number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
for _ in range(3):
    if libc.syscall(number, 0x8000, 0, 0, 0, 0) == 0:
        time.sleep(60); os._exit(0)
"""
    ended = jail.run(program)
    assert (ended.kind, ended.strays) == ("done", 3)
    seen = "import os, time; time.sleep(0.1); print(os.getppid())"
    assert (jail.says(seen), jail.run("pass").strays) == ("1\n", 0)


def test_the_offset_and_flags_of_the_output_do_not_reach_the_next_program(closed):
    program = "import os, fcntl; os.lseek(1, 10**6, 0); fcntl.fcntl(1, fcntl.F_SETFL, os.O_APPEND)"
    closed.run(program)
    assert closed.says("print('first')") == "first\n"


def test_what_was_printed_does_not_reach_the_next_program(closed):
    closed.run("print('secret')")
    assert closed.says("import os; print(os.pread(1, 100, 0))") == "b''\n"


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
