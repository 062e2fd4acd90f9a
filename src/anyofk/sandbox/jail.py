"""Moving a zygote into namespaces of its own, under an identity that owns nothing."""

from __future__ import annotations

import os
import select
import signal
from typing import Final, NoReturn

from anyofk.errors import SandboxError
from anyofk.sandbox import kernel, mounts
from anyofk.sandbox.processes import open_own_memory

_NAMESPACES: Final = (
    kernel.NEW_PID
    | kernel.NEW_MOUNT
    | kernel.NEW_NET
    | kernel.NEW_IPC
    | kernel.NEW_UTS
    | kernel.NEW_CGROUP
)
_CAP_SETGID, _CAP_SETUID, _CAP_SETPCAP, _CAP_SYS_ADMIN = 6, 7, 8, 21
_INSIDE: Final = 1000  # the user's number in a user namespace
_HIGH: Final = 0x60000000  # user numbers from here on are used by nobody we know of
_FEWEST: Final = 4096  # user numbers that a namespace must have for some to be unused
_PARENT_FD, _JAILED_FD = 3, 4


def is_powerful() -> bool:
    """Say whether this process can do without a user namespace."""
    held = kernel.effective_capabilities()
    needed = (_CAP_SETGID, _CAP_SETUID, _CAP_SETPCAP, _CAP_SYS_ADMIN)
    return os.geteuid() == 0 and all(held >> bit & 1 for bit in needed)


def may_change_user() -> bool:
    """Say whether this process may take another identity."""
    held = kernel.effective_capabilities()
    return os.geteuid() == 0 and all(held >> bit & 1 for bit in (_CAP_SETGID, _CAP_SETUID))


def throw_away_id(map_text: str | None = None) -> int:
    """Pick a user number that no one else has, so that limits per user are this zygote's own.

    The kernel counts processes per user and never counts those of user 0.
    """
    if map_text is None:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            map_text = file.read()
    ranges = [tuple(map(int, line.split())) for line in map_text.splitlines()]
    first, _, count = max(ranges, key=lambda row: row[2])
    spare = int.from_bytes(os.urandom(4), "little")
    if count >= _HIGH + (1 << 28):
        return _HIGH + spare % (1 << 28)
    if count < _FEWEST:
        raise SandboxError("this user namespace has no unused user number to become")
    return first + count // 2 + spare % (count // 2 - 1000)


def guard(jailed: int, parent: int) -> NoReturn:
    """Stay outside and end the jail when the parent ends; the jail's end is ours."""
    inside = os.pidfd_open(jailed)
    os.dup2(parent, _PARENT_FD)
    os.dup2(inside, _JAILED_FD)
    kernel.close_from(_JAILED_FD + 1)
    watch = select.poll()
    watch.register(_PARENT_FD, select.POLLIN)
    watch.register(_JAILED_FD, select.POLLIN)
    if any(descriptor == _PARENT_FD for descriptor, _ in watch.poll()):
        signal.pidfd_send_signal(_JAILED_FD, signal.SIGKILL)
    os.waitpid(jailed, 0)
    os._exit(0)


def _write(path: str, text: str) -> None:
    """Write one of the files that set up a user namespace."""
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _map_user(uid: int, gid: int) -> None:
    """Let the one inner user be the one who called us."""
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{_INSIDE} {uid} 1")
    _write("/proc/self/gid_map", f"{_INSIDE} {gid} 1")


def become(uid: int) -> None:
    """Take an identity that owns nothing, and no power with it."""
    kernel.drop_bounding_set()
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def namespace() -> int:
    """The identity of this process's pid namespace."""
    return os.stat("/proc/self/ns/pid").st_ino


class Jail:
    """The jail that this process is the first process of.

    Made by `enter` only, which has seen the pid namespace change.
    """

    def __init__(self, outside: int) -> None:
        if os.getpid() != 1 or namespace() == outside:
            raise SandboxError("a jail needs a pid namespace of its own, and this is none")
        self._seal = (os.getpid(), outside)
        self.own_memory = open_own_memory()
        self.processes = -1

    def sweep(self) -> int:
        """Kill every process but this one, the template too; give how many others there were."""
        if getattr(self, "_seal", (0, 0))[0] != os.getpid():
            raise SandboxError("refused to kill all processes outside a namespace of our own")
        reaped = 0
        while True:
            try:
                os.kill(-1, signal.SIGKILL)
                os.waitpid(-1, kernel.WAIT_ALL)
                reaped += 1
            except (ProcessLookupError, ChildProcessError):
                return max(0, reaped - 1)


def enter(packages: dict[str, str], scratch_mb: int, inodes: int, parent: int) -> Jail:
    """Move into a jail; returns as process 1 inside.

    The calling process stays outside as the guard and never returns from here.
    """
    powerful, uid, gid, outside = is_powerful(), os.geteuid(), os.getegid(), namespace()
    kernel.unshare(_NAMESPACES if powerful else _NAMESPACES | kernel.NEW_USER)
    if not powerful:
        _map_user(uid, gid)
    child = os.fork()
    if child:
        guard(child, parent)
    kernel.die_with_parent()
    jail = Jail(outside)
    inside = throw_away_id() if powerful else _INSIDE
    jail.processes = mounts.build(mounts.Room(packages, scratch_mb, inodes, inside, inside))
    kernel.set_host_name(b"sandbox")
    _give_up_power(inside if powerful else None)
    os.chdir("/tmp")  # noqa: S108 - the jail's own
    return jail


def _give_up_power(uid: int | None) -> None:
    """Take the throw-away identity if there is one, and drop what power is left."""
    if uid is None:
        kernel.drop_bounding_set()
    else:
        become(uid)
    kernel.drop_capabilities()
    kernel.refuse_new_privileges()
    kernel.be_undumpable()
    kernel.die_with_parent()  # a change of user took it away
