"""A problem's draws cut into runs of neighbours, as if each had been drawn together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARTS: Final = 4


def blocks(n: int) -> NDArray[np.int64]:
    """Number n draws by the quarter that they lie in.

    Examples
    --------
    >>> blocks(8).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    return np.arange(n, dtype=np.int64) * PARTS // max(n, 1)
