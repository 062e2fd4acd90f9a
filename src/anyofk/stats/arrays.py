"""Groups of rewards in numpy, torch, jax or another array library, read the same way.

Tables of numbers are made in float64 on the host and moved to the rewards' device and type.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Group:
    """Groups of candidates on the last axis, of which some may not count."""

    xp: Any
    rewards: Any  # 0 where one doesn't count
    counted: Any
    sizes: NDArray[np.int64]  # on the host: the candidates that count, shape of the other axes
    known_binary: bool

    @property
    def exact(self) -> bool:
        """Tell whether the rewards are fractions."""
        return self.xp is _NUMPY and self.rewards.dtype == object

    @cached_property
    def distinct_sizes(self) -> list[int]:
        """List the sizes of groups that occur, ascending."""
        return [int(size) for size in np.unique(self.sizes)]

    def is_binary(self) -> bool:
        """Look at the rewards, if need be, whether all are 0 or 1."""
        either = (self.rewards == 0) | (self.rewards == 1)
        return self.known_binary or bool(self.xp.all(either))

    def order(self) -> Any:
        """Sort ascending; those who don't count come first."""
        if self.exact:
            first = np.min(self.rewards, axis=-1, keepdims=True) - 1
        else:
            first = self.rewards * 0 - float("inf") * self.xp.ones_like(self.rewards)
        return self.xp.argsort(self.xp.where(self.counted, self.rewards, first), axis=-1)

    def running_sum(self, terms: Any) -> Any:
        """Add up along the last axis."""
        add_up = getattr(self.xp, "cumulative_sum", None) or self.xp.cumsum
        return add_up(terms, axis=-1)

    def rows(self, tables: Sequence[NDArray[Any]]) -> Any:
        """Give each group the table of its size, aligned at the best rank."""
        width = self.rewards.shape[-1]
        zero = tables[0].ravel()[:1] * 0
        padded = [np.concatenate([np.repeat(zero, width - len(t)), t]) for t in tables]
        return self.numbers(padded)

    def numbers(self, tables: Sequence[Any]) -> Any:
        """Give each group the row of its size, of one width for all sizes."""
        table = np.array(tables, dtype=object if self.exact else np.float64)
        if len(table) == 1:
            return self._moved(table[0])
        return self._moved(table[np.searchsorted(self.distinct_sizes, self.sizes)])

    def look_up(self, tables: Sequence[NDArray[Any]], index: Any) -> Any:
        """Read for each group the entry at its index, in the table of its size."""
        starts = np.concatenate([[0], np.cumsum([len(t) for t in tables])])[:-1]
        start = starts[np.searchsorted(self.distinct_sizes, self.sizes)]
        flat = self._moved(np.concatenate(tables))
        place = index + self.xp.asarray(start, dtype=index.dtype, **self._device())
        taken = self.xp.take(flat, self.xp.reshape(place, (-1,)), axis=0)
        return self.xp.reshape(taken, place.shape)

    def _moved(self, table: NDArray[Any]) -> Any:
        return self.xp.asarray(table, dtype=self.rewards.dtype, **self._device())

    def _device(self) -> dict[str, Any]:
        return _device(self.xp, self.rewards)


def read_group(rewards: Any, mask: ArrayLike | None) -> Group:
    """Find the array library, who counts, and whether the rewards are known to be 0/1."""
    xp, given = _library(rewards)
    if given.ndim == 0 or given.shape[-1] == 0:
        raise UsageError("rewards need a last axis: the candidates of a group")
    counted = _counted(xp, given, mask)
    is_bool = given.dtype == xp.bool
    whole = given.dtype != object and (is_bool or xp.isdtype(given.dtype, "integral"))
    if given.dtype == object:
        given, counted = _judged(given, counted)
    elif whole:
        given = xp.where(counted, xp.astype(given, _float_type(xp)), 0.0)
    else:
        given, counted = _finite(xp, given, counted)
    if mask is None and whole:  # all count; nothing need be copied from the device to know it
        sizes = np.full(given.shape[:-1], given.shape[-1])
    else:
        sizes = _on_host(xp.sum(xp.astype(counted, xp.int32), axis=-1))
    binary = is_bool or (xp is _NUMPY and bool(np.all((given == 0) | (given == 1))))
    return Group(xp, given, counted, sizes, binary)


def _counted(xp: Any, given: Any, mask: ArrayLike | None) -> Any:
    """Read the mask; without one all count."""
    if mask is None:
        return xp.ones_like(given, dtype=xp.bool)
    counted = xp.asarray(mask, **_device(xp, given))
    if counted.dtype != xp.bool or counted.shape != given.shape:
        raise UsageError(f"mask must be bool of shape {tuple(given.shape)}")
    return counted


def _finite(xp: Any, given: Any, counted: Any) -> tuple[Any, Any]:
    """Leave out nan, and refuse an infinite reward, which no difference can be taken from."""
    counted = counted & ~xp.isnan(given)
    given = xp.where(counted, given, xp.zeros_like(given))
    if bool(xp.any(xp.isinf(given))):
        raise UsageError("rewards hold an infinite value", hint="clip them, or mask it")
    return given, counted


def _judged(given: NDArray[Any], counted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Leave out None; what is left is fractions, or plain numbers beside a None."""
    counted = counted & np.array([v is not None for v in given.ravel()]).reshape(given.shape)
    filled = np.where(counted, given, 0)
    plain = all(isinstance(value, int | float) for value in filled.ravel())
    return (filled.astype(np.float64) if plain else filled), counted


def _device(xp: Any, like: Any) -> dict[str, Any]:
    device = None if xp is _NUMPY else getattr(like, "device", None)  # what is traced has none
    return {} if device is None else {"device": device}


def _on_host(array: Any) -> NDArray[Any]:
    """Copy to numpy, from whatever device."""
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


def _float_type(xp: Any) -> Any:
    return xp.asarray(0.5).dtype


def _library(rewards: Any) -> tuple[Any, Any]:
    """Name the library of an array and the array itself; anything else becomes numpy's."""
    if isinstance(rewards, np.ndarray | list | tuple) or not hasattr(rewards, "dtype"):
        return _NUMPY, np.asarray(rewards)
    try:
        from array_api_compat import array_namespace  # noqa: PLC0415 -- optional
    except ImportError:
        native = getattr(rewards, "__array_namespace__", None)
        return (native(), rewards) if native else (_NUMPY, np.asarray(rewards))
    return array_namespace(rewards), rewards


_NUMPY: Any = np
