"""The folder of runs: names, look-up by name, prefix or path, listing and deletion."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from anyofk.errors import StoreError, UnavailableError, UsageError
from anyofk.store.database import is_run
from anyofk.store.lock import Lock
from anyofk.store.run import Run

ENDING: Final = ".db"


def runs_folder(given: str | Path | None = None) -> Path:
    """Give the folder of runs: the argument, else ``ANYOFK_RUNS``, else ``./runs``."""
    return Path(given or os.environ.get("ANYOFK_RUNS") or "runs")


def name_of(path: Path) -> str:
    """Give a run's name from its file."""
    return path.name.removesuffix(ENDING)


def run_path(name: str, folder: Path) -> Path:
    """Give the file of a run of this name, which need not exist.

    Raises
    ------
    UsageError
        The name could leave the folder, hide the file or be read as an option.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._+=@-]{0,119}", name):
        raise UsageError(
            f"{name!r} is no name for a run",
            hint="use letters, digits and . _ + = @ -, at most 120, the first a letter or digit",
        )
    return folder / (name + ENDING)


def make_name(*parts: str) -> str:
    """Make a run's name from what it is about.

    Examples
    --------
    >>> make_name("my samples.jsonl", "HumanEval")
    'my-samples-HumanEval'
    """
    stems = (re.sub(r"\.(jsonl|json|gz|zst|txt)\b", "", Path(part).name) for part in parts)
    words = (re.sub(r"[^A-Za-z0-9._+=@-]+", "-", stem).strip("-.") for stem in stems)
    return re.sub(r"^[^A-Za-z0-9_]+", "", "-".join(word for word in words if word))[:120] or "run"


def list_runs(folder: Path) -> list[Path]:
    """List the files of the stored runs, sorted by name; other files are left out."""
    found = folder.glob("*" + ENDING) if folder.is_dir() else ()
    return sorted(path for path in found if is_run(path))


def find_run(given: str, folder: Path) -> Path:
    """Find a run by its name, a unique prefix of it, or a path.

    Raises
    ------
    StoreError
        There is no such run, or the prefix fits several.
    """
    path = Path(given)
    if path.is_file():
        return path
    names = {name_of(path): path for path in list_runs(folder)}
    if given in names:
        return names[given]
    fitting = [name for name in names if name.startswith(given)] if given else []
    if len(fitting) == 1:
        return names[fitting[0]]
    raise _several(given, fitting) if fitting else _none(given, folder, list(names))


def open_run(given: str, folder: Path) -> Run:
    """Open a run found by its name, a unique prefix, or a path."""
    return Run(find_run(given, folder))


def delete_run(path: Path) -> None:
    """Delete a stored run; refuse any other file, and a run that is being written."""
    lock = Lock(path)
    lock.acquire()
    try:
        delete_files(path)
    finally:
        lock.release()


def delete_files(path: Path) -> None:
    """Delete a run's file and what SQLite keeps beside it; refuse anything else."""
    if path.exists() and path.stat().st_size and not is_run(path):
        raise StoreError(
            f"{str(path)!r} is no stored run and was not touched",
            hint="delete it yourself if it is not wanted",
        )
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make the folder of runs."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnavailableError(
            f"the folder of runs {str(folder)!r} cannot be made: {error.strerror}",
            hint="choose another with --runs or ANYOFK_RUNS",
        ) from error


def _several(given: str, fitting: list[str]) -> StoreError:
    return StoreError(
        f"{given!r} fits {len(fitting)} runs: {', '.join(fitting[:5])}",
        hint="give a longer part of the name",
        fitting=fitting,
    )


def _none(given: str, folder: Path, names: list[str]) -> StoreError:
    close = get_close_matches(given, names, n=1)
    return StoreError(
        f"no run called {given!r} in {str(folder)!r}",
        hint=f"did you mean {close[0]!r}?" if close else "'anyofk runs' lists the stored runs",
    )
