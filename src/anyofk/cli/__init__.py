"""The command line: one file per verb, loaded on use; here errors become words and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from anyofk.cli.streams import open_standard_streams

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give its exit code.

    0 done, 1 a gate that was asked for failed (or a fault of our own), 2 usage, 3 bad input
    data, 4 sandbox or provider not available, 5 ended incomplete, 130 interrupted.
    """
    open_standard_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from anyofk.cli.entry import run_command  # noqa: PLC0415 - click is paid for by commands alone

        return run_command(given)
    except KeyboardInterrupt:  # before or after the command itself, which says what became of it
        return INTERRUPTED
    except BrokenPipeError:
        # the reader has seen enough; nothing more can be written, not even at exit
        sys.stdout = None
        return 0
