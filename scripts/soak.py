"""Judge many candidates, one in fifty hostile, and hold what is left to what was there before.

It must run as the parent of all processes that it sees: `scripts/soak` starts it so.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from anyofk.judging import Calibrations, judge_all
from anyofk.records import Candidate, Outcome, Problem
from anyofk.testing import honest_corpus, hostile_corpus

HOSTILE_ONE_IN = 50
HOSTILE_TIME_S = 0.3
SETTLED = 0.5
GROWTH_MB = 20.0
NAMED = 20
UNEARNED = (Outcome.PASSED, Outcome.BROKEN)


@dataclass(frozen=True)
class Left:
    """What this process and its surroundings hold at one moment."""

    processes: int
    descriptors: int
    files: tuple[str, ...]

    @classmethod
    def now(cls) -> Left:
        """Count; the private process table shows no strangers."""
        processes = sum(entry.name.isdecimal() for entry in Path("/proc").iterdir())
        files = sorted(str(path) for path in Path(tempfile.gettempdir()).rglob("*"))
        return cls(processes, len([*Path("/proc/self/fd").iterdir()]), tuple(files))


class Soak:
    """The candidates, what they must get, and what went wrong."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - an order, no secret
        self._hostile = [p for p in hostile_corpus() if not p.needs]
        self._honest = [p for p in honest_corpus() if not p.needs]
        self._ids: dict[int, tuple[str, bool]] = {}
        self.faults: list[str] = []
        self.outcomes: Counter[str] = Counter()

    def pairs(self, count: int) -> Iterator[tuple[Problem, Candidate]]:
        """Draw candidates; those of honest programs keep the time that their problem gives."""
        for draw in range(count):
            hostile = draw % HOSTILE_ONE_IN == 0
            program = self._chance.choice(self._hostile if hostile else self._honest)
            limit = HOSTILE_TIME_S if hostile else program.problem.time_limit
            self._ids[draw] = program.id, hostile
            problem = replace(program.problem, time_limit=limit)
            yield problem, replace(program.candidate, draw=draw)

    def judge(self, count: int, folder: str) -> float:
        """Judge all; give by how many MiB this process grew once it had settled."""
        start, seen = 0.0, 0
        for verdict in judge_all(self.pairs(count), calibrations=Calibrations(Path(folder))):
            self._hold(verdict.draw, verdict.outcome, verdict.message)
            seen += 1
            if seen == int(count * SETTLED):
                start = resident_mb()
        if seen != count or self._ids:
            self.faults.append(f"{seen} verdicts for {count} candidates, {len(self._ids)} missing")
        return resident_mb() - start

    def _hold(self, draw: int, outcome: Outcome, message: str) -> None:
        name, hostile = self._ids.pop(draw)
        self.outcomes[f"{'hostile' if hostile else 'honest'} {outcome}"] += 1
        if (outcome in UNEARNED) if hostile else (outcome is not Outcome.PASSED):
            self.faults.append(f"{name}: {outcome} {message}")


def resident_mb() -> float:
    """MiB of memory that this process has in use."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) / 256


def main() -> None:
    """Soak, and fail with all that was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    soak, started = Soak(options.seed), time.monotonic()
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as own:
        os.environ["TMPDIR"] = tempfile.tempdir = own
        before = Left.now()
        grown = soak.judge(options.count, kept)
        after = Left.now()
    if before != after:
        soak.faults.append(f"left behind: {before} became {after}")
    if grown > GROWTH_MB:
        soak.faults.append(f"this process grew by {grown:.1f} MiB")
    print(
        f"{options.count} candidates in {time.monotonic() - started:.0f} s, grown {grown:.1f} MiB"
    )
    print(dict(sorted(soak.outcomes.items())))
    sys.exit("\n".join(soak.faults[:NAMED]) or None)


if __name__ == "__main__":
    main()
