"""Canonical JSON and content ids: equal content, equal bytes, equal id."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    r"""Write plain data as JSON in its one canonical form.

    Keys are sorted, there is no white space, and all text is ASCII, so that lone
    surrogates and NUL survive every file, database and terminal.

    Examples
    --------
    >>> canonical_json({"b": 1, "a": "é"})
    '{"a":"\\u00e9","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_id(value: Any) -> str:
    """Name plain data by its content: ``sha256:`` and 64 hexadecimal digits.

    Examples
    --------
    >>> content_id({})
    'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
    """
    return "sha256:" + hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()
