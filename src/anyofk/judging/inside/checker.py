"""The checker's side of mode ``isolated``: run a problem's tests on one candidate after the other.

The body is resident: its process serves one problem, keeps the compiled tests, and starts
each candidate with fresh namespaces and generators. What it reports decides, so it builds
nothing from a candidate's bytes but plain data and proxies.
"""

from __future__ import annotations

import errno
import gc
import json
import socket
import sys
from types import ModuleType
from typing import Any, Final

from anyofk.judging.channel import Channel, ChannelClosed, UnfitMessage
from anyofk.judging.codec import Json, dumps
from anyofk.judging.inside.conversation import Conversation, Deviation
from anyofk.judging.inside.instrument import Checks
from anyofk.judging.inside.preparation import Chunk, Group, Prepared, inspected, prepared
from anyofk.judging.inside.program import module, seed
from anyofk.judging.inside.remotes import Remote
from anyofk.judging.inside.telling import telling
from anyofk.judging.messages import one_line, shown
from anyofk.sandbox.job import open_channel

_ready: dict[str, Prepared] = {}
_TESTS: Final = "tests"
_COLLECT_EVERY: Final = 64
_MAX_FORESEEN: Final = 24_000
_served = 0


def serve(job: Any) -> None:
    """Check one candidate, or inspect a plan: the body of a resident job."""
    job.report(dumps(_report(json.loads(job.payload), job.channel)))


def _report(order: Json, connection: Any) -> Json:
    """What fails up to the opening failed before a byte of a candidate: the problem's fault."""
    _collect()
    try:
        if "inspect" in order:
            return {"outcome": "inspected", **inspected(order["inspect"])}
        ready = _prepared(order)
        if ready is None:
            return {"outcome": "unprepared"}
        examination = Examination(ready, Channel(connection), apart=order["apart"])
    except Exception as error:  # noqa: BLE001 -- the problem's code may raise anything
        return {"outcome": "fault", "message": one_line(_words(error))}
    return examination.report()


def _prepared(order: Json) -> Prepared | None:
    if "plan" in order:
        _ready.clear()
        _ready[order["key"]] = prepared(order["plan"])
    return _ready.get(order["key"])


def _collect() -> None:
    global _served  # noqa: PLW0603 -- the process's own count of its jobs
    _served += 1
    if _served % _COLLECT_EVERY == 0:
        gc.collect()


def _words(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 -- an exception that holds an int too long for text
        return type(error).__name__


class Examination:
    """One candidate's way through all groups of tests."""

    def __init__(self, ready: Prepared, channel: Channel, *, apart: bool) -> None:
        self._ready = ready
        self._apart = apart
        foreseen = [] if apart else ready.foreseen
        self._conversation = Conversation(channel, ready.mutated, foreseen)
        self._checks = Checks()
        self._calls_held = 0
        self._group = ""
        self._opening: Json = {}
        if ready.draws:
            seed(ready.seed)
        self._modules = [self._built(group) for group in ready.groups]

    def _built(self, group: Group) -> ModuleType:
        """Run what the tests build on: the prompt, the setup; and place the proxies."""
        built = module(_TESTS)
        names = built.__dict__
        names.update(self._ready.modules)
        for code in (self._ready.context, group.setup):
            if code is not None:
                exec(code, names)  # noqa: S102 -- the problem's own code
        for name in self._ready.names:
            names[name] = Remote(self._conversation, name, "function")
        names.update(self._checks.names(group.lines))
        return built

    def report(self) -> Json:
        """Run, and say how it ended. Nothing that a candidate sends can make this raise."""
        outcome, message = self._outcome()
        for built in self._modules:
            built.__dict__.clear()
        held = self._checks.held + self._calls_held
        return {
            "outcome": outcome,
            "message": one_line(message),
            "held": held,
            "reached": held + self._checks.failed,
            "calls": self._conversation.calls,
            "answered": self._conversation.answered,
            "group": "" if outcome == "passed" else self._group,
            "mutated": {k: sorted(v) for k, v in self._conversation.mutated.items()},
            **self._opening,
            **(self._learned() if self._ready.mutated is None else {}),
        }

    def _learned(self) -> Json:
        """Say of the reference's calls which may travel together."""
        return {
            "foreseen": self._recorded(),
            "telling": [group.telling for group in self._ready.groups],
        }

    def _recorded(self) -> list[Json]:
        """The calls that every candidate will get, as far as they fit in a report."""
        if not self._ready.independent:
            return []
        room, kept = _MAX_FORESEEN, []
        for recorded in self._conversation.recorded:
            room -= len(dumps(recorded.call))
            if room < 0:
                break
            kept.append(recorded)
        arguments = [recorded.call[1] for recorded in kept]
        told = telling(arguments, [[recorded.result] for recorded in kept])
        return [] if told else [recorded.call for recorded in kept]

    def _outcome(self) -> tuple[str, str]:
        try:
            failure = self._open()
            if failure is None:
                self._run_groups()
        except BaseException as error:  # noqa: BLE001 -- tests and data may raise anything
            failure = self._failure(error)
        if self._conversation.fault is not None:
            return self._failure(self._conversation.fault)
        return failure or ("passed", "")

    def _run_groups(self) -> None:
        for group, built in zip(self._ready.groups, self._modules, strict=True):
            self._group = group.name
            sys.modules[_TESTS] = built
            self._run(group, built.__dict__)

    def _open(self) -> tuple[str, str] | None:
        """Hear how loading went, and whether what the tests call is there."""
        message = self._conversation.opening()
        if message[0] == "syntax":
            return "syntax_error", str(message[1])
        if message[0] == "x":
            return self._failure(self._conversation.received(message))
        have, adapter = message[1], message[2]
        wanted = [self._ready.entry] if self._ready.entry else self._ready.names
        missing = [name for name in wanted if name not in have]
        self._opening = {
            "adapter": one_line(str(adapter), 80),
            "have": [name for name in self._ready.names if name in have],
        }
        if missing:
            return "missing_entry_point", f"the program defines no {missing[0]!r}"
        return None

    def _run(self, group: Group, names: dict[str, Any]) -> None:
        if group.code is not None:
            exec(group.code, names)  # noqa: S102 -- the problem's own code
            if group.calls_check:
                names["check"](names[self._ready.entry])
        for chunk in group.chunks:
            for part in chunk.singly(self._ready.entry) if self._apart else (chunk,):
                self._run_chunk(group, part)

    def _run_chunk(self, group: Group, chunk: Chunk) -> None:
        results, failure = self._conversation.batch(chunk.message, len(chunk.expected))
        for got, expected, arguments in zip(results, chunk.expected, chunk.arguments, strict=False):
            right = got == expected if chunk.digests else group.same(expected, got, arguments)
            if not right:
                self._checks.failed += 1
                raise AssertionError(self._difference(chunk, arguments, expected, got))
            self._calls_held += 1
        if failure is not None:
            raise failure

    def _difference(self, chunk: Chunk, arguments: Any, expected: Any, got: Any) -> str:
        call = f"check failed: {self._ready.entry}({', '.join(map(shown, arguments))})"[:200]
        if chunk.digests:
            return f"{call} -- the long result is another than expected"
        return f"{call} -- expected {shown(expected)}, got {shown(got)}"

    def _failure(self, error: BaseException) -> tuple[str, str]:
        """Name what ended the tests; a broken conversation stands above what it led to."""
        error = self._conversation.fault or error
        raised = self._conversation.is_remote(error)
        outcome = next((name for kind, name in _NAMED.items() if isinstance(error, kind)), "")
        if outcome:
            return outcome, _WORDS.get(outcome) or str(error)
        if raised:
            return _outcome_of(error), raised
        if isinstance(error, AssertionError):
            return "wrong_answer", _words(error).partition(": ")[2] or "an assertion failed"
        return "wrong_answer", f"the test stopped: {_words(error)}"


_NAMED: Final[dict[type[BaseException], str]] = {
    ChannelClosed: "gone",
    UnfitMessage: "unfit",
    Deviation: "deviated",
    MemoryError: "memory_limit",
}
_WORDS: Final = {
    "gone": "the program ended before the last check",
    "deviated": "the test went another way than with the reference",
    "memory_limit": "out of memory",
}


def _outcome_of(error: BaseException) -> str:
    """The outcome of an exception that the program raised and no test wanted."""
    if isinstance(error, SystemExit):
        return "exited"
    denied = isinstance(error, OSError) and error.errno in _DENIED
    return "forbidden" if denied else "exception"


_DENIED: Final = frozenset({errno.EPERM, errno.EACCES, errno.EROFS})


_WARMING: Final = """
def check(candidate):
    assert candidate([1, 2]) == [2.5, None], "note"
    assert candidate((1, "a")) == {"a": (1,)}
    try:
        candidate(lambda x: x)
    except ValueError:
        pass
    assert candidate() == 3
"""


_GROUP: Final[Json] = {
    "name": "",
    "setup": "import math",
    "code": _WARMING,
    "calls": [],
    "expected": [],
    "comparison": "equal",
    "tolerance": 0.0,
    "telling": [],
    "compiled": None,
}
_PLAN: Final[Json] = {
    "entry": "f",
    "names": ["f"],
    "modules": [],
    "context": "x = 1",
    "groups": [_GROUP],
    "mutated": {},
    "seed": 1,
    "foreseen": [["f", [[1, 2]], []]],
}
_REPLIES: Final[list[Json]] = [
    ["loaded", ["f"], "", [["r", [2.5, None], []]]],
    ["r", {"d": {"a": {"t": [1]}}}, []],
    ["x", ["ValueError", "Exception"], ["no"], "no"],
    ["r", 4, []],
]


def warm_up() -> None:
    """Go once the way that every check goes, so that no resident pays for first uses."""
    for _ in range(4):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            for reply in _REPLIES:
                Channel(theirs).send(reply)
            _report({"key": "inspected", "inspect": _PLAN}, None)
            channel = open_channel(ours.detach())
            dumps(_report({"key": "warm", "apart": False, "plan": _PLAN}, channel))
            channel.close()
    _ready.clear()
