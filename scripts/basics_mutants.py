"""Count the mutants of the references of `basics` that its tests kill; see check-basics.

python scripts/basics_mutants.py [--survivors] [PART OF AN ID ...]
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections import Counter

from basics_trial import passes
from mutants import Mutant, mutants

from anyofk.problems import read_problems
from anyofk.records import Problem

LEAST_SECONDS = 0.25
LEAST_SHARE = 0.95


def main() -> int:
    """Print what was killed, problem by problem and in all; fail if it is too little of all."""
    arguments = _arguments()
    if os.getpid() != 1:
        print("run scripts/check-basics: mutants need a process namespace", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    total: Counter[str] = Counter()
    for problem in read_problems("basics"):
        if not arguments.ids or any(part in problem.id for part in arguments.ids):
            total += _one(problem, survivors=arguments.survivors)
    share = total["killed"] / (total["killed"] + total["alive"])
    print(f"{total['killed']} killed, {total['alive']} alive: {share:.1%}")
    print(", ".join(f"{k} {v}" for k, v in sorted(total.items()) if k not in {"killed", "alive"}))
    return 0 if share >= LEAST_SHARE or arguments.ids else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--survivors", action="store_true", help="show each mutant that passes")
    parser.add_argument("ids", nargs="*")
    return parser.parse_args()


def _one(problem: Problem, *, survivors: bool) -> Counter[str]:
    """Count the fates of all mutants of one problem."""
    started = time.process_time()
    reference = problem.reference or ""
    if not passes(problem, reference, 60):
        raise SystemExit(f"the reference of {problem.id} fails")
    seconds = max(LEAST_SECONDS, 4 * (time.process_time() - started))
    counts: Counter[str] = Counter()
    for mutant in mutants(reference):
        alive = passes(problem, mutant.source, seconds)
        counts["alive" if alive else "killed"] += 1
        counts[f"{mutant.kind} alive" if alive else f"{mutant.kind} killed"] += 1
        if alive and survivors:
            _show(problem, mutant)
    print(f"{problem.id:32} {counts['killed']:4} killed {counts['alive']:3} alive", flush=True)
    return counts


def _show(problem: Problem, mutant: Mutant) -> None:
    plain = set(map(str.strip, (problem.reference or "").splitlines()))
    changed = [line for line in mutant.source.splitlines() if line.strip() not in plain]
    print(f"    {problem.id} line {mutant.line} {mutant.kind}: {' / '.join(changed)}")


if __name__ == "__main__":
    sys.exit(main())
