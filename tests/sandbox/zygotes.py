"""Zygotes for the tests of the sandbox."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anyofk.errors import SandboxError
from anyofk.sandbox import Limits, Zygote, ZygoteSpec

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
NOBODY = 65534


def spec(level="jail", **more):
    return ZygoteSpec(
        level=level,
        bodies=("bodies:echo", "bodies:python", "bodies:remember", "bodies:probe"),
        sources=(str(HERE),),
        **more,
    )


class Runner:
    """Runs programs in one zygote, one after another."""

    def __init__(self, zygote):
        self.zygote = zygote

    def run(self, program, *, body="python", limits=None, **how):
        payload = program if isinstance(program, bytes) else program.encode()
        self.zygote.post(1, f"bodies:{body}", payload, limits or Limits(), **how)
        return self.zygote.receive()

    def says(self, program, **how):
        """What a program prints."""
        ended = self.run(program, want_stdout=True, **how)
        assert ended.kind == "done", ended
        assert ended.code == 0, ended.stderr.decode()
        return ended.stdout.decode()


def start(level, **more):
    try:
        return Runner(Zygote.start(spec(level, **more)))
    except SandboxError as fault:
        pytest.skip(f"no {level} here: {fault}")


def system_python():
    """An interpreter that any user can run."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        path = os.path.realpath(candidate)
        public = all(p.stat().st_mode & 0o001 for p in Path(path).parents)
        version = subprocess.run(
            [candidate, "-c", "import sys; print(sys.version_info >= (3, 11))"],
            capture_output=True,
            text=True,
            check=True,
        )
        if public and version.stdout.strip() == "True":
            return candidate
    return pytest.skip("no interpreter of 3.11 or later that every user can run")
