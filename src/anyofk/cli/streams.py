"""The three standard streams, in whatever state the caller left them."""

from __future__ import annotations

import io
import os
import sys


def open_standard_streams() -> None:
    """Give each closed one the null device, and let output write what it has no code for.

    A closed descriptor would be the number of the next file that is opened, and what is meant
    for the stream would go there.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            _open_null(descriptor, name)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _open_null(descriptor: int, name: str) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)
    null = open(  # noqa: SIM115 - a number, and open as long as we run
        descriptor, "r" if name == "stdin" else "w", encoding="utf-8", closefd=False
    )
    setattr(sys, name, null)
