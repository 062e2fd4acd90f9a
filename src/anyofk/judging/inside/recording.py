"""The calls of a test as the reference's run shows them, with what they returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anyofk.judging.codec import CodecError, Json, encode


@dataclass
class Recorded:
    """One call of plain data that the reference was asked for, and what it returned."""

    call: Json
    result: Json = None

    def note(self, result: Any) -> None:
        """Write the result as an argument would be written; what is no data as none."""
        try:
            self.result = encode(result)
        except CodecError:
            self.result = None
