"""Zygotes for the tests, and the ways to be someone else or somewhere less free."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from zygotes import HERE, NOBODY, SOURCE, start, system_python


@pytest.fixture(scope="module")
def jail():
    runner = start("jail")
    yield runner
    runner.zygote.close()


@pytest.fixture(scope="module")
def fence():
    runner = start("fence")
    yield runner
    runner.zygote.close()


@pytest.fixture(scope="module", params=["jail", "fence"])
def closed(request):
    """Each level that keeps hostile programs in."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def as_nobody():
    """Run a program of ours as an ordinary user, in namespaces of its own where we can."""
    if os.geteuid() != 0:
        pytest.skip("only root can become someone else; this run is an ordinary user's anyway")
    setpriv = shutil.which("setpriv") or pytest.skip("setpriv is not installed")
    drop = [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]

    def run(program, *arguments, hide=None):
        environment = {"PYTHONPATH": f"{SOURCE}:{HERE}", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        command = [*drop, system_python(), "-B", str(HERE / program), *arguments]
        if hide:
            cover = f'mount --bind /dev/null {hide} && exec "$@"'
            command = ["unshare", "--mount", "sh", "-c", cover, "-", *command]
        how = {"capture_output": True, "text": True, "env": environment, "cwd": "/"}
        done = subprocess.run(command, timeout=120, check=False, **how)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
