"""The candidate's side of mode ``isolated``: load the program, then serve the checker's calls.

Everything here shares its process with the program, so nothing here decides anything: it
knows no test, no expected value and no secret, and the checker trusts no byte of it.
"""

from __future__ import annotations

import builtins
import marshal
import socket
import types
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from anyofk.judging.channel import Channel, ChannelClosed, UnfitMessage
from anyofk.judging.codec import CodecError, Json, decode, dumps, encode
from anyofk.judging.digests import digest
from anyofk.judging.inside.program import Uncompilable, adapted, compiled, module, seed
from anyofk.sandbox.job import open_channel

MAX_TEXT: Final = 2000
BEGUN: Final = b"."
"""Reported when the first of several calls that came together is answered."""
_MAX_ARGUMENTS: Final = 1 << 16
_MUTABLE: Final = (list, dict, set, bytearray)
_EXCEPTIONS: Final[dict[str, type[BaseException]]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def serve(job: Any) -> None:
    """Run one candidate: the body of a one-shot job."""
    order = marshal.loads(job.payload)  # noqa: S302 -- our own parent wrote it
    service = Service(Channel(job.channel), job.report)
    try:
        service.load(order)
        while service.channel.is_open():
            service.answer(service.channel.receive())
    except (ChannelClosed, UnfitMessage):
        return


class Service:
    """One program's names and objects, and the conversation about them."""

    def __init__(self, channel: Channel, report: Callable[[bytes], object]) -> None:
        self.channel = channel
        self._report = report
        self.names: dict[str, Any] = {}
        self.objects: dict[int, Any] = {}
        self._operations: dict[str, Callable[[Any], Json]] = {
            "call": self._call,
            "batch": self._batch,
            "next": self._next,
            "get": self._get,
            "set": self._set,
            "true": self._true,
        }

    def load(self, order: Json) -> None:
        """Execute the program; say which of the wanted names it has, and answer what is foreseen.

        Calls that the tests will make by all that is known are made at once, and their
        answers go with the first message: it saves a round trip for each.
        """
        self.names = module().__dict__
        try:
            code = compiled(order["program"])
            if "random" in order["program"]:
                seed(order["seed"])
            exec(code, self.names)  # noqa: S102 -- this process exists to run it
            adapter = adapted(self.names, order["names"])
            have = [name for name in order["names"] if name in self.names]
            answers = self._ahead(order["foreseen"])
            self.channel.send(["loaded", have, adapter, answers])
        except Uncompilable as error:
            self.channel.send(["syntax", str(error)[:MAX_TEXT]])
        except (ChannelClosed, UnfitMessage):
            raise
        except BaseException as error:  # noqa: BLE001 -- whatever a program raises is told
            self.channel.send(described(error))

    def answer(self, request: Json) -> None:
        """Do what one request asks, and send the reply."""
        try:
            reply = self._operations[request[0]](request)
            self.channel.send(reply)
        except (ChannelClosed, UnfitMessage):
            raise
        except BaseException as error:  # noqa: BLE001 -- whatever a program raises is told
            self.channel.send(described(error))

    def _ahead(self, calls: list[Json]) -> list[Json]:
        """Make the calls that are foreseen; tell when there is an answer that waits for others."""
        answers = []
        for call in calls:
            answers.append(self._foreseen(call))
            if len(answers) == 1 < len(calls):
                self._report(BEGUN)
        return answers

    def _foreseen(self, call: Json) -> Json:
        target, arguments, mutable = call
        try:
            return self._call(["call", target, "", arguments, {}, mutable])
        except (ChannelClosed, UnfitMessage):
            raise
        except BaseException as error:  # noqa: BLE001 -- whatever a program raises is told
            return described(error)

    def _call(self, request: Json) -> Json:
        _, target, method, arguments, keywords, mutable = request
        function = self._target(target)
        if method:
            function = getattr(function, method)
        values = [decode(argument, self._received) for argument in arguments]
        named = {key: decode(value, self._received) for key, value in keywords.items()}
        # Decoding may hand a flat list on as it is: what the call changes must not change this.
        before = deepcopy(arguments) if mutable is None else arguments
        result = self._encode(function(*values, **named))
        return ["r", result, self._mutated(values, before, mutable)]

    def _mutated(self, values: list[Any], before: list[Json], asked: Json) -> list[Json]:
        """Send back the arguments that were asked for, or all mutable ones that changed."""
        if asked is not None:
            return [[i, self._encode(values[i])] for i in asked if i < len(values)]
        changed = []
        for index, value in enumerate(values):
            if type(value) in _MUTABLE and self._encode(value) != before[index]:
                changed.append([index, self._encode(value)])
        return changed

    def _batch(self, request: Json) -> Json:
        """Call a function on many lists of arguments, until one raises."""
        function, results = self._target(request[1]), []
        written = digest if request[3] else self._encode
        for arguments in request[2]:
            try:
                result = function(*[decode(argument) for argument in arguments])
                results.append(written(result))
            except CodecError:
                results.append("")
            except (ChannelClosed, UnfitMessage):
                raise
            except BaseException as error:  # noqa: BLE001 -- whatever a program raises is told
                return ["b", results, described(error)]
            if len(results) == 1 < len(request[2]):
                self._report(BEGUN)
        return ["b", results, None]

    def _next(self, request: Json) -> Json:
        try:
            return ["r", self._encode(next(self._target(request[1]))), []]
        except StopIteration:
            return ["stop"]

    def _get(self, request: Json) -> Json:
        return ["r", self._encode(getattr(self._target(request[1]), request[2])), []]

    def _set(self, request: Json) -> Json:
        setattr(self._target(request[1]), request[2], decode(request[3], self._received))
        return ["r", None, []]

    def _true(self, request: Json) -> Json:
        return ["r", bool(self._target(request[1])), []]

    def _target(self, target: Json) -> Any:
        return self.names[target] if type(target) is str else self.objects[target]

    def _encode(self, value: Any) -> Json:
        try:
            return encode(value, self._handle)
        except CodecError:
            return self._handle(value)

    def _handle(self, value: Any) -> Json:
        """Keep what is no data, and name it."""
        self.objects[id(value)] = value
        kind = "iterator" if hasattr(type(value), "__next__") else "object"
        return {"H": [id(value), kind, type(value).__name__]}

    def _received(self, handle: Json) -> Any:
        """Build what an argument's handle stands for: our own object, or a call-back."""
        kind, number = handle
        if kind == "own":
            return self.names[number] if type(number) is str else self.objects[number]
        if kind == "iterator":
            return iter(decode(number, self._received))

        def call_back(*arguments: Any, **keywords: Any) -> Any:
            values = [self._encode(value) for value in arguments]
            named = {key: self._encode(value) for key, value in keywords.items()}
            self.channel.send(["back", number, values, named])
            return self._reply()

        return call_back

    def _reply(self) -> Any:
        """Serve requests until the reply to a call-back comes."""
        while True:
            message = self.channel.receive()
            if message[0] == "r":
                return decode(message[1], self._received)
            if message[0] == "x":
                raise _EXCEPTIONS.get(message[1], RuntimeError)(message[2])
            self.answer(message)


def described(error: BaseException) -> Json:
    """Say what was raised; an exception that can't even be described is still one."""
    try:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        text = str(error)[:MAX_TEXT]
        arguments = _plain_arguments(error)
        message = ["x", kinds, arguments, text]
        dumps(message)
    except BaseException:  # noqa: BLE001 -- hostile __str__, __name__, args
        return ["x", ["Exception"], [], ""]
    return message


def _plain_arguments(error: BaseException) -> list[Json]:
    if isinstance(error, BaseExceptionGroup):
        return [error.message[:MAX_TEXT], [type(member).__name__ for member in error.exceptions]]
    try:
        arguments = [encode(argument) for argument in error.args]
    except (CodecError, TypeError):
        return [str(error)[:MAX_TEXT]]
    return arguments if len(dumps(arguments)) < _MAX_ARGUMENTS else []


_WARMING: Final = """
from typing import List
import math
def f(xs: List[int], key=None) -> list:
    if key:
        return [key(x) for x in xs]
    return sorted(xs) + [math.pi]
def g():
    raise ValueError("no")
"""


def warm_up() -> None:
    """Go once the way that every candidate goes, so that no child pays for first uses."""
    requests: list[Json] = [
        ["call", "f", "", [[2, 1]], {}, []],
        ["call", "f", "", [{"t": [1, "a"]}], {}, [0]],
        ["call", "g", "", [], {}, None],
        ["batch", "f", [[[3, 1.5]], [[1]]], False],
    ]
    for _ in range(20):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            for request in requests:
                Channel(theirs).send(request)
            theirs.shutdown(socket.SHUT_WR)
            channel = open_channel(ours.detach())
            foreseen = [["f", [[1]], []], ["g", [], []]]
            names = ["f", "g"]
            order = {"program": _WARMING, "names": names, "seed": 1, "foreseen": foreseen}
            serve(types.SimpleNamespace(payload=marshal.dumps(order), channel=channel, report=len))
