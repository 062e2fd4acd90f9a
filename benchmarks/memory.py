"""Judge many candidates and print how much memory the judging parent took.

    python benchmarks/memory.py [--candidates 100000] [--problems 20]

The same small program answers every draw of a few problems, so that the number of candidates
is all that grows. Half as many are judged first: a parent whose memory grows with them shows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROBLEM = {
    "prompt": 'def double(x):\n    """Return twice x."""\n',
    "entry_point": "double",
    "prompt_is_code": True,
    "reference": "def double(x):\n    return 2 * x\n",
    "hidden": "assert double(4) == 8\nassert double(-1) == -2\n",
}


def main() -> None:
    """Judge twice, in processes of their own, and compare their peaks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--problems", type=int, default=20)
    options = parser.parse_args()
    peaks = {}
    for number in (options.candidates // 2, options.candidates):
        with tempfile.TemporaryDirectory() as folder:
            peaks[number] = peak_mb(Path(folder), number, options.problems)
        print(f"{number:8} candidates: parent's peak {peaks[number]:.0f} MB")
    print(f"growth: {peaks[options.candidates] - peaks[options.candidates // 2]:.1f} MB")


def peak_mb(folder: Path, candidates: int, problems: int) -> float:
    """Judge in a process of its own; the peak of its resident memory."""
    write_files(folder, candidates, problems)
    command = [sys.executable, "-m", "anyofk", "verify", "candidates.jsonl"]
    process = subprocess.Popen(  # noqa: S603 - the installed command
        [*command, "--problems", "problems.jsonl", "--json"],
        cwd=folder,
        stdout=subprocess.PIPE,
    )
    result = json.loads(process.stdout.read()) if process.stdout else {}
    _, status, usage = os.wait4(process.pid, 0)
    passed = sum(problem["c"] for problem in result["problems"].values())
    if status or passed != candidates:
        sys.exit(f"exit status {status}, {passed} of {candidates} passed")
    return usage.ru_maxrss / 1024


def write_files(folder: Path, candidates: int, problems: int) -> None:
    """Write a problem set and its candidates."""
    with (folder / "problems.jsonl").open("w") as lines:
        for number in range(problems):
            lines.write(json.dumps({"id": f"double/{number}", **PROBLEM}) + "\n")
    with (folder / "candidates.jsonl").open("w") as lines:
        for draw in range(candidates):
            row = {
                "problem": f"double/{draw % problems}",
                "completion": f"    return x + x  # {draw}\n",
            }
            lines.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
