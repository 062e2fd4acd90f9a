"""What a program can't leave behind for the next one."""

import shutil

import pytest
from zygotes import SOURCE, start

from anyofk.sandbox import Limits, ZygoteLost

pytestmark = pytest.mark.hostile


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
