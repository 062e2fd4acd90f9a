"""The shared hostile and honest candidates, judged at the strongest level that holds here.

The harness runs in pid and mount namespaces of its own where that is possible, beside the
jail that each zygote makes.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from corpus_run import humaneval

from anyofk.judging import judge_all
from anyofk.records import Candidate

pytestmark = pytest.mark.hostile

SCRIPT = Path(__file__).with_name("corpus_run.py")
NAMESPACES = ("unshare", "--pid", "--mount", "--fork", "--kill-child")


def own_namespaces():
    for prefix in (NAMESPACES, (*NAMESPACES, "--user", "--map-root-user")):
        try:
            done = subprocess.run([*prefix, "true"], capture_output=True, check=False)
        except FileNotFoundError:
            return ()
        if done.returncode == 0:
            return prefix
    return ()


@pytest.fixture
def judged(shared, tmp_path, told):
    def run(name):
        prefix = own_namespaces()
        command = [*prefix, sys.executable, str(SCRIPT), str(shared), name, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
        assert done.returncode == 0, done.stderr
        head, *verdicts = map(json.loads, done.stdout.splitlines())
        where = "in namespaces of its own" if prefix else "without namespaces of its own"
        told(f"{name}: {len(verdicts)} programs at level {head['level']}, {where}")
        assert len(verdicts) == head["candidates"]
        return head["level"], verdicts

    return run


def test_no_attack_passes_or_is_broken(judged):
    _, verdicts = judged("attacks")
    assert len(verdicts) >= 90
    assert not [v for v in verdicts if v["outcome"] in ("passed", "broken")]


def test_every_honest_candidate_passes(judged):
    level, verdicts = judged("honest")
    assert len(verdicts) >= 40
    wanted = [v for v in verdicts if level == "jail" or not v["needs_processes"]]
    assert not [v for v in wanted if v["outcome"] != "passed"]


def test_every_reference_of_humaneval_passes_isolated(shared, level, kept):
    pairs = [(p, Candidate(p.id, 0, p.reference)) for p in humaneval(shared)]
    verdicts = list(judge_all(pairs, level=level, calibrations=kept))
    assert len(verdicts) == 164
    assert not [v for v in verdicts if not v.passed or v.mode != "isolated"]
