import os
import pty
import subprocess
from collections import Counter

import pytest
from installed import SCRIPT, samples, write_lines

from anyofk.cli.progress import outcome_counts
from anyofk.records import Outcome

COMMAND = ("verify", "samples.jsonl", "--problems", "set.jsonl", "--no-store")


def on_a_terminal(folder, **environment):
    """Run the command with standard error on a terminal; give what the terminal saw."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SCRIPT, *COMMAND],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 65536):
            seen += block
    except OSError:  # the terminal's other end is gone
        pass
    os.close(ours)
    assert process.wait() == 0
    return seen.decode()


@pytest.mark.usefixtures("_sandbox")
def test_progress_shows_counts_and_outcomes_on_a_terminal(files):
    write_lines(files / "samples.jsonl", samples(("passed", "exception") * 40))
    seen = on_a_terminal(files)
    assert "240" in seen
    assert "passed " in seen
    plain = on_a_terminal(files, NO_COLOR="1")
    assert "\x1b[3" not in plain


def test_the_commonest_outcomes_stand_after_the_passed_ones():
    kinds = list(Outcome)[1:7]
    outcomes = Counter({kind: i + 1 for i, kind in enumerate(kinds)})
    outcomes[Outcome.PASSED] = 1
    assert outcome_counts(outcomes).startswith("passed 1, ")
    assert outcome_counts(outcomes).count(",") == 3
