"""Problem sets: read from files in every common form, or by name."""

from anyofk.problems.fetch import fetch_problem_set, fetchable
from anyofk.problems.named import known_names
from anyofk.problems.problem_set import ProblemSet
from anyofk.problems.read import read_problems

__all__ = ["ProblemSet", "fetch_problem_set", "fetchable", "known_names", "read_problems"]
