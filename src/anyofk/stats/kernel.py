"""The chance that k of n candidates, c of which pass, hold no pass: U = C(n-c, k) / C(n, k).

U is symmetric in c and k, so that it is a product of min(c, k) fractions:

    U = prod over i < min(c, k) of (n - max(c, k) - i) / (n - i)

Two ways to multiply. The quick one rounds twice a group of factors, where a group's
numerator and denominator are exact integers below 2**53; it serves while there are few
groups and U is below a half. The careful one carries the rounding error of each step in a
second float64, so that ``1 - U`` keeps its digits when it is tiny. Logarithms of gamma
functions lose them all (an error of 2e18 units in the last place was measured).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

QUICK_GROUPS = 32  # 64 roundings stay below 16 units in the last place with room to spare
BLOCK = 1 << 14  # entries worked on at once: they stay in the second-level cache
CELLS = 1 << 18  # entries of the careful way's factor table at once: 2 MB each
SMALLEST_LOG = -760.0  # exp of this is 0 in float64, subnormal numbers included
EXACT_FROM = 0.5  # from here on 1 - U is exact, so that it lacks only what U lacks (Sterbenz)
SPLITTER = 134217729.0  # 2**27 + 1: Veltkamp's constant halves a float64's 53 bits


def fail_and_pass(n: Ints, c: Ints, k: int) -> tuple[Floats, Floats]:
    """Give U and 1 - U of one k for 1-D counts in descending order of c, all n >= k.

    Both are accurate to a few units in the last place; U is 0 where n - c < k.
    """
    small, large = np.minimum(c, k), np.maximum(c, k)
    group = _group_size(int(n.max(initial=1)))
    long = int(np.count_nonzero(small > QUICK_GROUPS * group))
    fail = np.zeros(n.shape)
    for start in range(long, n.size, BLOCK):
        part = slice(start, min(start + BLOCK, n.size))
        fail[part] = _quick(n[part], small[part], large[part], group)
    succeed = 1.0 - fail
    careful = (fail >= EXACT_FROM) & (c > 0)
    careful[:long] = (n - large >= small)[:long]
    fail[careful], succeed[careful] = _careful(n[careful], small[careful], large[careful], group)
    return fail, succeed


def _group_size(largest: int) -> int:
    """Count the integers up to the largest whose product is exact in float64."""
    return max(1, 53 // max(1, largest.bit_length()))


def _quick(n: Ints, small: Ints, large: Ints, group: int) -> Floats:
    """Multiply factor by factor for all entries; those with few factors drop out at the end."""
    below = n.astype(np.float64)
    above = below - large
    fail = np.ones(n.shape)
    steps = int(small.max(initial=0))
    active = np.searchsorted(-small, -np.arange(steps), side="left")
    for first in range(0, steps, group):
        live = int(active[first])
        numerator, denominator = np.ones(live), np.ones(live)
        for i in range(first, min(first + group, steps)):
            some = int(active[i])
            numerator[:some] *= above[:some] - i
            denominator[:some] *= below[:some] - i
        fail[:live] *= numerator / denominator
    return np.abs(fail)  # a zero factor may be followed by negative ones


def _careful(n: Ints, small: Ints, large: Ints, group: int) -> tuple[Floats, Floats]:
    """Multiply by a tree in twofold precision, a table of factors at a time."""
    fail, succeed = np.zeros(n.shape), np.ones(n.shape)
    order = np.argsort(small, kind="stable")
    order = order[small[order] * np.log1p(-large[order] / n[order]) > SMALLEST_LOG]
    groups = -(-small[order] // group)
    start = 0
    while start < order.size:
        window = groups[start : start + CELLS]
        cells = window * np.arange(1, window.size + 1)  # groups ascend: the last row is the widest
        rows = order[start : start + max(1, int(np.count_nonzero(cells <= CELLS)))]
        high, low = _product(*_factors(n[rows], small[rows], large[rows], group))
        fail[rows] = high + low
        succeed[rows] = (1.0 - high) - low  # exact while high is at least a half
        start += rows.size
    return fail, succeed


def _factors(n: Ints, small: Ints, large: Ints, group: int) -> tuple[Floats, Floats]:
    """Lay out each entry's factors in groups, as exact numerators and denominators."""
    width = -(-int(small.max()) // group)
    numerator = np.ones((n.size, width))
    denominator = np.ones((n.size, width))
    first = np.arange(width, dtype=np.int64) * group
    for i in range(min(group, int(small.max()))):
        live = first + i < small[:, None]
        numerator *= np.where(live, (n - large)[:, None] - (first + i), 1)
        denominator *= np.where(live, n[:, None] - (first + i), 1)
    return numerator, denominator


def _product(numerator: Floats, denominator: Floats) -> tuple[Floats, Floats]:
    """Multiply the fractions of each row; the result is the sum of its two parts."""
    high = numerator / denominator
    product, error = exact_product(high, denominator)
    low = ((numerator - product) - error) / denominator
    while high.shape[1] > 1:
        if high.shape[1] % 2:
            high = np.pad(high, ((0, 0), (0, 1)), constant_values=1.0)
            low = np.pad(low, ((0, 0), (0, 1)))
        left, right = high[:, ::2], high[:, 1::2]
        product, error = exact_product(left, right)
        low = error + (left * low[:, 1::2] + low[:, ::2] * right)
        high = product
    return high[:, 0], low[:, 0]


def exact_product(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Give the rounded product and its rounding error, exactly (Dekker 1971)."""
    product = x * y
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(y)
    error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, error


def _halves(x: Floats) -> tuple[Floats, Floats]:
    """Split into two numbers of at most 26 bits each (Veltkamp 1968)."""
    scaled = SPLITTER * x
    high = scaled - (scaled - x)
    return high, x - high
