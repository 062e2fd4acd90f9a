"""The checker's side of the conversation with a program's process.

A test calls a proxy as it would call the program. What comes back is plain data, or a proxy
of an object that stays in the program's process; proxies are equal to themselves alone.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from anyofk.judging.channel import Channel, ChannelClosed, UnfitMessage
from anyofk.judging.codec import CodecError, Json, decode, encode
from anyofk.judging.inside.raising import known_kind, made_exception
from anyofk.judging.inside.recording import Recorded
from anyofk.judging.inside.remotes import Remote, RemoteIterator, RemoteObject
from anyofk.judging.messages import one_line

MAX_ITERATOR: Final = 100_000
_REPLACED: Final[dict[type, Callable[[Any, Any], None]]] = {
    list: lambda old, new: old.__setitem__(slice(None), new),
    bytearray: lambda old, new: old.__setitem__(slice(None), new),
    dict: lambda old, new: (old.clear(), old.update(new))[0],
    set: lambda old, new: (old.clear(), old.update(new))[0],
}


class Deviation(BaseException):
    """The test makes another call than was foreseen, so the program has done what it must not."""


class Conversation:
    """All that is asked of one program, and what came back.

    Parameters
    ----------
    channel
        The connection to the program's process.
    mutated
        Per name the positions of the arguments that the reference mutates; none asks
        for all and records them, and the calls themselves.
    foreseen
        Calls that were sent with the program, as name, arguments and mutable positions.
    """

    def __init__(
        self,
        channel: Channel,
        mutated: dict[str, list[int]] | None,
        foreseen: list[Json],
    ) -> None:
        self._channel = channel
        self._asked = mutated
        self._foreseen = deque(foreseen)
        self._answers: deque[Json] = deque()
        self._plain = True
        self.recorded: list[Recorded] = []
        self.answered = 0
        self._back: dict[int, Callable[..., Any]] = {}
        self._depth = 0
        self.calls = 0
        self.mutated: dict[str, set[int]] = {}
        self.raised: list[tuple[BaseException, str]] = []
        self.fault: BaseException | None = None

    def opening(self) -> Json:
        """Wait for what the program says when it is loaded."""
        message = self._receive()
        if message[0] not in ("loaded", "syntax", "x"):
            raise self._unfit("an opening")
        if message[0] == "loaded":
            self._take_answers(message)
        return message

    def _take_answers(self, message: Json) -> None:
        if len(message) != 4 or type(message[3]) is not list:  # noqa: PLR2004 -- the form of an opening
            raise self._unfit("an opening")
        if len(message[3]) != len(self._foreseen):
            raise self._unfit("as many answers as calls")
        self._answers.extend(message[3])
        self.answered += len(message[3]) > 1

    def received(self, message: Json) -> BaseException:
        """Build the exception that the program raised while it was loaded."""
        return self._exception(message)

    def call(self, target: str | int, method: str, values: Any, named: Any) -> Any:
        """Call a name or an object of the program."""
        key = target if type(target) is str and not method else method
        asked = None if self._asked is None else self._asked.get(str(key), [])
        arguments = [encode(value, self._outgoing) for value in values]
        keywords = {name: encode(value, self._outgoing) for name, value in named.items()}
        if self._answers:
            planned, answer = self._foreseen.popleft(), self._answers.popleft()
            if planned[:2] != [target, arguments] or method or keywords:
                raise self._deviation()
            return self._answered(answer, values, str(key))
        request = ["call", target, method, arguments, keywords, asked]
        if self._asked is None:
            return self._recording(request, values, str(key))
        return self._ask(request, values, str(key))

    def _recording(self, request: Json, values: Any, key: str) -> Any:
        """Ask, and note a call of plain data, until the first that is not."""
        _, target, method, arguments, keywords, _ = request
        plain = type(target) is str and not (self._back or method or keywords)
        self._plain = self._plain and plain
        if not self._plain:
            return self._ask(request, values, key)
        recorded = Recorded([target, deepcopy(arguments)])
        self.recorded.append(recorded)
        result = self._ask(request, values, key)
        recorded.note(result)
        return result

    def _deviation(self) -> Deviation:
        self.fault = Deviation()
        return self.fault

    def _answered(self, answer: Json, values: Any, key: str) -> Any:
        """Take the answer to a foreseen call as if it came now."""
        self.calls += 1
        if type(answer) is not list or not answer or answer[0] not in ("r", "x"):
            raise self._unfit("a reply to call")
        if answer[0] == "x":
            raise self._exception(answer)
        if len(answer) != 3:  # noqa: PLR2004 -- the form of a reply
            raise self._unfit("a reply to call")
        self._mutate(answer[2], values, key)
        return self._decoded(answer[1])

    def next(self, target: int) -> Any:
        """Ask an iterator for its next value; only here may the answer be that it ended."""
        return self._ask(["next", target], (), "")

    def get(self, target: str | int, name: str) -> Any:
        """Read an attribute."""
        return self._ask(["get", target, name], (), "")

    def true(self, target: str | int) -> bool:
        """Ask for the truth of an object, as ``if`` does."""
        return self._ask(["true", target], (), "") is True

    def set(self, target: str | int, name: str, value: Any) -> None:
        """Set an attribute."""
        self._ask(["set", target, name, encode(value, self._outgoing)], (), "")

    def batch(self, frame: bytes, count: int) -> tuple[list[Any], BaseException | None]:
        """Send many calls in one message; the results until the first that raised."""
        self._guard(lambda: self._channel.send_frame(frame))
        message = self._receive()
        if message[0] != "b" or len(message) != 3 or type(message[1]) is not list:  # noqa: PLR2004 -- the form of a batch
            raise self._unfit("a reply to calls")
        results, failure = message[1], message[2]
        if len(results) > count or (failure is None and len(results) < count):
            raise self._unfit("as many results as calls")
        self.calls += len(results) + (failure is not None)
        self.answered += count > 1
        return [self._decoded(r) for r in results], failure and self._exception(failure)

    def is_remote(self, error: BaseException) -> str:
        """The name of the exception if the program raised it, else nothing."""
        return next((name for raised, name in self.raised if raised is error), "")

    def _ask(self, request: Json, values: Any, key: str) -> Any:
        self._depth += 1
        try:
            self._guard(lambda: self._channel.send(request))
            return self._answer(request[0], values, key)
        finally:
            self._depth -= 1
            if not self._depth:
                self._back.clear()

    def _answer(self, operation: str, values: Any, key: str) -> Any:
        while True:
            message = self._receive()
            kind = message[0]
            if kind in ("r", "x"):
                return self._answered(message, values, key)
            if kind == "stop" and operation == "next":
                raise StopIteration
            if kind != "back" or operation == "batch":
                raise self._unfit(f"a reply to {operation}")
            self._called_back(message)

    def _called_back(self, message: Json) -> None:
        try:
            _, number, values, named = message
            function = self._back[number]
            arguments = [decode(value, self._remote) for value in values]
            keywords = {key: decode(value, self._remote) for key, value in named.items()}
        except (ValueError, TypeError, LookupError, AttributeError):
            raise self._unfit("a call of a live call-back") from None
        try:
            reply = ["r", encode(function(*arguments, **keywords), self._outgoing)]
        except Exception as error:  # noqa: BLE001 -- the test's own exception goes to the program
            reply = ["x", type(error).__name__, str(error)[:500]]
        self._guard(lambda: self._channel.send(reply))

    def _mutate(self, changes: Json, values: Any, key: str) -> None:
        """Carry changes of arguments over, for positions that were asked for."""
        allowed = None if self._asked is None else self._asked.get(key, [])
        try:
            for index, change in changes:
                old, new = values[index], self._decoded(change)
                if type(old) is not type(new) or (allowed is not None and index not in allowed):
                    raise self._unfit("a changed argument")
                _REPLACED[type(old)](old, new)
                self.mutated.setdefault(key, set()).add(index)
        except (TypeError, ValueError, LookupError):
            raise self._unfit("a changed argument") from None

    def _exception(self, message: Json) -> BaseException:
        try:
            _, kinds, arguments, text = message
            name, kind = one_line(str(kinds[0]), 80), known_kind(kinds)
            values = [decode(argument) for argument in arguments]
        except (TypeError, ValueError, LookupError):
            raise self._unfit("an exception") from None
        error = made_exception(kind, values)
        self.raised.append((error, f"{name}: {one_line(str(text), 300)}"))
        return error

    def _decoded(self, data: Json) -> Any:
        try:
            return decode(data, self._remote)
        except CodecError as error:
            raise self._unfit(f"data ({error})") from None

    def _remote(self, handle: Json) -> Remote:
        number, kind, name = handle
        if type(number) is not int or type(name) is not str:
            raise CodecError("no handle")
        made = RemoteIterator if kind == "iterator" else RemoteObject
        return made(self, number, one_line(name, 60))

    def _outgoing(self, value: Any) -> Json:
        """Name what is no data: an object of the program, or a call-back of the test."""
        if isinstance(value, Remote):
            self._plain = False
            return {"H": ["own", object.__getattribute__(value, "_target")]}
        if hasattr(value, "__next__"):
            self._plain = False
            items = list(itertools.islice(value, MAX_ITERATOR + 1))
            if len(items) > MAX_ITERATOR:
                raise CodecError("an iterator without end")
            return {"H": ["iterator", encode(items, self._outgoing)]}
        if not callable(value):
            raise CodecError(f"{type(value).__name__} of the test is no plain data")
        self._back[id(value)] = value
        return {"H": ["back", id(value)]}

    def _receive(self) -> Json:
        message = self._guard(self._channel.receive)
        if type(message) is not list or not message or type(message[0]) is not str:
            raise self._unfit("a message")
        return message

    def _guard(self, action: Callable[[], Any]) -> Any:
        """Remember that the conversation ended, whatever the test swallows."""
        if self.fault is not None:
            raise self.fault
        try:
            return action()
        except (ChannelClosed, UnfitMessage) as error:
            self.fault = error
            raise

    def _unfit(self, wanted: str) -> UnfitMessage:
        self.fault = UnfitMessage(f"the program's process sent something else than {wanted}")
        return self.fault
