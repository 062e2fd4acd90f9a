"""Time the statistics against the loops that they replace, on this machine, in this run.

    python benchmarks/estimators.py [--pairs 1000000] [--seed 1]

* pass@k of many (n, c) at ten k, against a loop over problems as the first tools had it;
* bootstrap replicates of eight k, against estimating every replicate anew in such a loop;
* exact maj@k of 64 candidates;
* what ``import anyofk`` loads, and how long it takes.

A loop is timed on a part and its time scaled up, as printed. CPU seconds of one process, the
best of three; the sizes are those that design goals were stated for.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from anyofk.stats import bootstrap_means, maj_at_k, pass_at_k

TEN = [1, 2, 5, 10, 20, 50, 80, 100, 150, 200]
EIGHT = [1, 2, 4, 8, 16, 32, 64, 100]
LOOPED = 5_000
REPLICATES, PROBLEMS = 10_000, 1_000
GOALS = {"pairs": 100, "bootstrap": 1_000, "maj": 0.010}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    print(machine())
    many_pairs(rng, given.pairs)
    bootstrap(rng)
    majority()
    imports()


def machine() -> str:
    """Name what the figures hold for."""
    info = Path("/proc/cpuinfo")
    names = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    model = next((line.partition(":")[2].strip() for line in names if "model name" in line), "")
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    model = model or platform.processor() or platform.machine()
    return (
        f"{model}, {os.cpu_count()} CPUs, load {load}; "
        f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    )


def cpu(work: Callable[[], Any], times: int = 3) -> float:
    """Give the least CPU seconds of a few goes."""
    found = []
    for _ in range(times):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def looped(n: Any, c: Any, ks: list[int]) -> Any:
    """Estimate problem by problem: one less a product over c factors, each k anew."""
    found = np.empty((len(ks), len(n)))
    for row, k in enumerate(ks):
        for i, (judged, passed) in enumerate(zip(n, c, strict=True)):
            if judged - passed < k:
                found[row, i] = 1.0
            else:
                found[row, i] = 1.0 - np.prod(1.0 - k / np.arange(judged - passed + 1, judged + 1))
    return found


def many_pairs(rng: np.random.Generator, pairs: int) -> None:
    for what, n in (
        ("n = 200", np.full(pairs, 200)),
        ("n = 200 to 1,100", rng.integers(200, 1_101, pairs)),
    ):
        c = rng.binomial(n, rng.beta(0.3, 0.7, pairs))
        part = n[:LOOPED], c[:LOOPED]
        slow = cpu(lambda part=part: looped(*part, TEN), 1) * pairs / len(part[0])
        fast = cpu(lambda n=n, c=c: pass_at_k(n, c, TEN))
        same = np.abs(looped(n[:200], c[:200], TEN).T - pass_at_k(n[:200], c[:200], TEN)).max()
        print(
            f"{pairs:,} pairs x {len(TEN)} k, {what}: {fast:.3f} s against {slow:.1f} s for the "
            f"loop (from {len(part[0]):,} pairs): {slow / fast:,.0f} times as fast "
            f"(goal {GOALS['pairs']}); largest difference {same:.1e}"
        )


def bootstrap(rng: np.random.Generator) -> None:
    n = np.full(PROBLEMS, 200)
    c = rng.binomial(n, rng.beta(0.3, 0.7, PROBLEMS))

    def anew() -> None:
        chosen = rng.integers(0, PROBLEMS, PROBLEMS)
        looped(n[chosen], c[chosen], EIGHT).mean(axis=1)

    slow = cpu(anew, 3) * REPLICATES
    fast = cpu(lambda: bootstrap_means(pass_at_k(n, c, EIGHT).T, replicates=REPLICATES))
    print(
        f"{REPLICATES:,} bootstrap replicates, {PROBLEMS:,} problems x {len(EIGHT)} k: "
        f"{fast:.3f} s against {slow:,.0f} s anew (from one replicate): "
        f"{slow / fast:,.0f} times as fast (goal {GOALS['bootstrap']:,})"
    )


def majority() -> None:
    votes = [14, 11, 9, 7, 6, 5, 4, 3, 2, 1, 1, 1]
    correct = [True] + [False] * (len(votes) - 1)
    for k in (8, 32):
        seconds = cpu(lambda k=k: maj_at_k(votes, correct, k), 5)
        print(
            f"exact maj@{k} of {sum(votes)} candidates, {len(votes)} answers: "
            f"{1e3 * seconds:.1f} ms (goal {1e3 * GOALS['maj']:.0f})"
        )


def imports() -> None:
    heavy = ("numpy", "scipy", "scipy.stats")
    code = f"import anyofk, sys; print(*[m for m in {heavy} if m in sys.modules])"
    bare = seconds_of("pass")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    loaded = done.stdout.split() or ["none of " + ", ".join(heavy)]
    more = seconds_of("import anyofk") - bare
    print(
        f"import anyofk: {1e3 * more:.0f} ms more than a bare Python; it loads {', '.join(loaded)}"
    )


def seconds_of(code: str) -> float:
    """Give the least wall time of an interpreter that runs this."""
    found = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - as above
        found.append(time.perf_counter() - started)
    return min(found)


if __name__ == "__main__":
    main()
