"""A real server of a real model, with fewer slots than choices, killed and started again."""

import json
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from anyofk.drawing import model_path
from anyofk.errors import AnyofkError
from anyofk.store import Run

SCRIPT = Path(sys.executable).with_name("anyofk")
SERVES = """
import sys, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path, settings.port = sys.argv[1], int(sys.argv[2])
settings.hostnames, settings.n_parallel, settings.n_ctx = ["127.0.0.1"], 2, 4096
settings.cpuparams.n_threads, settings.verbosity = 1, 0
server = xllamacpp.Server(settings)
print("ready", flush=True)
sys.stdin.read()
"""
pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or not model_path("smollm2").is_file(),
        reason="the local model is not here: anyofk[local], anyofk models get smollm2",
    ),
]


@contextmanager
def llama(port):
    command = [sys.executable, "-c", SERVES, str(model_path("smollm2")), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout.readline().strip() == "ready"
            yield process
        finally:
            process.kill()


def drawn(path):
    with suppress(AnyofkError), Run(path) as run:  # it may just be being made
        return run.size()
    return 0


def test_a_run_outlives_its_server(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [SCRIPT, "run", "--model", "openai:smollm2", "--problems", "basics", "--json"]
    command += ["--server", f"http://127.0.0.1:{port}/v1", "--where", "tier=easy", "--limit", "3"]
    command += ["-n", "4", "--choices", "4", "--max-tokens", "24", "--tries", "30", "--name", "r"]
    command += ["--concurrency", "2", "--workers", "1"]
    with llama(port):
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while drawn(tmp_path / "runs" / "r.db") < 2 and process.poll() is None:
            time.sleep(0.1)
    # the server is gone; what it had not answered is asked of the next one
    with llama(port):
        out, words = process.communicate(timeout=240)
    assert process.returncode == 0, words
    assert [each["n"] for each in json.loads(out)["problems"].values()] == [4, 4, 4]
    with Run(tmp_path / "runs" / "r.db") as run:
        ((asked, came, tries),) = run.query(
            "SELECT sum(asked), sum(came), sum(tries) FROM requests"
        )
        ((most,),) = run.query("SELECT max(completion_tokens) FROM requests")
    assert (asked, came) == (12, 12)
    assert tries > 6  # four at a time were refused, two were not
    assert most <= 4 * 24
