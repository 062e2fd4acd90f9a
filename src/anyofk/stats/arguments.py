"""Counts and budgets at the door: widened, checked and broadcast once, for all formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from anyofk.errors import TooFewDrawsError, UsageError, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LARGEST = 2**53
"""Beyond this a float64 can't hold every integer, so a count could change unnoticed."""


def whole_numbers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Widen integers, or floats that are integers, to int64; refuse anything else.

    Narrow types are widened first because ``n - c`` in uint8 wraps around.
    """
    given = np.asarray(values)
    if given.size == 0:
        return given.astype(np.int64)
    if given.dtype == np.bool_:
        raise UsageError(
            f"{name} must be a count, got bool",
            hint="sum the outcomes of each problem first",
            name=name,
        )
    if given.dtype.kind not in "iuf":
        given = _from_objects(given, name)
    if given.dtype.kind == "f":
        _refuse(~(np.isfinite(given) & (given == np.floor(given))), given, f"{name} is no integer")
    _refuse(np.abs(given) > LARGEST, given, f"{name} is larger than 2**53")
    return given.astype(np.int64)


def _from_objects(given: NDArray[Any], name: str) -> NDArray[Any]:
    """Take Python integers out of an object array; anything else has no order or size."""
    entries = given.ravel().tolist()
    for entry in entries:
        if isinstance(entry, bool) or not isinstance(entry, int):
            raise UsageError(f"{name} must be a count, got {shown(entry)}", name=name)
        if abs(entry) > LARGEST:
            raise UsageError(f"{name} is larger than 2**53: {shown(entry)}", name=name)
    return np.array(entries, dtype=np.int64).reshape(given.shape)


def _refuse(wrong: NDArray[np.bool_], given: NDArray[Any], complaint: str) -> None:
    """Raise the complaint with the first wrong value and its place."""
    if np.any(wrong):
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        value = given[place]
        where = f" at {place if len(place) > 1 else place[0]}" if place else ""
        raise UsageError(f"{complaint}: {value}{where}", value=value.item(), place=place)


def counts(n: ArrayLike, c: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bring candidates judged and candidates passed to one shape, with 0 <= c <= n."""
    judged, passed = whole_numbers(n, "n"), whole_numbers(c, "c")
    try:
        judged, passed = np.broadcast_arrays(judged, passed)
    except ValueError as error:
        raise UsageError(f"n has shape {judged.shape} and c has shape {passed.shape}") from error
    _refuse(judged < 0, judged, "n is negative")
    _refuse(passed < 0, passed, "c is negative")
    if np.any(passed > judged):
        place = tuple(int(i) for i in np.argwhere(passed > judged)[0])
        raise UsageError(
            f"c={passed[place]} passed of n={judged[place]} judged",
            hint="the order of arguments is (n, c, k)",
            n=int(judged[place]),
            c=int(passed[place]),
            place=place,
        )
    return judged, passed


def budgets(k: ArrayLike) -> NDArray[np.int64]:
    """Read the number of attempts allowed: one integer or a list of them, each at least 1."""
    attempts = whole_numbers(k, "k")
    if attempts.ndim > 1:
        raise UsageError(f"k must be one integer or a list of them, got shape {attempts.shape}")
    _refuse(attempts < 1, attempts, "k must be at least 1")
    return attempts


def enough_draws(
    n: NDArray[np.int64], k: int, *, what: str = "pass@{k}", insufficient: str = "raise"
) -> NDArray[np.bool_]:
    """Tell which problems have at least k draws; refuse if some have not, unless told ``nan``.

    An expectation of any function of c is a polynomial of degree at most n in p,
    and pass@k is one of degree k, so that nothing unbiased exists for k > n.
    """
    if insufficient not in ("raise", "nan"):
        raise UsageError(f"insufficient must be 'raise' or 'nan', got {insufficient!r}")
    enough = np.asarray(n >= k)
    if insufficient == "raise" and not enough.all():
        raise _too_few(n[~enough], n.size, k, what.format(k=k))
    return enough


def _too_few(short: NDArray[np.int64], problems: int, k: int, what: str) -> TooFewDrawsError:
    smallest = int(short.min())
    whose = (
        f"got n={smallest}"
        if problems == 1
        else f"but {short.size} of {problems} problems have fewer (smallest n={smallest})"
    )
    return TooFewDrawsError(
        f"{what} needs at least {k} draws of each problem, {whose}",
        hint=f"draw more or ask for less; no unbiased estimator exists beyond n (here {smallest})",
        k=k,
        problems=int(short.size),
        smallest_n=smallest,
    )
