"""Recorded replies, by problem and draw: from a file of JSON Lines, or a stored run."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

from anyofk.drawing.provider import Choice
from anyofk.errors import CandidateFileError, DataError

_TEXTS: Final = ("reply", "raw", "response", "raw_solution", "completion", "generation", "text")
_IDS: Final = ("problem", "task_id", "question_id", "problem_id")
_DRAWS: Final = ("draw", "sample", "completion_id")
_REPLY: Final = (
    "SELECT replies.text, reasoning, finish_reason, tokens FROM replies "
    "JOIN problems USING (position) WHERE problem = ? AND draw = ?"
)


class Recording(Protocol):
    """Replies that can be looked up.

    ``settings`` and ``drawing`` say how they were drawn, as a run's manifest does, as far as
    that is known.
    """

    identity: str
    settings: dict[str, Any]
    drawing: dict[str, Any]

    def reply(self, problem: str, draw: int) -> Choice | None:
        """Give a reply, or none where there is none."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class RunRecording:
    """The replies of a stored run."""

    def __init__(self, path: Path) -> None:
        uri = f"file:{quote(str(path.absolute()))}?mode=ro"
        try:
            self._database = sqlite3.connect(uri, uri=True)
            found = self._database.execute("SELECT manifest_id, manifest FROM run").fetchone()
            number = self._database.execute("SELECT count(*) FROM replies").fetchone()
        except sqlite3.Error as error:
            raise DataError(
                f"{path} holds no replies: {error}", hint="it must be a run that was drawn"
            ) from error
        if not (found and number[0]):
            self._database.close()
            raise DataError(f"{path} holds no replies", hint="it must be a run that was drawn")
        self.identity = str(found[0])
        manifest = json.loads(found[1])
        self.settings = manifest.get("candidates", {}).get("settings", {})
        self.drawing = manifest.get("drawing", {})

    def reply(self, problem: str, draw: int) -> Choice | None:
        """Give a reply, or none where there is none."""
        row = self._database.execute(_REPLY, (problem, draw)).fetchone()
        if row is None:
            return None
        text, reasoning, reason, tokens = row
        return Choice(_decoded(text), _decoded(reason), _decoded(reasoning), tokens)

    def close(self) -> None:
        """Let go of the run."""
        self._database.close()


class FileRecording:
    """The replies of a file of JSON Lines; texts stay in the file until they are wanted."""

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # noqa: SIM115 - closed in close()
        self._places: dict[tuple[str, int], int] = {}
        self.settings: dict[str, Any] = {}
        self.drawing: dict[str, Any] = {}
        try:
            self.identity = self._index(path.name)
        except BaseException:
            self._file.close()
            raise

    def _index(self, name: str) -> str:
        """Note where each reply begins; give the id of the whole."""
        total = hashlib.sha256()
        counted: dict[str, int] = {}
        for place, line in self._lines():
            total.update(line)
            data = _row(line, name)
            self._same_settings(data, name)
            problem = str(_first(data, _IDS))
            draw = _first(data, _DRAWS)
            draw = counted.get(problem, 0) if draw is None else draw
            if type(draw) is not int:
                raise CandidateFileError(
                    f"{name} has a draw that is no number: {draw!r}", file=name
                )
            counted[problem] = draw + 1
            self._places[problem, draw] = place
        if not self._places:
            raise CandidateFileError(f"{name} holds no reply", file=name)
        return f"sha256:{total.hexdigest()}"

    def _same_settings(self, data: dict[str, Any], name: str) -> None:
        """Note how the replies were drawn; a mixture has no pass@k."""
        settings = data.get("settings") or {}
        if not isinstance(settings, dict) or (self._places and settings != self.settings):
            raise CandidateFileError(
                f"{name} mixes replies that were drawn in different ways",
                hint="split it: pass@k of a mixture has no meaning",
                file=name,
            )
        self.settings = settings

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        place = 0
        for line in self._file:
            if line.strip():
                yield place, line
            place += len(line)

    def reply(self, problem: str, draw: int) -> Choice | None:
        """Give a reply, or none where there is none."""
        place = self._places.get((problem, draw))
        if place is None:
            return None
        self._file.seek(place)
        data = _row(self._file.readline(), "the recording")
        tokens, reason = data.get("tokens"), data.get("finish_reason")
        return Choice(
            str(_first(data, _TEXTS) or ""),
            reason if isinstance(reason, str) else "stop",
            str(data.get("reasoning") or ""),
            tokens if type(tokens) is int else None,
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_recording(path: Path) -> Recording:
    """Open recorded replies.

    Raises
    ------
    DataError
        The file is not there, or holds none.
    """
    try:
        with closing(path.open("rb")) as file:
            head = file.read(15)
    except OSError as error:
        raise DataError(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}",
            hint="replay:PATH names a file of replies, or a stored run",
        ) from error
    return RunRecording(path) if head == b"SQLite format 3" else FileRecording(path)


def _row(line: bytes, name: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise CandidateFileError(f"{name} is not JSON Lines: {error}", file=name) from error
    if not isinstance(data, dict) or _first(data, _IDS) is None:
        raise CandidateFileError(f"{name} has a line without a problem", file=name)
    return data


def _first(data: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((data[name] for name in names if data.get(name) is not None), None)


def _decoded(value: str | bytes) -> str:
    return value.decode(errors="surrogatepass") if isinstance(value, bytes) else value
