"""Manifests: everything that could move a run's numbers, frozen and named by its content."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from anyofk.records.canonical import content_id


@dataclass(frozen=True)
class Manifest:
    """A frozen configuration: plain data with a content id.

    Examples
    --------
    >>> a, b = Manifest({"limits": {"time": 3}}), Manifest({"limits": {"time": 6}})
    >>> a.differences(b)
    ['limits.time: 3, now 6']
    """

    content: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def content_id(self) -> str:
        """The run's identity."""
        return content_id(self.content)

    def differences(self, other: Manifest) -> list[str]:
        """Name every entry that differs: ``path: ours, now theirs``."""
        ours, theirs = _flat(self.content), _flat(other.content)
        return [
            f"{path}: {ours.get(path, 'absent')}, now {theirs.get(path, 'absent')}"
            for path in sorted(ours.keys() | theirs.keys())
            if ours.get(path, _ABSENT) != theirs.get(path, _ABSENT)
        ]


_ABSENT = object()


def _flat(content: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested mappings to dotted paths."""
    flat: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat
