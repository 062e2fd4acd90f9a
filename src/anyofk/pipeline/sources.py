"""Problems by name, by file, or in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from anyofk.errors import UsageError
from anyofk.problems import ProblemSet, read_problems
from anyofk.records import Problem


def problem_set(given: str | Path | ProblemSet | Iterable[Problem]) -> ProblemSet:
    """Give a problem set from its name, its file, or problems in memory."""
    if isinstance(given, ProblemSet):
        return given
    if isinstance(given, str | Path):
        return read_problems(given)
    return ProblemSet("problems", "", tuple(given))


def chosen_problems(
    problems: ProblemSet, where: Mapping[str, str], most: int | None = None
) -> ProblemSet:
    """Keep the problems whose fields have these values, at most so many; their order stays.

    Parameters
    ----------
    problems
        The whole set.
    where
        ``id``, ``cluster``, or what the problems' metadata calls it, to its value as text.
    most
        How many of them to keep, from the first.

    Raises
    ------
    UsageError
        None is left.

    Examples
    --------
    >>> whole = ProblemSet("s", "", (Problem("a", metadata={"tier": "easy"}), Problem("b")))
    >>> chosen_problems(whole, {"tier": "easy"}).ids
    ('a',)
    """
    kept = [p for p in problems if all(_field(p, name) == v for name, v in where.items())][:most]
    if not kept:
        wanted = ", ".join(f"{name}={value}" for name, value in where.items())
        raise UsageError(
            f"no problem of {problems.name!r} has {wanted}",
            hint=f"fields: {', '.join(sorted({name for p in problems for name in _fields(p)}))}",
        )
    if len(kept) == len(problems):
        return problems
    note = f"{len(kept)} of the {len(problems)} problems of {problems.name} are used"
    return replace(problems, problems=tuple(kept), notes=(*problems.notes, note))


def _fields(problem: Problem) -> set[str]:
    return {"id", "cluster", *problem.metadata}


def _field(problem: Problem, name: str) -> str:
    own = {"id": problem.id, "cluster": problem.cluster or ""}
    return str({**problem.metadata, **own}.get(name, ""))
