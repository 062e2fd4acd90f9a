"""The kernel, called through ctypes: no more than the sandbox needs, errno checked."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

# PyDLL keeps the interpreter lock: the calls are short, and a raw fork must not happen
# while the lock is given away.
_libc = ctypes.PyDLL(None, use_errno=True)
if sys.platform == "linux":
    _libc.syscall.restype = ctypes.c_long

MACHINE = platform.machine()
X86 = MACHINE == "x86_64"

# Namespaces (linux/sched.h).
NEW_MOUNT = 0x00020000
NEW_CGROUP = 0x02000000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PID = 0x20000000
NEW_NET = 0x40000000

# Mounts (linux/mount.h).
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 2, 4, 8, 32, 4096
MS_RDONLY, MS_REC, MS_PRIVATE = 1, 16384, 1 << 18
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 1, 2, 4, 8
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC = 1, os.O_CLOEXEC

# prctl (linux/prctl.h).
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP = 1, 4, 22
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 24, 38, 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_MODE_FILTER = 2

# System calls without a libc function everywhere. From 424 on the numbers are the same on
# all architectures; the older ones are given for x86-64 and the generic table.
_NR_OPEN_TREE, _NR_MOVE_MOUNT, _NR_CLOSE_RANGE, _NR_MOUNT_SETATTR = 428, 429, 436, 442
_NR_LANDLOCK_CREATE, _NR_LANDLOCK_ADD, _NR_LANDLOCK_RESTRICT = 444, 445, 446
_NR_CLONE = 56 if X86 else 220
_NR_PIVOT_ROOT = 155 if X86 else 41
_LANDLOCK_VERSION, _LANDLOCK_PATH_BENEATH = 1, 1


def _checked(result: int, what: str) -> int:
    """Raise the OSError that errno names if the call failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(what: str, number: int, *args: object) -> int:
    """Call the kernel by number."""
    result: int = _libc.syscall(ctypes.c_long(number), *args)
    return _checked(result, what)


def _long(value: int) -> ctypes.c_ulong:
    """Give a register its full width, as variadic C calls need."""
    return ctypes.c_ulong(value)


def unshare(flags: int) -> None:
    """Move this process (for the pid namespace: its children) into new namespaces."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def set_host_name(name: bytes) -> None:
    """Name the host inside a uts namespace."""
    _checked(_libc.sethostname(name, ctypes.c_size_t(len(name))), "sethostname")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system, or change how one is mounted."""
    call = (source.encode(), target.encode(), kind.encode(), _long(flags), data.encode())
    _checked(_libc.mount(*call), f"mount {kind or 'flags'} on {target}")


def make_mounts_private() -> None:
    """Cut this mount namespace's events off from the one it was copied from."""
    _checked(_libc.mount(b"none", b"/", None, _long(MS_REC | MS_PRIVATE), None), "mount private")


def unmount(target: str) -> None:
    """Take a mount away, also when something in it is still open."""
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def clone_tree(path: str) -> int:
    """Make a detached copy of the mounts at and below a path; give its descriptor."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    call = (ctypes.c_int(_AT_FDCWD), os.fsencode(path), ctypes.c_uint(flags))
    return _syscall(f"open_tree {path}", _NR_OPEN_TREE, *call)


def restrict_tree(tree: int, attributes: int) -> None:
    """Set mount attributes on a whole detached tree."""
    attr = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = ctypes.c_uint(_AT_EMPTY_PATH | _AT_RECURSIVE)
    call = (ctypes.c_int(tree), b"", flags, attr, ctypes.c_size_t(len(attr)))
    _syscall("mount_setattr", _NR_MOUNT_SETATTR, *call)


def attach_tree(tree: int, target: str) -> None:
    """Mount a detached tree at a path."""
    move = ctypes.c_uint(4)  # MOVE_MOUNT_F_EMPTY_PATH: the source is the descriptor itself
    call = (ctypes.c_int(tree), b"", ctypes.c_int(_AT_FDCWD), os.fsencode(target), move)
    _syscall(f"move_mount to {target}", _NR_MOVE_MOUNT, *call)


def pivot_root(new: bytes, old: bytes) -> None:
    """Make a mount the root and put the former root below it."""
    _syscall("pivot_root", _NR_PIVOT_ROOT, new, old)


def die_with_parent() -> None:
    """Ask for SIGKILL when the thread that forked this process ends."""
    _checked(_libc.prctl(_PR_SET_PDEATHSIG, _long(9), _long(0), _long(0), _long(0)), "pdeathsig")


def be_undumpable() -> None:
    """Deny core dumps and access to this process's memory and descriptors."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, _long(0), _long(0), _long(0), _long(0)), "dumpable")


def refuse_new_privileges() -> None:
    """Give up, for ever, what a set-user-id program would give."""
    one = (_long(1), _long(0), _long(0), _long(0))
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, *one), "no_new_privs")


def drop_bounding_set() -> None:
    """Take every capability out of what any later exec could give back."""
    for capability in range(64):
        # The kernel's last capability is not known here: EINVAL beyond it is the end.
        _libc.prctl(_PR_CAPBSET_DROP, _long(capability), _long(0), _long(0), _long(0))
    _libc.prctl(_PR_CAP_AMBIENT, _long(_PR_CAP_AMBIENT_CLEAR_ALL), _long(0), _long(0), _long(0))


def drop_capabilities() -> None:
    """Give up every capability, in all sets."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def effective_capabilities() -> int:
    """The capabilities of this process, as a bit set."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    data = ctypes.create_string_buffer(24)
    _checked(_libc.capget(header, data), "capget")
    low, _, _, high, _, _ = struct.unpack("6I", data.raw)
    return int(low | high << 32)


class _Program(ctypes.Structure):
    """A seccomp filter as the kernel takes it (struct sock_fprog)."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def install_filter(code: bytes) -> None:
    """Let a seccomp filter judge every later system call of this process and its children."""
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    call = (_long(_SECCOMP_MODE_FILTER), ctypes.byref(program), _long(0), _long(0))
    _checked(_libc.prctl(_PR_SET_SECCOMP, *call), "seccomp")


def landlock_abi() -> int:
    """The Landlock version of this kernel; 0 when it has none or refuses it."""
    call = (None, ctypes.c_size_t(0), ctypes.c_uint(_LANDLOCK_VERSION))
    version: int = _libc.syscall(ctypes.c_long(_NR_LANDLOCK_CREATE), *call)
    return max(0, version)


def landlock_create(attributes: bytes) -> int:
    """Make a Landlock rule set; give its descriptor."""
    call = (attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
    return _syscall("landlock_create_ruleset", _NR_LANDLOCK_CREATE, *call)


def landlock_allow(ruleset: int, directory: int, access: int) -> None:
    """Allow some kinds of access beneath an open file or directory."""
    attr = struct.pack("=Qi", access, directory)
    call = (ctypes.c_int(ruleset), ctypes.c_uint(_LANDLOCK_PATH_BENEATH), attr, ctypes.c_uint(0))
    _syscall("landlock_add_rule", _NR_LANDLOCK_ADD, *call)


def landlock_enforce(ruleset: int) -> None:
    """Confine this process and its later children to a rule set."""
    call = (ctypes.c_int(ruleset), ctypes.c_uint(0))
    _syscall("landlock_restrict_self", _NR_LANDLOCK_RESTRICT, *call)


_ZERO = _long(0)
_CLONE_PARENT = 0x00008000
WAIT_ALL = 0x40000000  # __WALL: also for children that end without a signal
_FORK = (ctypes.c_long(_NR_CLONE), _ZERO, _ZERO, _ZERO, _ZERO, _ZERO)
_FORK_SIBLING = (ctypes.c_long(_NR_CLONE), _long(_CLONE_PARENT), _ZERO, _ZERO, _ZERO, _ZERO)


def fork() -> int:
    """Fork without libc's and Python's hooks, which cost a fifth of a small program.

    The child ends without a signal to its parent, and a wait sees it only with `WAIT_ALL`:
    an ordinary wait then tells strangers apart. Only for a process with one thread:
    nothing repairs locks in the child.
    """
    pid: int = _libc.syscall(*_FORK)
    return pid if pid >= 0 else _checked(pid, "fork")


def fork_sibling() -> int:
    """Fork a child of our own parent, likewise."""
    pid: int = _libc.syscall(*_FORK_SIBLING)
    return pid if pid >= 0 else _checked(pid, "fork")


def close_from(first: int) -> None:
    """Close every descriptor from a number on."""
    end = ctypes.c_uint(0xFFFFFFFF)
    _libc.syscall(ctypes.c_long(_NR_CLOSE_RANGE), ctypes.c_uint(first), end, ctypes.c_uint(0))


def has_no_new_privileges() -> bool:
    """Say whether `refuse_new_privileges` is in force."""
    return bool(_libc.prctl(39, _ZERO, _ZERO, _ZERO, _ZERO) == 1)  # PR_GET_NO_NEW_PRIVS


def raw(number: int, *args: int) -> int:
    """Make any system call, for probes: give what it gives, -1 for an error."""
    return int(_libc.syscall(ctypes.c_long(number), *map(_long, args)))
