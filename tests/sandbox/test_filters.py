"""Seccomp filters, run by a small machine of our own: the kernel's rules for them, in Python."""

import errno
import re
import struct
from pathlib import Path

import pytest

from anyofk.sandbox import filters, syscalls

ARCHES = ["x86_64", "aarch64"]
HEADERS = {
    "x86_64": ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"],
    "aarch64": ["/usr/include/asm-generic/unistd.h"],
}
EPERM = 0x00050000 | errno.EPERM


def verdict(code, arch, number, *args):
    """What a filter answers to a call; the instructions that it may have are these few."""
    data = struct.pack("<iIQ6Q", number, arch, 0, *(args + (0,) * (6 - len(args))))
    accumulator, at = 0, 0
    while True:
        operation, jump_true, jump_false, k = struct.unpack_from("HBBI", code, 8 * at)
        at += 1
        if operation == 0x20:
            accumulator = struct.unpack_from("<I", data, k)[0]
        elif operation == 0x54:
            accumulator &= k
        elif operation == 0x05:
            at += k
        elif operation == 0x06:
            return k
        else:
            holds = {0x15: accumulator == k, 0x35: accumulator >= k}[operation]
            at += jump_true if holds else jump_false


@pytest.fixture(params=ARCHES)
def machine(request):
    return request.param


def ask(machine, code, name, *args):
    return verdict(code, syscalls.AUDIT_ARCH[machine], syscalls.numbers(machine)[name], *args)


def test_the_numbers_are_those_of_the_kernel_s_headers(machine):
    paths = [Path(path) for path in HEADERS[machine] if Path(path).is_file()]
    if not paths:
        pytest.skip("the kernel's headers are not installed")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)"
    known = {name: int(number) for name, number in re.findall(pattern, paths[0].read_text())}
    known.setdefault("newfstatat", known.get("fstatat", -1))
    ours = {n: k for n, k in syscalls.numbers(machine).items() if n in known}
    assert len(ours) > 200
    assert ours == {name: known[name] for name in ours}


def test_no_two_names_share_a_number(machine):
    numbers = list(syscalls.numbers(machine).values())
    assert len(numbers) == len(set(numbers))
    assert max(numbers) <= syscalls.LAST_KNOWN


@pytest.mark.parametrize("name", ["read", "write", "openat", "mmap", "futex", "exit_group"])
def test_everyday_calls_are_allowed(machine, name):
    assert ask(machine, filters.jail_filter(2, machine=machine), name) == filters.ALLOW
    assert ask(machine, filters.fence_filter(machine), name) == filters.ALLOW


@pytest.mark.parametrize("name", sorted(syscalls.FATAL))
def test_calls_of_no_honest_program_kill(machine, name):
    if name not in syscalls.numbers(machine):
        pytest.skip("does not exist on this architecture")
    for code in (filters.jail_filter(2, machine=machine), filters.fence_filter(machine)):
        assert ask(machine, code, name) == filters.KILL


def test_every_number_that_nobody_thought_about_is_refused(machine):
    named = set(syscalls.numbers(machine).values())
    arch, code = syscalls.AUDIT_ARCH[machine], filters.jail_filter(2, machine=machine)
    unnamed = [n for n in range(syscalls.LAST_KNOWN + 1) if n not in named]
    assert {verdict(code, arch, number) for number in unnamed} == {EPERM}
    assert verdict(code, arch, syscalls.LAST_KNOWN + 1) == filters.ABSENT
    assert verdict(code, arch, 0x3FFFFFFF) == filters.ABSENT


def test_another_architecture_and_x32_kill():
    code = filters.jail_filter(2, machine="x86_64")
    assert verdict(code, syscalls.AUDIT_ARCH["aarch64"], 0) == filters.KILL
    assert verdict(code, 0x40000003, 0) == filters.KILL
    assert verdict(code, syscalls.AUDIT_ARCH["x86_64"], 0x40000000) == filters.KILL


@pytest.mark.parametrize("flag", [0x20000, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30])
def test_clone_makes_processes_and_threads_but_no_namespaces(machine, flag):
    code = filters.jail_filter(2, machine=machine)
    assert ask(machine, code, "clone", 17) == filters.ALLOW
    assert ask(machine, code, "clone", 0x10000) == filters.ALLOW
    assert ask(machine, code, "clone", flag | 17) == EPERM
    assert ask(machine, code, "clone3") == filters.ABSENT


def test_only_unix_sockets_exist(machine):
    code = filters.jail_filter(2, machine=machine)
    answers = {family: ask(machine, code, "socket", family, 1) for family in range(46)}
    assert {family for family, answer in answers.items() if answer == filters.ALLOW} == {1}
    assert ask(machine, filters.fence_filter(machine), "socket", 1, 1) == EPERM


@pytest.mark.parametrize("name", ["kill", "tgkill", "tkill", "pidfd_open"])
def test_the_template_is_spared_and_others_can_be_signalled(machine, name):
    code = filters.jail_filter(77, machine=machine)
    assert ask(machine, code, name, 78, 9) == filters.ALLOW
    for target in (77, -77 & 0xFFFFFFFF, 0xFFFFFFFF, 0):
        assert ask(machine, code, name, target, 9) == EPERM


@pytest.mark.parametrize("name", ["kill", "tgkill", "rt_sigqueueinfo"])
def test_behind_a_fence_a_program_signals_itself_only(machine, name):
    code = filters.lonely_filter(77, machine)
    assert ask(machine, code, name, 77, 9) == filters.ALLOW
    for target in (76, 1, 0, 0xFFFFFFFF, -77 & 0xFFFFFFFF):
        assert ask(machine, code, name, target, 9) == EPERM


def test_no_processes_means_threads_only(machine):
    for code in (filters.checker_filter(machine), filters.lonely_filter(77, machine)):
        assert ask(machine, code, "clone", 17) == EPERM
        assert ask(machine, code, "clone", 0x3D0F00) == filters.ALLOW
        assert ask(machine, code, "execve") == EPERM


def test_what_a_confining_zygote_may_do_its_children_may_not(machine):
    outer = filters.jail_filter(2, confining=True, machine=machine)
    inner = filters.checker_filter(machine)
    assert ask(machine, outer, "prctl", 22) == filters.ALLOW
    assert ask(machine, inner, "prctl", 22) == EPERM
    assert ask(machine, filters.jail_filter(2, machine=machine), "prctl", 22) == EPERM
    assert ask(machine, inner, "landlock_restrict_self") == EPERM


def test_signals_through_descriptors_and_typing_into_terminals_are_refused(machine):
    code = filters.fence_filter(machine)
    for command in (8, 10, 15):
        assert ask(machine, code, "fcntl", 3, command) == EPERM
    assert ask(machine, code, "fcntl", 3, 1) == filters.ALLOW
    assert ask(machine, code, "ioctl", 3, 0x5412) == EPERM
    assert ask(machine, code, "ioctl", 3, 0x541B) == filters.ALLOW


def test_behind_a_fence_opening_never_truncates_what_it_may_only_read(machine):
    code = filters.fence_filter(machine)
    truncate = 0o1000
    for flags, allowed in ((0, True), (1 | truncate, True), (2 | truncate, True)):
        assert (ask(machine, code, "openat", 0, 0, flags) == filters.ALLOW) is allowed
    for flags in (truncate, 3, 3 | truncate):
        assert ask(machine, code, "openat", 0, 0, flags) == EPERM
