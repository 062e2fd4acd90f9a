"""Which files an interpreter needs to run, and which it must not see."""

from __future__ import annotations

import glob
import os
import sys
from pathlib import Path
from typing import Final

from anyofk.errors import SandboxError

# Whole /usr would show /usr/src and the like, where people keep their work.
_SYSTEM: Final = (
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share/zoneinfo",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
)
_STORES: Final = ("/nix/store", "/gnu/store")
DEVICES: Final = ("null", "zero", "urandom", "random")
PACKAGES: Final = "/packages"


def interpreter() -> str:
    """The interpreter below any virtual environment that runs us, by its real path."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    if not base:
        raise SandboxError(
            "this Python is embedded and does not know its own interpreter",
            hint="run anyofk from a python command",
        )
    return os.path.realpath(base)


def source_directory() -> str:
    """The directory that holds the package anyofk."""
    return str(Path(__file__).resolve().parents[2])


def trees() -> tuple[str, ...]:
    """What a program may read: the system's libraries and this interpreter's own files."""
    own = [f"{prefix}/{part}" for prefix in _prefixes() for part in ("bin", "lib", "lib64")]
    wanted = [*_SYSTEM, *(os.path.realpath(p) for p in own), *_stores(), *_libraries()]
    present = [path for path in dict.fromkeys(wanted) if os.path.lexists(path)]
    return tuple(p for p in present if os.path.islink(p) or not _within(p, present))


def _stores() -> list[str]:
    """Package stores that hold this interpreter's libraries."""
    return [store for store in _STORES if os.path.realpath(sys.executable).startswith(store)]


def _libraries() -> set[str]:
    """Directories of shared libraries that this interpreter has loaded from anywhere."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
            paths = {line.split(maxsplit=5)[-1].strip() for line in file}
    except OSError:
        return set()
    libraries = {os.path.dirname(path) for path in paths if path.startswith("/") and ".so" in path}
    return {path for path in libraries if "-packages" not in path and path != "/"}


def _prefixes() -> set[str]:
    """Where this interpreter is installed, by given and by real names."""
    own = {sys.base_prefix, sys.base_exec_prefix}
    own.add(str(Path(os.path.realpath(sys.executable)).parents[1]))
    own |= {os.path.realpath(path) for path in own}
    return own - {"/", "/usr", "/usr/local"}


def _within(path: str, others: list[str]) -> bool:
    """Say whether a path lies below another one that is no link."""
    return any(
        path != other and path.startswith(other + "/") and not os.path.islink(other)
        for other in others
    )


def masks() -> tuple[str, ...]:
    """Directories of installed packages below the readable trees: hidden, all of them.

    A wheel may hold the hidden tests of a problem set, or this program's own source.
    """
    patterns = [
        f"{prefix}/{lib}/python*/{kind}-packages"
        for prefix in {*_prefixes(), "/usr", "/usr/local"}
        for lib in ("lib", "lib64")
        for kind in ("site", "dist")
    ]
    found = {os.path.realpath(p) for pattern in patterns for p in glob.glob(pattern)}
    return tuple(sorted(found))


def library() -> Path:
    """The directory of the standard library."""
    return Path(os.__file__).resolve().parent


def unmasked() -> tuple[list[str], list[str]]:
    """Cut the masks out of the trees without mounts.

    Gives the paths that may be read whole, and the directories that must be listed for
    the interpreter to find its modules in them.
    """
    whole: list[str] = []
    listed: list[str] = []
    hidden = masks()
    waiting = [tree for tree in trees() if not os.path.islink(tree)]
    while waiting:
        path = waiting.pop()
        if not any(mask == path or mask.startswith(path + "/") for mask in hidden):
            whole.append(path)
        elif path not in hidden:
            listed.append(path)
            waiting += [entry.path for entry in os.scandir(path) if not entry.is_symlink()]
    return whole, listed
