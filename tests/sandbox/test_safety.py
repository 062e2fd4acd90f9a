"""Clean-up that could destroy a machine refuses to run where it has no business."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from zygotes import SOURCE, start

from anyofk.errors import SandboxError
from anyofk.sandbox import jail
from anyofk.sandbox.place import Place
from anyofk.sandbox.scratch import Scratch, SharedScratch, empty_directory


@pytest.fixture
def no_kill(monkeypatch):
    def kill(*_):
        pytest.fail("a signal was sent")

    monkeypatch.setattr(os, "kill", kill)


@pytest.mark.usefixtures("no_kill")
def test_a_jail_is_not_made_outside_a_pid_namespace_of_its_own():
    with pytest.raises(SandboxError, match="namespace of its own"):
        jail.Jail(outside=jail.namespace())


@pytest.mark.usefixtures("no_kill")
def test_being_process_one_is_not_enough(monkeypatch):
    """The main process of a container is process 1 too."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with pytest.raises(SandboxError, match="namespace of its own"):
        jail.Jail(outside=jail.namespace())


@pytest.mark.usefixtures("no_kill")
def test_a_sweep_refuses_in_any_other_process_than_the_jail_s_first():
    impostor = jail.Jail.__new__(jail.Jail)
    with pytest.raises(SandboxError, match="refused"):
        impostor.sweep()
    impostor._seal = (os.getpid() + 1, 0)
    with pytest.raises(SandboxError, match="refused"):
        impostor.sweep()


def test_a_scratch_that_is_not_empty_is_not_ours(tmp_path):
    (tmp_path / "precious").write_text("x")
    for kind in (Scratch, SharedScratch):
        with pytest.raises(SandboxError, match="not empty"):
            kind(str(tmp_path), 0o700)
    assert (tmp_path / "precious").read_text() == "x"


def test_a_directory_of_another_device_is_not_emptied(tmp_path):
    (tmp_path / "precious").write_text("x")
    descriptor = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(SandboxError, match="did not make"):
        empty_directory(descriptor, device=0)
    os.close(descriptor)
    assert (tmp_path / "precious").exists()


def test_emptying_never_follows_a_link(tmp_path):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for directory in (outside, inside, inside / "sub"):
        directory.mkdir()
    (outside / "precious").write_text("x")
    (inside / "link").symlink_to(outside)
    (inside / "sub" / "link").symlink_to(outside)
    (inside / "sub" / "file-link").symlink_to(outside / "precious")
    descriptor = os.open(inside, os.O_RDONLY)
    empty_directory(descriptor, os.fstat(descriptor).st_dev)
    os.close(descriptor)
    assert list(inside.iterdir()) == []
    assert (outside / "precious").read_text() == "x"


def test_emptying_manages_depth_closed_directories_and_odd_names(tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    here, name = Path.cwd(), "d" * 100
    os.chdir(tmp_path)
    for _ in range(60):  # 6,000 characters: longer than a path may be
        os.mkdir(name)
        os.chdir(name)
    os.chdir(here)
    names = [b"\xff\xfe", b"new\nline", b" ", b"-rf", "é".encode()]
    for name in names:
        os.mkdir(os.path.join(os.fsencode(tmp_path), name), 0o000)
    empty_directory(descriptor, os.fstat(descriptor).st_dev)
    assert os.listdir(descriptor) == []
    os.close(descriptor)


def test_a_place_is_removed_and_nothing_put_in_its_stead(tmp_path):
    place = Place()
    moved = tmp_path / "moved"
    os.rename(place.path, moved)
    Path(place.path).mkdir()
    (Path(place.path) / "precious").write_text("x")
    (moved / "litter").write_text("x")
    place.remove()
    place.remove()
    assert list(moved.iterdir()) == []
    assert (Path(place.path) / "precious").exists()
    (Path(place.path) / "precious").unlink()
    Path(place.path).rmdir()


@pytest.mark.parametrize("level", ["jail", "fence"])
def test_starting_and_closing_leaves_no_process_descriptor_or_file(level, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tmp_path.chmod(0o755)
    start(level).zygote.close()
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        runner = start(level)
        runner.run(
            "import os; os.fork() or __import__('time').sleep(50)" if level == "jail" else ""
        )
        guard = runner.zygote.hello.pid
        runner.zygote.close()
        assert not os.path.exists(f"/proc/{guard}")
    assert set(os.listdir("/proc/self/fd")) == before
    assert list(tmp_path.iterdir()) == []


PARENT = """
import sys, os, signal
sys.path[:0] = [{source!r}, {here!r}]
from zygotes import spec
from anyofk.sandbox import Limits, Zygote
zygote = Zygote.start(spec({level!r}))
zygote.post(1, "bodies:python", b"import time; time.sleep(100)", Limits(wall_s=100))
print(zygote.hello.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("level", ["jail", "fence", "limits"])
def test_a_killed_parent_takes_its_zygote_and_all_children_and_files_with_it(level, tmp_path):
    start(level).zygote.close()
    tmp_path.chmod(0o755)
    program = PARENT.format(source=str(SOURCE), here=str(Path(__file__).parent), level=level)
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    how["env"] = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", program], **how) as parent:
        zygote = int(parent.stdout.readline())
        family = {zygote, *descendants(zygote)}
        assert len(family) >= 2
        parent.kill()
    for _ in range(100):
        living = {pid for pid in family if is_alive(pid)}
        if not living:
            break
        time.sleep(0.05)
    assert living == set()
    assert list(tmp_path.iterdir()) == []


def descendants(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(c) for c in children] + [d for c in children for d in descendants(int(c))]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
