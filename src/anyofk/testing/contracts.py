"""Contract kits: what a plug-in must hold, checked by running it.

`check_sandbox` is for whatever judges candidates: it runs both halves of the corpus in one
random order and lists every promise that was not kept.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final

from anyofk.records import Candidate, Outcome, Problem, Verdict
from anyofk.testing.hostile import (
    HonestProgram,
    HostileProgram,
    honest_corpus,
    hostile_corpus,
)
from anyofk.testing.surroundings import Surroundings

Judge = Callable[[Iterable[tuple[Problem, Candidate]]], Iterable[Verdict]]
"""Judges pairs and yields their verdicts, in any order: `anyofk.judging.judge_all`, with its
keywords bound."""

Program = HostileProgram | HonestProgram

LEAK: Final = "anyofk-leak"
"""The word by which programs of the corpus say that they read what they must not."""

WITHOUT_PROCESSES: Final = frozenset({"fence"})
"""Levels at which honest programs that start processes cannot pass."""


def check_sandbox(
    judge: Judge,
    *,
    level: str,
    seed: int = 0,
    programs: Iterable[Program] | None = None,
) -> None:
    """Run the corpus through a judge and refuse it with all that went wrong.

    Parameters
    ----------
    judge
        Judges pairs of problem and candidate.
    level
        The level that it claims, one of the sandbox's levels; every verdict must say so.
    seed
        Of the order in which the programs are judged.
    programs
        The programs; by default the whole corpus.

    Raises
    ------
    AssertionError
        A hostile program passed, gave ``broken`` or had an outcome that it may not have; an
        honest one did not pass; something was left running or changed outside.
    """
    broken = sandbox_violations(judge, level=level, seed=seed, programs=programs)
    if broken:
        listed = "\n".join(f"  {line}" for line in broken)
        raise AssertionError(f"{len(broken)} promises not kept at level {level}:\n{listed}")


def sandbox_violations(
    judge: Judge,
    *,
    level: str,
    seed: int = 0,
    programs: Iterable[Program] | None = None,
) -> list[str]:
    """Run the corpus through a judge and list the promises that it did not keep.

    The parameters are those of `check_sandbox`.

    Returns
    -------
    list of str
        One line a violation; empty when all is well.
    """
    chosen = list(programs) if programs is not None else corpus()
    random.Random(seed).shuffle(chosen)  # noqa: S311 - an order, no secret
    by_draw = {program.candidate.draw: program for program in chosen}
    with Surroundings() as outside:
        verdicts, failure = _verdicts(judge, chosen)
        changes = outside.changes()
    lines = [line for v in verdicts for line in _faults(by_draw[v.draw], v, level)]
    return [*lines, *(failure or _missing(by_draw, verdicts)), *changes]


def _verdicts(judge: Judge, programs: list[Program]) -> tuple[list[Verdict], list[str]]:
    """Judge all; a judge that fails on the way is a violation like others."""
    verdicts: list[Verdict] = []
    try:
        verdicts.extend(judge([(p.problem, p.candidate) for p in programs]))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        words = f"the judge failed after {len(verdicts)} of {len(programs)}"
        return verdicts, [f"{words}: {type(error).__name__}: {error}"]
    return verdicts, []


def corpus() -> list[Program]:
    """List all programs of the corpus, hostile and honest."""
    return [*hostile_corpus(), *honest_corpus()]


def _missing(by_draw: dict[int, Program], verdicts: list[Verdict]) -> list[str]:
    """Name the programs that were not judged exactly once."""
    counts = dict.fromkeys(by_draw, 0)
    for verdict in verdicts:
        counts[verdict.draw] += 1
    return [
        f"{by_draw[draw].id}: judged {times} times" for draw, times in counts.items() if times != 1
    ]


def _faults(program: Program, verdict: Verdict, level: str) -> list[str]:
    """Hold one verdict against what its program may have."""
    said = f"{verdict.outcome.value} ({verdict.message or 'no message'})"
    faults = []
    if verdict.outcome not in _allowed(program, level):
        side = "hostile" if isinstance(program, HostileProgram) else "honest"
        faults.append(f"{program.id}: {side}, but {said}")
    if verdict.outcome is not Outcome.BROKEN and verdict.level != level:
        faults.append(f"{program.id}: judged at level {verdict.level}")
    if LEAK in verdict.message:
        faults.append(f"{program.id}: it read what it must not ({verdict.message})")
    if any(not character.isprintable() for character in verdict.message):
        faults.append(f"{program.id}: unprintable characters in the message {verdict.message!a}")
    return faults


def _allowed(program: Program, level: str) -> frozenset[Outcome]:
    if isinstance(program, HostileProgram):
        return program.allowed
    if program.needs_processes and level in WITHOUT_PROCESSES:
        return frozenset(Outcome) - {Outcome.BROKEN}
    return frozenset({Outcome.PASSED})
