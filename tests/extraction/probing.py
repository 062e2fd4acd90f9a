"""Runs extracted programs with their probes; started as a script in namespaces of its own.

Reads a JSON list of ``{"program", "probe", "stdin"}`` and writes a list of ``"pass"`` or the
reason of the failure. Each program runs in a child with hard limits and no input but its own.
"""

import io
import json
import os
import resource
import subprocess
import sys
from contextlib import redirect_stdout

WRAPPER = ["unshare", "--map-root-user", "--pid", "--mount", "--fork", "--kill-child"]


def available():
    try:
        done = subprocess.run([*WRAPPER, "true"], check=False, capture_output=True, timeout=20)
    except OSError:
        return False
    return done.returncode == 0


def run_all(jobs):
    done = subprocess.run(
        [*WRAPPER, sys.executable, "-I", __file__],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(done.stdout)


def judge(job):
    os.environ.clear()
    if job["stdin"] is not None:
        return run_program(job)
    namespace = {"__name__": "candidate"}
    sys.stdin = io.StringIO("")
    with redirect_stdout(io.StringIO()):
        exec(compile(job["program"], "candidate.py", "exec"), namespace)  # noqa: S102 - the point
        exec(compile(job["probe"], "probe.py", "exec"), namespace)  # noqa: S102 - the point
    return "pass"


def run_program(job):
    done = subprocess.run(
        [sys.executable, "-I", "-c", job["program"]],
        input=job["stdin"],
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    right = done.stdout.split() == job["stdout"].split()
    return "pass" if right else f"wrote {done.stdout!r} {done.stderr!r}"


def limits():
    for kind, most in (
        (resource.RLIMIT_CPU, 5),
        (resource.RLIMIT_AS, 2**30),
        (resource.RLIMIT_FSIZE, 2**20),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def in_child(job):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        limits()
        try:
            verdict = judge(job)
        except BaseException as fault:  # noqa: BLE001 - whatever a program raises is its verdict
            verdict = f"{type(fault).__name__}: {fault}"
        os.write(writing, verdict.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        verdict = pipe.read().decode()
    os.waitpid(child, 0)
    return verdict or "died"


if __name__ == "__main__":
    print(json.dumps([in_child(job) for job in json.load(sys.stdin)]))  # noqa: T201 - its answer
