"""Judge the shared hostile or honest candidates; started by the tests in namespaces of its own.

Arguments: the shared folder, ``attacks`` or ``honest``, a directory for calibrations.
Prints one JSON line for the level, then one for each verdict.
"""

import gzip
import json
import sys
from pathlib import Path

from anyofk.judging import Calibrations, judge_all
from anyofk.judging.levels import checked_level
from anyofk.records import Candidate, Problem, Tests


def humaneval(shared):
    with gzip.open(shared / "data" / "humaneval" / "HumanEval.jsonl.gz", "rt") as file:
        for row in map(json.loads, file):
            yield Problem(
                row["task_id"],
                prompt=row["prompt"],
                entry_point=row["entry_point"],
                tests=(Tests(code=row["test"]),),
                reference=row["prompt"] + row["canonical_solution"],
                prompt_is_code=True,
            )


def corpus(shared, name):
    problems = {problem.id: problem for problem in humaneval(shared)}
    lines = (shared / "attacks" / f"{name}.jsonl").read_text("utf-8").splitlines()
    for draw, row in enumerate(map(json.loads, lines)):
        form = "program" if row["full"] else "completion"
        candidate = Candidate(row["task_id"], draw, row["completion"], form)
        yield row, problems[row["task_id"]], candidate


def main(shared, name, directory):
    level = checked_level(None, None)
    rows = list(corpus(Path(shared), name))
    sys.stdout.write(json.dumps({"level": level, "candidates": len(rows)}) + "\n")
    pairs = [(problem, candidate) for _, problem, candidate in rows]
    for verdict in judge_all(pairs, level=level, calibrations=Calibrations(Path(directory))):
        told = {**verdict.to_json(), "id": rows[verdict.draw][0]["id"]}
        told["needs_processes"] = rows[verdict.draw][0].get("needs_processes", False)
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
