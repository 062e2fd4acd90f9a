"""The built-in problem sets, behind the same door as everyone's plug-ins."""

from __future__ import annotations

from pathlib import Path

from anyofk.errors import UnavailableError
from anyofk.problems.cache import cached_file
from anyofk.problems.problem_set import ProblemSet
from anyofk.problems.read import read_directory, read_file


def basics() -> ProblemSet:
    """Read the set that comes with anyofk: problems of our own writing."""
    return read_directory(Path(__file__).with_name("basics"), name="basics")


def humaneval() -> ProblemSet:
    """Read HumanEval from the cache.

    Raises
    ------
    UnavailableError
        It is not there yet.
    """
    path = cached_file("humaneval")
    if path is None:
        raise UnavailableError(
            "problem set 'humaneval' is not in the cache",
            hint="fetch it with: anyofk problems get humaneval",
            name="humaneval",
        )
    return read_file(path, name="humaneval")
