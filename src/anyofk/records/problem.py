"""Problems: a task with its tests, and the part of it that a selector may see."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from anyofk.records.canonical import content_id
from anyofk.records.plain import from_plain, to_plain

Mode = Literal["isolated", "stdio", "inprocess"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the entry point, and what it must return.

    Attributes
    ----------
    arguments
        The positional arguments: plain data.
    expected
        The value that must come back; unused when ``oracle`` is true.
    oracle
        Whether the reference, run on a copy of the same arguments, says what is expected.
    """

    arguments: tuple[Any, ...]
    expected: Any = None
    oracle: bool = False

    def to_json(self) -> dict[str, Any]:
        """Write as plain data: tuples, sets and the like are tagged."""
        return {
            "arguments": [to_plain(argument) for argument in self.arguments],
            "expected": to_plain(self.expected),
            "oracle": self.oracle,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Call:
        """Read from plain data as `to_json` writes it."""
        arguments = tuple(from_plain(argument) for argument in data["arguments"])
        return cls(arguments, from_plain(data.get("expected")), data.get("oracle", False))


@dataclass(frozen=True, slots=True)
class Stream:
    """One run of a whole program: what it reads and what it must write."""

    stdin: str
    stdout: str


@dataclass(frozen=True, slots=True)
class Tests:
    """One named group of tests; all its parts that are not empty are run.

    Attributes
    ----------
    name
        ``public``, ``hidden``, ``base``, ``plus`` or what the data set calls it.
    public
        Whether a selector (or the prompt) may show these tests.
    setup
        Python source that runs before the tests, on the checker's side (imports, helpers).
    code
        Python source with asserts, or one that defines ``check(candidate)``.
    calls
        Calls of the entry point with their expected values.
    streams
        Runs of the program on standard input.
    comparison
        How results are compared: ``equal``, ``tokens``, ``floats``, ``exact``, or the name of
        a special rule of the data set (see ``anyofk.judging``).
    tolerance
        The absolute (and relative) tolerance of a comparison of floats; 0 is exact.
    checker
        Python source of a custom checker, ``check(stdin, stdout, expected) -> bool``.
    """

    name: str = "hidden"
    public: bool = False
    setup: str = ""
    code: str = ""
    calls: tuple[Call, ...] = ()
    streams: tuple[Stream, ...] = ()
    comparison: str = "equal"
    tolerance: float = 0.0
    checker: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to run."""
        return not (self.code.strip() or self.calls or self.streams)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            **_shallow(self),
            "calls": [call.to_json() for call in self.calls],
            "streams": [{"stdin": s.stdin, "stdout": s.stdout} for s in self.streams],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tests:
        """Read from plain data as `to_json` writes it."""
        calls = tuple(Call.from_json(call) for call in data.get("calls", ()))
        streams = tuple(Stream(**stream) for stream in data.get("streams", ()))
        return cls(**{**data, "calls": calls, "streams": streams})


@dataclass(frozen=True)
class PublicProblem:
    """The part of a problem that a model or a selector may see."""

    id: str
    prompt: str = ""
    entry_point: str | None = None
    tests: tuple[Tests, ...] = ()
    cluster: str | None = None
    language: str = "python"


@dataclass(frozen=True)
class Problem:
    """One task with its tests.

    Attributes
    ----------
    id
        The data set's own name for it, unique in its set.
    prompt
        What the model is shown.
    entry_point
        The name that the tests call; none for programs that read standard input.
    tests
        Groups of tests, run in order until one fails.
    reference
        A whole program that is right, or none.
    prompt_is_code
        Whether the prompt is Python that a completion continues. Names that tests take
        from the prompt are then run from the prompt, never from the candidate.
    preamble
        Python source that stands before every candidate: the imports that a contest site
        provides without being asked.
    cluster
        The topic or source it shares with other problems, for clustered errors.
    language
        Only ``python`` is judged for now.
    time_limit, memory_mb
        Limits of the problem's own (seconds, MiB); none takes the run's.
    mode
        The mode that the data set demands; none lets the reference choose.
    metadata
        What else the data set says (split, difficulty, date); it moves no verdict.
    """

    id: str
    prompt: str = ""
    entry_point: str | None = None
    tests: tuple[Tests, ...] = ()
    reference: str | None = None
    prompt_is_code: bool = False
    preamble: str = ""
    cluster: str | None = None
    language: str = "python"
    time_limit: float | None = None
    memory_mb: int | None = None
    mode: Mode | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def content_id(self) -> str:
        """The id of everything that can move a verdict."""
        content = self.to_json()
        del content["metadata"]
        return content_id(content)

    def public(self) -> PublicProblem:
        """Show only what a selector may see: no hidden test, no reference."""
        shown = tuple(group for group in self.tests if group.public)
        return PublicProblem(
            self.id, self.prompt, self.entry_point, shown, self.cluster, self.language
        )

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            **_shallow(self),
            "tests": [group.to_json() for group in self.tests],
            "metadata": to_plain(self.metadata),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Problem:
        """Read from plain data as `to_json` writes it."""
        tests = tuple(Tests.from_json(group) for group in data.get("tests", ()))
        return cls(**{**data, "tests": tests, "metadata": from_plain(data.get("metadata", {}))})


def _shallow(record: Tests | Problem) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in fields(record)}
