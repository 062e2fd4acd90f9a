"""The file system of a jail: read-only runtime, private scratch, and nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from anyofk.errors import SandboxError
from anyofk.sandbox import kernel, runtime

_QUIET: Final = kernel.MS_NOSUID | kernel.MS_NODEV
_READ_ONLY: Final = kernel.ATTR_RDONLY | kernel.ATTR_NOSUID
_STAGES: Final = ("/tmp", "/mnt", "/media", "/opt", "/var")  # noqa: S108 - only a mount point
SCRATCH: Final = ("/tmp", "/dev/shm")  # noqa: S108 - inside the jail, made by it
SCRATCH_MODE: Final = 0o1777


@dataclass(frozen=True)
class Room:
    """What the new root is to hold, and who lives in it."""

    packages: dict[str, str]
    scratch_mb: int
    inodes: int
    uid: int
    gid: int


def _readable_trees() -> list[str]:
    """The runtime's trees, none of which the scratch may cover."""
    trees = list(runtime.trees())
    for tree in trees:
        if tree.startswith(tuple(f"{place}/" for place in SCRATCH)):
            raise SandboxError(
                f"the interpreter lies in {tree}, where programs have their scratch",
                hint="use an interpreter that is not installed under /tmp",
            )
    return trees


def _reserve(paths: list[str]) -> list[tuple[str, int | str]]:
    """Copy the trees, before the new root can hide them; a link is kept as its target."""
    return [
        (path, os.readlink(path) if os.path.islink(path) else kernel.clone_tree(path))
        for path in paths
    ]


def _place(stage: str, path: str, tree: int | str, attributes: int) -> None:
    """Put one copied tree (or a link) into the new root."""
    target = stage + path
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
    if isinstance(tree, str):
        os.symlink(tree, target)
        return
    _make_mount_point(tree, target)
    kernel.restrict_tree(tree, attributes)
    kernel.attach_tree(tree, target)
    os.close(tree)


def _make_mount_point(tree: int, target: str) -> None:
    """Make a directory or a file, as the tree's own top is."""
    if os.path.isdir(target):
        return
    try:
        os.close(os.open(".", os.O_PATH | os.O_DIRECTORY, dir_fd=tree))
        os.mkdir(target, 0o755)
    except NotADirectoryError:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))


def _mask(stage: str, directories: tuple[str, ...]) -> None:
    """Cover directories with one empty one."""
    empty = stage + "/empty"
    os.mkdir(empty, 0o555)
    for path in directories:
        if os.path.isdir(stage + path):
            tree = kernel.clone_tree(empty)
            kernel.restrict_tree(tree, _READ_ONLY | kernel.ATTR_NODEV)
            kernel.attach_tree(tree, stage + path)
            os.close(tree)


def _mount_scratch(stage: str, room: Room) -> None:
    """Mount the writable places, limited in size and in number of files."""
    data = f"size={room.scratch_mb}m,nr_inodes={room.inodes},mode={SCRATCH_MODE:o}"
    for path in SCRATCH:
        os.makedirs(stage + path, mode=0o755, exist_ok=True)
        kernel.mount("scratch", stage + path, "tmpfs", _QUIET, data)


def _write_names(stage: str, room: Room) -> None:
    """Give the one user a name and a home."""
    os.makedirs(stage + "/etc", mode=0o755, exist_ok=True)
    lines = {
        "passwd": f"sandbox:x:{room.uid}:{room.gid}::/tmp:/bin/sh\n",
        "group": f"sandbox:x:{room.gid}:\n",
        "hosts": "127.0.0.1 localhost\n",
    }
    for name, text in lines.items():
        descriptor = os.open(f"{stage}/etc/{name}", os.O_CREAT | os.O_WRONLY, 0o644)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def _open_processes(stage: str) -> int:
    """Open a process table of the jail's own, visible to its zygote alone; -1 if refused."""
    point = stage + "/proc"
    os.mkdir(point)
    try:
        kernel.mount("proc", point, "proc", _QUIET | kernel.MS_NOEXEC)
    except OSError:  # a container that hides parts of /proc forbids another one
        os.rmdir(point)
        return -1
    table = os.open(point, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    kernel.unmount(point)
    os.rmdir(point)
    return table


def _stage() -> str:
    """A directory to build the new root on; what it holds is only covered, not touched."""
    for path in _STAGES:
        if os.path.isdir(path):
            return path
    raise SandboxError(f"none of {', '.join(_STAGES)} exists to build a root on")


def _enter(stage: str) -> None:
    """Make the new root the only one, and read-only."""
    os.mkdir(stage + "/old")
    os.chdir(stage)
    kernel.pivot_root(b".", b"old")
    os.chdir("/")
    kernel.unmount("/old")
    os.rmdir("/old")
    kernel.mount("", "/", "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | _QUIET)


def build(room: Room) -> int:
    """Build the root in a mount namespace of our own and move in; give the process table."""
    kernel.make_mounts_private()
    trees = _reserve(_readable_trees())
    devices = _reserve([f"/dev/{name}" for name in runtime.DEVICES])
    packages = [(name, kernel.clone_tree(path)) for name, path in room.packages.items()]
    masks, stage = runtime.masks(), _stage()
    kernel.mount("jail", stage, "tmpfs", _QUIET, "size=1m,nr_inodes=1024,mode=755")
    for path, tree in trees:
        _place(stage, path, tree, _READ_ONLY | kernel.ATTR_NODEV)
    for path, tree in devices:
        _place(stage, path, tree, _READ_ONLY | kernel.ATTR_NOEXEC)
    _mask(stage, masks)
    os.mkdir(stage + runtime.PACKAGES, 0o755)
    for name, tree in packages:
        _place(stage, f"{runtime.PACKAGES}/{name}", tree, _READ_ONLY | kernel.ATTR_NODEV)
    _mount_scratch(stage, room)
    _write_names(stage, room)
    table = _open_processes(stage)
    _enter(stage)
    return table
