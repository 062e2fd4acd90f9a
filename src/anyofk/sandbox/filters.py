"""Seccomp filters: what each system call is answered, as a program for the kernel."""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from typing import Final

from anyofk.sandbox import syscalls
from anyofk.sandbox.kernel import MACHINE

_LOAD, _RETURN, _JUMP = 0x20, 0x06, 0x05
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
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
_X32: Final = 0x40000000


@dataclass(frozen=True)
class Among:
    """Allow if an argument is one of some values, else refuse."""

    argument: int
    values: tuple[int, ...]
    otherwise: int = DENY


@dataclass(frozen=True)
class Without:
    """Allow if an argument has none of some bits (and all of others), else refuse."""

    argument: int
    forbidden: int
    needed: int = 0


Rule = int | Among | Without
Rules = dict[str, Rule]


def _op(code: int, k: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    """One instruction."""
    return struct.pack("HBBI", code, jump_true, jump_false, k)


def _load_argument(index: int) -> bytes:
    """Load the low half of an argument: all values judged here are 32 bits wide."""
    return _op(_LOAD, _ARGS + 8 * index)


def _among(rule: Among) -> bytes:
    """Compare with each value."""
    tests = b"".join(_op(_EQUAL, v, 0, 1) + _op(_RETURN, ALLOW) for v in rule.values)
    return _load_argument(rule.argument) + tests + _op(_RETURN, rule.otherwise)


def _without(rule: Without) -> bytes:
    """Test the bits."""
    code = _load_argument(rule.argument)
    code += _op(_ANY_BIT, rule.forbidden, 0, 1) + _op(_RETURN, DENY)
    if rule.needed:
        code += _op(_ANY_BIT, rule.needed, 1, 0) + _op(_RETURN, DENY)
    return code + _op(_RETURN, ALLOW)


def _answer(rule: Rule) -> bytes:
    """The instructions that end in a rule's answer."""
    if isinstance(rule, Among):
        return _among(rule)
    return _without(rule) if isinstance(rule, Without) else _op(_RETURN, rule)


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


def program_rules(*, processes: bool, sockets: bool) -> Rules:
    """What a judged program may call."""
    groups = [syscalls.FILES, syscalls.MEMORY, syscalls.TIME, syscalls.WAITING]
    groups += [syscalls.SIGNALS, syscalls.SENDING, syscalls.IDENTITY, syscalls.SOCKETS]
    groups += [syscalls.PROCESSES, syscalls.UNIX_SOCKETS] if processes else []
    rules: Rules = dict.fromkeys(frozenset().union(*groups), ALLOW)
    rules |= dict.fromkeys(syscalls.FATAL, KILL)
    rules |= {
        "clone": Without(0, _NAMESPACES),
        "clone3": ABSENT,  # its flags are behind a pointer; libc falls back to clone
        "prctl": Among(0, _PRCTL),
        "prlimit64": Among(0, (0,)),  # its own limits, not the zygote's
        "sched_setaffinity": Among(0, (0,)),
        "setpriority": Among(1, (0,)),
        "socket": Among(0, (_AF_UNIX,)) if sockets else DENY,
        "socketpair": Among(0, (_AF_UNIX,)),
    }
    return rules


def program_filter(machine: str = MACHINE) -> bytes:
    """The filter of a zygote in a jail, and of all that it forks."""
    return assemble(program_rules(processes=True, sockets=True), DENY, machine)


def no_processes() -> Rules:
    """Threads, but neither processes nor other programs."""
    refused = dict.fromkeys(("fork", "vfork", "execve", "execveat"), DENY)
    return {**refused, "clone": Without(0, _NAMESPACES, needed=_THREAD), "clone3": ABSENT}


def checker_filter(machine: str = MACHINE) -> bytes:
    """On top, for the children of a checker: threads only."""
    return assemble({**no_processes(), "socket": DENY}, ALLOW, machine)


def lonely_filter(pid: int, machine: str = MACHINE) -> bytes:
    """On top, for a child without namespaces: no processes, and signals to itself only."""
    mine = Among(0, (pid,))
    rules: Rules = {"kill": mine, "tgkill": mine, "rt_sigqueueinfo": mine}
    rules |= {"rt_tgsigqueueinfo": mine, "tkill": DENY, "pidfd_send_signal": DENY}
    rules |= {"pidfd_open": DENY, "socket": DENY, "setsid": DENY, "setpgid": DENY}
    return assemble({**no_processes(), **rules}, ALLOW, machine)
