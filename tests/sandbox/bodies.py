"""Bodies that the tests run inside zygotes."""

from __future__ import annotations

STATE: list[int] = []


def echo(job):
    job.report(job.payload)


def python(job):
    """Run the payload as a program, with the job at hand."""
    exec(compile(job.payload, "<program>", "exec"), {"__name__": "__main__", "job": job})  # noqa: S102 - in the jail


def remember(job):
    """A resident that keeps what it was told."""
    STATE.append(len(job.payload))
    if job.payload.startswith(b"exec:"):
        exec(job.payload[5:], {"job": job})  # noqa: S102 - in the jail
    job.report(repr(STATE).encode())
    if job.channel is not None:
        job.channel.sendall(job.channel.recv(100).upper())
