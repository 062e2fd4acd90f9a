"""The corpus: hostile programs that must never pass, and honest ones of unusual form that must.

The programs are data (``corpus/**/*.toml``) and are never imported. Hand them to nothing but
a sandbox that has passed its self-test: on a plain interpreter many of them do what they say.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

from anyofk.records import Call, Candidate, Outcome, Problem, Stream, Tests

Proof = Literal["inprocess", "joined", "printed", "reason"]

FAMILIES: Final = ("forge", "starve", "kill", "exhaust", "escape", "poison", "bomb", "leak")
"""What a hostile program is after; every kind belongs to one."""

TIME_LIMIT_S: Final = 0.5
"""Seconds of CPU for a candidate, where the problem does not give its own."""

_MEMORY_MB: Final = 512
_PATIENT_MEMORY_MB: Final = 1024
_FAILURES: Final = frozenset(Outcome) - {Outcome.PASSED, Outcome.BROKEN}


@dataclass(frozen=True)
class HostileProgram:
    """One program that does not solve its problem and tries to gain or to harm by other means.

    Attributes
    ----------
    id, kind, family
        Its name, its kind (``frames``, ``hashing``, ``symlinks``, ...) and one of `FAMILIES`.
    tries
        What it attempts.
    problem, candidate
        What is judged.
    allowed
        The outcomes that a right judgement may give; never ``passed``, never ``broken``.
    host_risk
        Whether it would harm a machine, or others on it, outside a sandbox.
    proof
        How it is shown that the attack is real: it passes in mode ``inprocess``; it passes a
        harness that joins program and test and reads the exit code (``joined``) or the last
        words (``printed``); or ``reason`` says whom it would fool or harm.
    reason
        A sentence for people, empty where the proof is run.
    needs
        A package that it imports, else empty.
    """

    id: str
    kind: str
    family: str
    tries: str
    problem: Problem
    candidate: Candidate
    allowed: frozenset[Outcome]
    host_risk: bool
    proof: Proof
    reason: str
    needs: str


@dataclass(frozen=True)
class HonestProgram:
    """One right answer of unusual form: it must pass.

    Attributes
    ----------
    id, kind
        Its name and its kind.
    shows
        What is unusual about it.
    problem, candidate
        What is judged.
    needs_processes
        Whether it starts processes, which the level ``fence`` refuses.
    needs
        A package that it imports, else empty.
    """

    id: str
    kind: str
    shows: str
    problem: Problem
    candidate: Candidate
    needs_processes: bool
    needs: str


@cache
def hostile_corpus() -> tuple[HostileProgram, ...]:
    """Read the hostile programs, ordered by file and place.

    Examples
    --------
    >>> len(hostile_corpus()) >= 200
    True
    """
    return tuple(_hostile(entry, draw) for draw, entry in enumerate(_entries("hostile")))


@cache
def honest_corpus() -> tuple[HonestProgram, ...]:
    """Read the honest programs, ordered by file and place.

    Examples
    --------
    >>> len(honest_corpus()) >= 100
    True
    """
    first = len(hostile_corpus())
    return tuple(_honest(entry, draw) for draw, entry in enumerate(_entries("honest"), first))


@cache
def corpus_problems() -> dict[str, Problem]:
    """Read the small problems that the corpus attacks, by their short names.

    Examples
    --------
    >>> corpus_problems()["span"].entry_point
    'span'
    """
    entries = tomllib.loads((_corpus() / "problems.toml").read_text("utf-8"))["problem"]
    return {entry["id"]: _problem(entry) for entry in entries}


def _corpus() -> Traversable:
    return files("anyofk.testing") / "corpus"


def _entries(folder: str) -> Iterator[dict[str, Any]]:
    """Read the programs of a folder; each with what its file says for all."""
    for path in sorted((_corpus() / folder).iterdir(), key=lambda path: path.name):
        shared = tomllib.loads(path.read_text("utf-8"))
        for entry in shared.pop("program"):
            yield {**shared, **entry}


def _hostile(entry: dict[str, Any], draw: int) -> HostileProgram:
    return HostileProgram(
        id=entry["id"],
        kind=entry["kind"],
        family=entry["family"],
        tries=entry["tries"],
        problem=corpus_problems()[entry["problem"]],
        candidate=_candidate(entry, draw),
        allowed=frozenset(map(Outcome, entry.get("allowed", ()))) or _FAILURES,
        host_risk=entry.get("risk", False),
        proof=entry["proof"],
        reason=entry.get("reason", ""),
        needs=entry.get("needs", ""),
    )


def _honest(entry: dict[str, Any], draw: int) -> HonestProgram:
    return HonestProgram(
        id=entry["id"],
        kind=entry["kind"],
        shows=entry["shows"],
        problem=corpus_problems()[entry["problem"]],
        candidate=_candidate(entry, draw),
        needs_processes=entry.get("needs_processes", False),
        needs=entry.get("needs", ""),
    )


def _candidate(entry: dict[str, Any], draw: int) -> Candidate:
    """Take the text as it stands, or as a JSON string, with its repeated parts written out."""
    text: str = json.loads(entry["json"]) if "json" in entry else entry["text"]
    for mark, (part, count) in entry.get("expand", {}).items():
        text = text.replace(mark, part * count)
    return Candidate(corpus_problems()[entry["problem"]].id, draw, text)


def _problem(entry: dict[str, Any]) -> Problem:
    patient = "time_limit" in entry
    return Problem(
        f"corpus/{entry['id']}",
        prompt=entry["prompt"],
        entry_point=None if entry.get("stdio") else entry["id"],
        tests=(_tests(entry),),
        reference=entry["reference"],
        time_limit=entry.get("time_limit", TIME_LIMIT_S),
        memory_mb=_PATIENT_MEMORY_MB if patient else _MEMORY_MB,
    )


def _tests(entry: dict[str, Any]) -> Tests:
    return Tests(
        setup=entry.get("setup", ""),
        code=entry.get("code", ""),
        calls=tuple(_call(call) for call in entry.get("calls", ())),
        streams=tuple(Stream(**stream) for stream in entry.get("streams", ())),
        comparison=entry.get("comparison", "equal"),
        checker=entry.get("checker", ""),
    )


def _call(call: dict[str, Any]) -> Call:
    return Call(tuple(call["arguments"]), call.get("expected"), call.get("oracle", False))
