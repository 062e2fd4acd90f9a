"""What must be the same in two runs before their numbers may be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from anyofk.errors import UnlikeRunsError
from anyofk.records import Counts, Manifest

IDENTITY: Final = frozenset(
    {
        *("model", "model_name", "provider", "revision", "fingerprint", "system_fingerprint"),
        *("seed", "digest", "name", "created", "run", "deterministic", "dependence"),
    }
)
"""What two runs may differ in: whose candidates they are. ``deterministic`` and
``dependence`` follow from the settings, which are compared themselves."""
SURROUNDINGS: Final = ("packages.", "machine", "judging.machine", "judging.interpreter")
"""What seldom moves a verdict: said, not refused."""
NAMED: Final = 3


@dataclass(frozen=True)
class Side:
    """One of the runs that are compared.

    Attributes
    ----------
    name
        What it is called in messages and tables.
    counts
        Its counts by problem.
    manifest
        What was frozen, where it is known; plain counts have none.
    """

    name: str
    counts: Mapping[str, Counts]
    manifest: Manifest | None = None

    @property
    def deterministic(self) -> bool:
        """Whether its draws could not differ."""
        content: Any = self.manifest.content if self.manifest else {}
        candidates = content.get("candidates", {})
        return isinstance(candidates, dict) and candidates.get("deterministic") is True


@dataclass(frozen=True)
class Unlikeness:
    """One difference between two runs beside the model: its short name, its path, and words."""

    name: str
    path: str
    words: str

    def __str__(self) -> str:
        return f"{self.name}: {self.words}"


def require_likeness(a: Side, b: Side, despite: Iterable[str]) -> tuple[Unlikeness, ...]:
    """Refuse unlike runs, unless each difference is named in ``despite``; give those named.

    Raises
    ------
    UnlikeRunsError
        With ``differences``, one sentence each, and ``reasons``, their names.
    """
    allowed = set(despite)
    found = tuple(differences(a, b))
    refused = [each for each in found if not allowed & {each.name, each.path}]
    if refused:
        names = tuple(dict.fromkeys(each.name for each in refused))
        raise UnlikeRunsError(
            f"{a.name} and {b.name} differ in more than the model: "
            + "; ".join(str(each) for each in refused),
            hint="a difference may come from this alone; if it is on purpose, name it: "
            + " ".join(f"--despite {name}" for name in names),
            differences=tuple(str(each) for each in refused),
            reasons=names,
        )
    return found


def differences(a: Side, b: Side) -> Iterator[Unlikeness]:
    """Name each difference that could move the numbers beside the model."""
    yield from _problems(a, b)
    if a.manifest and b.manifest:
        yield from _settings(a, b)
        yield from _draws(a, b)


def surroundings(a: Side, b: Side) -> list[str]:
    """Name differences of the machine and its packages, which seldom move a verdict."""
    if not (a.manifest and b.manifest):
        return []
    rows = _differing(a, b)
    return [f"{path} ({ours} and {theirs})" for path, ours, theirs in rows if _around(path)]


def _problems(a: Side, b: Side) -> Iterator[Unlikeness]:
    only_a = [problem for problem in a.counts if problem not in b.counts]
    only_b = [problem for problem in b.counts if problem not in a.counts]
    parts = [
        f"{len(only)} only in {side.name} ({_listed(only)})"
        for side, only in ((a, only_a), (b, only_b))
        if only
    ]
    if changed := _changed(a, b):
        parts.append(f"{len(changed)} have another content ({_listed(changed)})")
    if parts:
        yield Unlikeness("problems", "problems", ", ".join(parts))


def _changed(a: Side, b: Side) -> list[str]:
    """List the problems of the same id whose content differs, as far as the manifests tell."""
    if not (a.manifest and b.manifest):
        return []
    ours, theirs = (side.manifest.content.get("problems") for side in (a, b) if side.manifest)
    if not (isinstance(ours, dict) and isinstance(theirs, dict)):
        return [] if ours == theirs else ["the whole set"]
    ids, others = ours.get("ids"), theirs.get("ids")
    if isinstance(ids, dict) and isinstance(others, dict):
        return [p for p in a.counts if p in others and ids.get(p) != others[p]]
    return [] if ours == theirs else ["the whole set"]


def _settings(a: Side, b: Side) -> Iterator[Unlikeness]:
    for path, ours, theirs in _differing(a, b):
        name = path.rpartition(".")[2]
        if path.startswith("drawing.prompt."):  # its texts are long, and its id says it all
            if name == "content_id":
                yield Unlikeness("prompt", path, f"{ours} in {a.name}, {theirs} in {b.name}")
            continue
        whose = name in IDENTITY or path.startswith("drawing.served.")
        if not (path.startswith("problems") or whose or _around(path)):
            yield Unlikeness(name, path, f"{ours} in {a.name}, {theirs} in {b.name}")


def _differing(a: Side, b: Side) -> list[tuple[str, Any, Any]]:
    ours, theirs = (_flat(side.manifest.content) for side in (a, b) if side.manifest)
    paths = sorted(ours.keys() | theirs.keys())
    return [
        (path, ours.get(path, "absent"), theirs.get(path, "absent"))
        for path in paths
        if path not in ours or path not in theirs or ours[path] != theirs[path]
    ]


def _flat(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in content.items():
        nested = isinstance(value, Mapping)
        flat.update(_flat(value, f"{prefix}{key}.") if nested else {f"{prefix}{key}": value})
    return flat


def _around(path: str) -> bool:
    return path.startswith(SURROUNDINGS)


def _draws(a: Side, b: Side) -> Iterator[Unlikeness]:
    """Compare how many were drawn; that some are not judged yet is said elsewhere."""
    shared = [problem for problem in a.counts if problem in b.counts]
    if any(_drawn(a, problem) != _drawn(b, problem) for problem in shared):
        words = f"{n_range(a, shared)} in {a.name}, {n_range(b, shared)} in {b.name}"
        yield Unlikeness("n", "n", words)


def _drawn(side: Side, problem: str) -> int:
    return side.counts[problem].n + side.counts[problem].broken


def n_range(side: Side, problems: Iterable[str]) -> str:
    """Say which n the problems have: ``20``, or ``5 to 20``."""
    each = [_drawn(side, problem) for problem in problems]
    low, high = min(each), max(each)
    return str(low) if low == high else f"{low} to {high}"


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
