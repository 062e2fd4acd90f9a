"""The corpus again, in more orders, at level fence, and as an ordinary user.

A fence has no namespaces, so these runs get walls around them first: namespaces of their own
and a file system that is read-only but for empty scratch folders. Where such walls can't be
built, or no jail passes its self-test, nothing hostile is run.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from anyofk.errors import SandboxError
from anyofk.sandbox import Zygote, ZygoteSpec

pytestmark = [pytest.mark.hostile, pytest.mark.deep, pytest.mark.timeout(1800)]

WALLS = r"""
set -eu
mount --make-rprivate /
mount -t proc proc /proc
while read -r _ place _; do
  case "$place" in /proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$place" ;; esac
done < /proc/mounts
for folder in /tmp /var/tmp /dev/shm; do mount -t tmpfs tmpfs "$folder"; chmod 1777 "$folder"; done
for file in "$HOME/.written" /var/.written; do
  if touch "$file" 2>/dev/null; then rm "$file"; echo "the walls have a hole" >&2; exit 9; fi
done
ip link set lo up 2>/dev/null || true
cd /tmp
export HOME=/tmp
exec prlimit --nproc=4000:4000 "$@"
"""
RUN = """
import functools, sys
from anyofk.judging import judge_all
from anyofk.testing import check_sandbox
level, seed = sys.argv[1], int(sys.argv[2])
check_sandbox(functools.partial(judge_all, level=level), level=level, seed=seed)
print("kept", level)
"""
NAMESPACES = ("--pid", "--mount", "--net", "--ipc", "--uts", "--fork", "--kill-child")
USER = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "--no-new-privs")


@pytest.fixture(scope="module", autouse=True)
def _walls():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("walls around a fence need root and unshare")
    try:
        Zygote.start(ZygoteSpec(level="jail")).close()
    except SandboxError as fault:
        pytest.skip(f"no jail can be had on this machine: {fault.message}")


def run_walled(level, seed, user=()):
    walls = ["unshare", *NAMESPACES, "sh", "-c", WALLS, "walls", *user]
    command = [*walls, sys.executable, "-c", RUN, level, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 9 or "remount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"no walls can be built here: {done.stderr.strip()[-300:]}")
    assert done.stdout == f"kept {level}\n", done.stderr[-20_000:]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("level", ["jail", "fence"])
def test_three_more_orders_keep_every_promise(level, seed):
    run_walled(level, seed)


@pytest.mark.parametrize("level", ["jail", "fence"])
def test_an_ordinary_user_is_kept_every_promise_too(level):
    hidden = [p for p in Path(sys.base_prefix).resolve().parents if not p.stat().st_mode & 1]
    if hidden:
        pytest.skip(f"an ordinary user may not enter {hidden[-1]}, where the interpreter is")
    run_walled(level, 4, USER)
