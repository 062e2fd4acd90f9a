"""The installed command, run as a user runs it: in a fresh folder, over a real subprocess."""

import json
import os
import subprocess

import pytest
from installed import PROBLEMS, SCRIPT, samples, write_lines


@pytest.fixture
def anyofk(tmp_path):
    """Run the command in a folder of its own; give what it printed and its exit code."""

    def run(*arguments, env=None, stdin=None):
        return subprocess.run(
            [SCRIPT, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            input=stdin,
            env={**os.environ, "COLUMNS": "100", **(env or {})},
        )

    return run


@pytest.fixture
def files(tmp_path):
    """Write a small problem set and a file of candidates."""
    write_lines(tmp_path / "set.jsonl", PROBLEMS)
    write_lines(tmp_path / "samples.jsonl", samples())
    return tmp_path


@pytest.fixture(scope="session")
def _sandbox():
    """Skip what must judge where no sandbox holds."""
    done = subprocess.run([SCRIPT, "doctor", "--json"], capture_output=True, check=True)
    level = json.loads(done.stdout)["level"]
    if level not in {"vm", "jail", "fence"}:
        pytest.skip(f"no sandbox holds on this machine: level {level}")


@pytest.fixture(scope="session")
def stored(_sandbox, tmp_path_factory):
    """A folder with one finished run, called ``small``, that tests only read."""
    folder = tmp_path_factory.mktemp("stored")
    write_lines(folder / "set.jsonl", PROBLEMS)
    write_lines(folder / "samples.jsonl", samples())
    command = [SCRIPT, "verify", "samples.jsonl", "--problems", "set.jsonl", "--name", "small"]
    subprocess.run([*command, "--time-limit", "0.5"], cwd=folder, check=True, capture_output=True)
    return folder
