"""Bodies that the tests run inside zygotes."""

from __future__ import annotations

import json

from anyofk.sandbox import probes

STATE: list[int] = []


def echo(job):
    job.report(job.payload)


def python(job):
    """Run the payload as a program, with the job at hand."""
    exec(compile(job.payload, "<program>", "exec"), {"__name__": "__main__", "job": job})  # noqa: S102 - in a zygote


def remember(job):
    """A resident that keeps what it was told."""
    STATE.append(len(job.payload))
    if job.payload.startswith(b"exec:"):
        exec(job.payload[5:], {"job": job})  # noqa: S102 - in a zygote
    job.report(json.dumps(STATE).encode())
    if job.channel is not None:
        job.channel.sendall(job.channel.recv(100).upper())


def probe(job):
    """Run some of the self-test's probes, also where they are not promised."""
    names = json.loads(job.payload)
    job.report(json.dumps({name: probes.INSIDE[name]() for name in names}).encode())
