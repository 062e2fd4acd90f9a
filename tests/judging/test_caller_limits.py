"""Limits of the caller, under which right programs would fail, are refused and not judged."""

import subprocess
import sys

import pytest

CODE = (
    "import anyofk\n"
    "from anyofk.errors import SandboxError\n"
    "try: print(anyofk.judge('def f(x): return x', 'assert f(1) == 1').outcome.value)\n"
    "except SandboxError as error: print(error)\n"
)


@pytest.mark.parametrize("limit", ["-v 700000", "-f 16"])
def test_a_limit_of_the_caller_is_refused_by_name(limit):
    done = subprocess.run(
        ["/bin/bash", "-c", f'ulimit {limit}; exec "$0" -c "$1"', sys.executable, CODE],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert f"ulimit {limit[:2]}" in done.stdout
    assert "passed" not in done.stdout
