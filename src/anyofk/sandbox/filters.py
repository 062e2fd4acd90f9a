"""Seccomp filters: what each system call is answered, as a program for the kernel."""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from typing import Final

from anyofk.sandbox import syscalls
from anyofk.sandbox.kernel import MACHINE

_LOAD, _RETURN, _JUMP = 0x20, 0x06, 0x05
_EQUAL, _AT_LEAST, _AND = 0x15, 0x35, 0x54
_NUMBER, _ARCH, _ARGS = 0, 4, 16

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000
DENY: Final = _ERRNO | errno.EPERM
ABSENT: Final = _ERRNO | errno.ENOSYS

_NAMESPACES: Final = 0x7E020080
_THREAD: Final = 0x00010000
_AF_UNIX: Final = 1
# prctl: names of threads and of memory areas, and reading harmless settings.
_PRCTL: Final = (3, 15, 16, 21, 23, 27, 30, 39, 0x53564D41)
# PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS: only tighten.
_CONFINE: Final = (1, 22, 38)
_X32: Final = 0x40000000
# Ways to have the kernel send signals to others: F_SETOWN, F_SETSIG, F_SETOWN_EX;
# FIOSETOWN, SIOCSPGRP; and typing into a terminal: TIOCSTI, TIOCLINUX.
_SIGNALLING_FCNTL: Final = (8, 10, 15)
_SIGNALLING_IOCTL: Final = (0x8901, 0x8902, 0x5412, 0x541C)
_TRUNCATE, _ACCESS_MODE = 0o1000, 0o3
_SOCKET_TYPE, _SOCK_STREAM = 0xF, 1


@dataclass(frozen=True)
class Among:
    """A condition: the argument is one of some values."""

    argument: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class NotAmong:
    """A condition: the argument is none of some values."""

    argument: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Bits:
    """A condition: of the bits in ``mask`` the argument has exactly those in ``value``."""

    argument: int
    mask: int
    value: int


@dataclass(frozen=True)
class NotBits:
    """A condition: the bits in ``mask`` are not exactly those in ``value``."""

    argument: int
    mask: int
    value: int


_NO_NAMESPACES: Final = Bits(0, _NAMESPACES, 0)
_STRICT: Final = (Among(0, _PRCTL),)

Condition = Among | NotAmong | Bits | NotBits
Rule = int | tuple[Condition, ...]
"""An answer, or conditions that must all hold for the call to be allowed, else EPERM."""

Rules = dict[str, Rule]


def _op(code: int, k: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    """One instruction."""
    return struct.pack("HBBI", code, jump_true, jump_false, k)


def _load_argument(index: int) -> bytes:
    """Load the low half of an argument: all values judged here are 32 bits wide."""
    return _op(_LOAD, _ARGS + 8 * index)


def _test(condition: Condition) -> bytes:
    """Instructions that return EPERM unless the condition holds, and else go on."""
    code, refuse = _load_argument(condition.argument), _op(_RETURN, DENY)
    if isinstance(condition, NotAmong):
        return code + b"".join(_op(_EQUAL, v, 0, 1) + refuse for v in condition.values)
    if isinstance(condition, Among):
        last = len(condition.values)
        tests = (_op(_EQUAL, v, last - i, 0) for i, v in enumerate(condition.values))
        return code + b"".join(tests) + refuse
    code += _op(_AND, condition.mask)
    jumps = (1, 0) if isinstance(condition, Bits) else (0, 1)
    return code + _op(_EQUAL, condition.value, *jumps) + refuse


def _answer(rule: Rule) -> bytes:
    """The instructions that end in a rule's answer."""
    if isinstance(rule, int):
        return _op(_RETURN, rule)
    return b"".join(map(_test, rule)) + _op(_RETURN, ALLOW)


def _search(spans: list[tuple[int, Rule]]) -> bytes:
    """Find the span of a call number by halving: some eight comparisons instead of 300."""
    if len(spans) == 1:
        return _answer(spans[0][1])
    middle = len(spans) // 2
    low, high = _search(spans[:middle]), _search(spans[middle:])
    far = _op(_JUMP, len(low) // 8)
    return _op(_AT_LEAST, spans[middle][0], 0, 1) + far + low + high


def _spans(by_number: dict[int, Rule], default: Rule) -> list[tuple[int, Rule]]:
    """Cut the number line where the rule changes."""
    edges: list[tuple[int, Rule]] = []
    for number in range(syscalls.LAST_KNOWN + 1):
        rule = by_number.get(number, default)
        if not edges or edges[-1][1] != rule:
            edges.append((number, rule))
    beyond = ABSENT if default == DENY else default
    return [*edges, (syscalls.LAST_KNOWN + 1, beyond)]


def assemble(rules: Rules, default: Rule, machine: str = MACHINE) -> bytes:
    """Turn rules by name into a filter; a foreign calling convention kills."""
    numbers = syscalls.numbers(machine)
    by_number = {numbers[name]: rule for name, rule in rules.items() if name in numbers}
    code = _op(_LOAD, _ARCH) + _op(_EQUAL, syscalls.AUDIT_ARCH[machine], 1, 0)
    code += _op(_RETURN, KILL) + _op(_LOAD, _NUMBER)
    if machine == "x86_64":
        code += _op(_AT_LEAST, _X32, 0, 1) + _op(_RETURN, KILL)
    return code + _search(_spans(by_number, default))


def _common_rules() -> Rules:
    """What every judged program may call, processes and sockets aside."""
    groups = [syscalls.FILES, syscalls.MEMORY, syscalls.TIME, syscalls.WAITING]
    groups += [syscalls.SIGNALS, syscalls.SENDING, syscalls.IDENTITY, syscalls.SOCKETS]
    rules: Rules = dict.fromkeys(frozenset[str]().union(*groups), ALLOW)
    rules |= dict.fromkeys(syscalls.FATAL, KILL)
    return rules | {
        "clone": (_NO_NAMESPACES,),
        "clone3": ABSENT,  # its flags are behind a pointer; libc falls back to clone
        "fcntl": (NotAmong(1, _SIGNALLING_FCNTL),),
        "ioctl": (NotAmong(1, _SIGNALLING_IOCTL),),
        "prctl": _STRICT,
        "prlimit64": (Among(0, (0,)),),  # its own limits, not the zygote's
        "sched_setaffinity": (Among(0, (0,)),),
        "setpriority": (Among(0, (0,)), Among(1, (0,))),
        "socketpair": (Among(0, (_AF_UNIX,)),),
    }


# A zygote whose children confine themselves further; what they lay on top is strict again.
_CONFINING: Final[Rules] = {
    "prctl": (Among(0, (*_PRCTL, *_CONFINE)),),
    "landlock_restrict_self": ALLOW,
}
_CONFINED: Final[Rules] = {"prctl": _STRICT, "landlock_restrict_self": DENY}


def jail_filter(template: int, *, confining: bool = False, machine: str = MACHINE) -> bytes:
    """The filter of the template in a jail, and of all that it forks.

    No signal may reach the template itself, or be sent to all or to its group. Unix sockets
    stay: Python 3.14 starts its worker processes through one, and a jail has a network
    namespace and a file system of its own.
    """
    rules = _common_rules() | (_CONFINING if confining else {})
    rules |= dict.fromkeys(syscalls.PROCESSES | syscalls.UNIX_SOCKETS, ALLOW)
    spared: Rule = (NotAmong(0, (template, _negative(template), _negative(1), 0)),)
    rules |= dict.fromkeys(syscalls.SENDING_BY_PID, spared)
    rules |= {"socket": (Among(0, (_AF_UNIX,)),)}
    return assemble(rules, DENY, machine)


def _negative(number: int) -> int:
    """A negative argument as a filter sees it."""
    return -number & 0xFFFFFFFF


_NO_PROCESSES: Final[Rules] = {
    "fork": DENY,
    "vfork": DENY,
    "execve": DENY,
    "execveat": DENY,
    "clone": (_NO_NAMESPACES, Bits(0, _THREAD, _THREAD)),
    "clone3": ABSENT,
    "socket": DENY,
}


def checker_filter(machine: str = MACHINE) -> bytes:
    """On top, for the children of a checker: threads only."""
    return assemble(_NO_PROCESSES | _CONFINED, ALLOW, machine)


def _plain_open(flags: int) -> Rule:
    """Open as Landlock understands it: no truncating read, no mode that is neither."""
    truncating = NotBits(flags, _TRUNCATE | _ACCESS_MODE, _TRUNCATE)
    return (truncating, NotBits(flags, _ACCESS_MODE, _ACCESS_MODE))


def fence_filter(machine: str = MACHINE) -> bytes:
    """The filter of a zygote behind a fence, which itself must still fork, kill and clean.

    Older versions of Landlock know nothing of truncation: what truncates is refused here.
    """
    rules = _common_rules() | _CONFINING
    rules |= dict.fromkeys(syscalls.PROCESSES, ALLOW)
    rules |= {
        "truncate": DENY,
        "open": _plain_open(1),
        "openat": _plain_open(2),
        "openat2": ABSENT,  # its flags are behind a pointer
        "socketpair": (Among(0, (_AF_UNIX,)), Bits(1, _SOCKET_TYPE, _SOCK_STREAM)),
    }
    return assemble(rules, DENY, machine)


def lonely_filter(pid: int, machine: str = MACHINE) -> bytes:
    """On top, for a child behind a fence: no processes, and signals to itself only.

    Landlock knows nothing of permissions, owners and times, and the files may be the
    user's own: those calls are refused too.
    """
    mine: Rule = (Among(0, (pid,)),)
    rules: Rules = dict.fromkeys(syscalls.ATTRIBUTES, DENY)
    rules |= {"kill": mine, "tgkill": mine, "rt_sigqueueinfo": mine}
    rules |= {"rt_tgsigqueueinfo": mine, "tkill": DENY, "pidfd_send_signal": DENY}
    rules |= {"pidfd_open": DENY, "setsid": DENY, "setpgid": DENY}
    return assemble(_NO_PROCESSES | _CONFINED | rules, ALLOW, machine)
