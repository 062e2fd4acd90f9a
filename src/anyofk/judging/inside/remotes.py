"""Names and objects of the program as the tests see them: proxies, equal to themselves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyofk.judging.inside.conversation import Conversation


class Remote:
    """An object, function or class of the program. Equal to itself alone."""

    __slots__ = ("__name__", "_conversation", "_kind", "_target")

    def __init__(self, conversation: Conversation, target: str | int, kind: str) -> None:
        object.__setattr__(self, "_conversation", conversation)
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "__name__", str(target))

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Call it in the program's process."""
        return self._conversation.call(self._target, "", values, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._conversation.get(self._target, name)

    def __bool__(self) -> bool:
        return type(self._target) is str or self._conversation.true(self._target)

    def __setattr__(self, name: str, value: Any) -> None:
        self._conversation.set(self._target, name, value)


class RemoteIterator(Remote):
    """An iterator of the program."""

    __slots__ = ()

    def __iter__(self) -> RemoteIterator:
        return self

    def __next__(self) -> Any:
        """Ask for the next value."""
        return self._conversation.next(self._target)


class RemoteObject(Remote):
    """Any other object of the program, with the operators of its class."""

    __slots__ = ()


def _forwarded(method: str) -> Callable[..., Any]:
    def forward(self: Remote, *values: Any) -> Any:
        try:
            return self._conversation.call(self._target, method, values, {})
        except AttributeError as error:
            raise TypeError(str(error)) from None

    forward.__name__ = method
    return forward


def _among_themselves(method: str) -> Callable[..., Any]:
    """Forward an operator between two objects of the program, and no other.

    ``abs(got - want) < eps`` would tell the program what is wanted, and take its word for
    the difference.
    """
    forward = _forwarded(method)

    def operate(self: Remote, other: Any) -> Any:
        return forward(self, other) if isinstance(other, Remote) else NotImplemented

    return operate


for _method in ("len", "getitem", "setitem", "delitem", "iter", "neg", "str", "repr"):
    setattr(RemoteObject, f"__{_method}__", _forwarded(f"__{_method}__"))
for _method in ("add", "sub", "mul", "truediv"):
    setattr(RemoteObject, f"__{_method}__", _among_themselves(f"__{_method}__"))
