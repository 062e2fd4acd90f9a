"""Calibrations kept between runs: one small file each in the user's cache directory.

The name of a file is the content id of the problem with all else that can move a
calibration. Files are replaced whole, so that concurrent writers do no harm.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any, Final

from anyofk.judging.calibration import Calibration
from anyofk.judging.settings import Settings, judging_facts
from anyofk.records import Problem, content_id

_LIMIT: Final = 64 << 20


class Calibrations:
    """A directory of calibrations.

    Parameters
    ----------
    directory
        Where they are kept; none takes ``anyofk/calibrations`` in the user's cache.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or _default_directory()

    def find(self, problem: Problem, settings: Settings) -> Calibration | None:
        """Find what is known of a problem; an unreadable file is as none."""
        try:
            text = self._path(problem, settings).read_text("ascii")
            return Calibration.from_json(json.loads(text))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep(self, problem: Problem, settings: Settings, calibration: Calibration) -> None:
        """Keep a calibration without fault; a full or read-only disk is no error."""
        text = json.dumps(calibration.to_json())
        if calibration.fault or len(text) > _LIMIT:
            return
        path = self._path(problem, settings)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, text)
        except OSError:
            return

    def _path(self, problem: Problem, settings: Settings) -> Path:
        facts: dict[str, Any] = {**judging_facts(settings), "machine": platform.node()}
        name = content_id([problem.content_id, facts]).partition(":")[2]
        return self._directory / name[:2] / f"{name}.json"


def _default_directory() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "anyofk" / "calibrations"


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
