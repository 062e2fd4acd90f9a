"""Scalars and arrays of numpy in the codec; numpy itself is never imported here."""

from __future__ import annotations

import sys
from typing import Any, Final

_KINDS: Final = "biufcSU"
_SCALAR_KINDS: Final = "biuf"
_SCALAR_BYTES: Final = 8
_NAME_LENGTH: Final = 16


class NoArrayError(ValueError):
    """What should describe an array or a scalar does not."""


def written(value: Any) -> dict[str, Any] | None:
    """Write an array or a scalar of plain numbers or text; none for all else of numpy."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or dtype.kind not in _KINDS:
        return None
    if type(value).__name__ == "ndarray":
        return {"N": [dtype.str, list(value.shape), value.tobytes().hex()]}
    if dtype.kind in _SCALAR_KINDS and dtype.itemsize <= _SCALAR_BYTES:
        return {"G": [dtype.str, value.item()]}
    return None


def scalar(content: Any, _handle: object) -> Any:
    """Read a scalar; where numpy is not loaded, as the number that it is."""
    name, value = content
    numpy: Any = sys.modules.get("numpy")
    if type(value) not in (bool, int, float):
        raise NoArrayError("no scalar")
    return value if numpy is None else _dtype(numpy, name).type(value)


def array(content: Any, _handle: object) -> Any:
    """Read an array."""
    name, shape, text = content
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        raise NoArrayError("an array, but numpy is not at hand")
    flat = numpy.frombuffer(bytes.fromhex(text), _dtype(numpy, name))
    return flat.reshape([int(length) for length in shape]).copy()


def _dtype(numpy: Any, name: Any) -> Any:
    dtype = numpy.dtype(name) if type(name) is str and len(name) < _NAME_LENGTH else None
    if dtype is None or dtype.kind not in _KINDS or dtype.hasobject:
        raise NoArrayError("no plain dtype")
    return dtype
