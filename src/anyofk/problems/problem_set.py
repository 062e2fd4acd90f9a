"""A problem set: problems with unique ids, a name, a version and a content id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from anyofk.errors import ProblemError
from anyofk.records import Problem, content_id


@dataclass(frozen=True)
class ProblemSet:
    """Problems in the order of their set.

    Attributes
    ----------
    name
        What the set is called; of a file, its name without its endings.
    version
        The set's own version, empty where it has none. The content id is the true one.
    problems
        The problems; their ids are unique.
    source
        Where they were read from, and in which form.
    notes
        What a user should know about how they were read, one sentence each.

    Raises
    ------
    ProblemError
        There is no problem, or two have the same id.

    Examples
    --------
    >>> problems = ProblemSet("mine", "1", (Problem("a"), Problem("b")))
    >>> len(problems), problems["b"].id, "c" in problems
    (2, 'b', False)
    """

    name: str
    version: str
    problems: tuple[Problem, ...]
    source: str = ""
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.problems:
            raise ProblemError(
                f"problem set {self.name!r} holds no problem",
                hint="a set needs at least one problem; see docs/problem-format.md",
                file=self.source,
            )
        if len(self._by_id) < len(self.problems):
            raise _twice(self)

    def __iter__(self) -> Iterator[Problem]:
        """Go through the problems in their order."""
        return iter(self.problems)

    def __len__(self) -> int:
        """Count the problems, M."""
        return len(self.problems)

    def __contains__(self, identifier: object) -> bool:
        """Whether a problem of that id is in the set."""
        return identifier in self._by_id

    def __getitem__(self, identifier: str) -> Problem:
        """Find a problem by its id."""
        if identifier not in self._by_id:
            raise _unknown(self, identifier)
        return self._by_id[identifier]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the problems in their order."""
        return tuple(self._by_id)

    @cached_property
    def content_id(self) -> str:
        """The id of everything in the set that can move a verdict, whatever its order or name."""
        return content_id(sorted(problem.content_id for problem in self.problems))

    @cached_property
    def _by_id(self) -> dict[str, Problem]:
        return {problem.id: problem for problem in self.problems}


def _unknown(problems: ProblemSet, identifier: str) -> ProblemError:
    close = get_close_matches(str(identifier), problems.ids, n=1)
    return ProblemError(
        f"no problem {identifier!r} in problem set {problems.name!r}",
        hint=f"did you mean {close[0]!r}?" if close else f"its ids are like {problems.ids[0]!r}",
        problem=identifier,
    )


def _twice(problems: ProblemSet) -> ProblemError:
    counts = Counter(problem.id for problem in problems.problems)
    twice = counts.most_common(1)[0][0]
    return ProblemError(
        f"problem {twice!r} stands twice in problem set {problems.name!r}",
        hint="give each problem an id of its own",
        problem=twice,
        field="id",
        file=problems.source,
    )
