"""Equal programs: judged once, each with a verdict of its own."""

from __future__ import annotations

from dataclasses import replace

from anyofk.records import Candidate, Outcome, Verdict

Key = tuple[str, str, str, bool]


class Twins:
    """Know which candidates equal one that is being judged, or was.

    What is kept of each different program is its hash and a draw, so that a hundred thousand
    fit into some tens of megabytes.
    """

    def __init__(self) -> None:
        self._first: dict[Key, int] = {}
        self._keys: dict[tuple[str, int], Key] = {}
        self._waiting: dict[tuple[str, int], list[Candidate]] = {}

    def first(self, candidate: Candidate) -> int | None:
        """Give the draw of an equal candidate that has a verdict; none lets it be judged or wait.

        See `waits` for the latter.
        """
        draw = self._first.get(_key(candidate))
        return None if draw is None or (candidate.problem, draw) in self._keys else draw

    def waits(self, candidate: Candidate) -> bool:
        """Let a candidate wait for its twin that is being judged; without one it goes first."""
        key = _key(candidate)
        draw = self._first.get(key)
        place = (candidate.problem, draw)
        if draw is not None and place in self._keys:
            self._waiting.setdefault((candidate.problem, draw), []).append(candidate)
            return True
        self._first[key] = candidate.draw
        self._keys[candidate.problem, candidate.draw] = key
        return False

    def judged(self, verdict: Verdict) -> list[Verdict]:
        """Give the verdicts of those that waited for this one.

        A broken verdict says nothing of the program, so a later twin is judged itself.
        """
        place = (verdict.problem, verdict.draw)
        key = self._keys.pop(place, None)
        if key is not None and verdict.outcome is Outcome.BROKEN:
            del self._first[key]
        return [twin(verdict, candidate) for candidate in self._waiting.pop(place, [])]


def twin(verdict: Verdict, candidate: Candidate) -> Verdict:
    """Give a candidate the verdict of an equal one; nothing ran for it, so it took no time."""
    return replace(verdict, draw=candidate.draw, cpu_s=0.0, wall_s=0.0, peak_mb=0.0)


def _key(candidate: Candidate) -> Key:
    cut = candidate.finish_reason == "length"
    return candidate.problem, candidate.content_id, candidate.extraction, cut
