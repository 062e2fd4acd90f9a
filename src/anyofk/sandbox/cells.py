"""The levels, seen from inside: what a zygote does once, in each child, and after it."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from anyofk.errors import SandboxError
from anyofk.sandbox import child, filters, jail, kernel, landlock, mounts, runtime
from anyofk.sandbox.processes import ProcessTable, host_table
from anyofk.sandbox.scratch import Scratch, SharedScratch

if TYPE_CHECKING:
    from collections.abc import Callable

Spec = dict[str, Any]


class Cell(Protocol):
    """One level.

    ``counted`` is the number of this zygote's own processes that count against a child's
    limit, or -1 where that limit would count strangers; ``home`` is the writable
    directory, ``packages`` the one to import packages from; ``rules`` is a descriptor
    that each child needs to confine itself, or -1; ``confines`` says that each child must,
    ``sweeps_all`` that a sweep takes the template too, ``processes`` that programs may
    start processes.
    """

    rules: int
    confines: bool
    processes: bool
    sweeps_all: bool
    table: ProcessTable
    counted: int
    home: str
    packages: str

    def close(self, pid: int) -> None:
        """Confine the template, in it; its number is known by now."""

    def confine(self, pid: int) -> None:
        """Confine a child further, in the child."""

    def sweep(self, pid: int) -> int:
        """Kill what a child left running; give how many."""

    def overfull(self) -> bool:
        """Say whether a running child has filled its scratch beyond the limit."""

    def clean(self) -> bool:
        """Empty what a child wrote; say whether nothing is left."""

    def leave(self) -> None:
        """Take away what was made for this zygote: its parent may be gone."""


class JailCell:
    """Namespaces and a root of its own."""

    home = mounts.SCRATCH[0]
    packages = runtime.PACKAGES
    rules = -1
    sweeps_all = True

    def __init__(self, spec: Spec, parent: int) -> None:
        # The warden and the template; the guard is the same user, or is not.
        self.counted = 2 if jail.is_powerful() else 3
        room = (spec["packages"], spec["scratch_mb"], spec["inodes"])
        self._jail = jail.enter(*room, parent)
        self._scratch = [Scratch(path, mounts.SCRATCH_MODE) for path in mounts.SCRATCH]
        self.table = ProcessTable(self._jail.processes, self._jail.own_memory, private=True)
        # Without a process table no one could tell what the processes of a program use.
        alone = spec["role"] == "checker" or self._jail.processes < 0
        self.processes = not alone
        self._on_top = filters.checker_filter() if alone else b""
        self.confines = alone

    def close(self, pid: int) -> None:
        """Lay file rules over the mounts, and let the filter fall."""
        abi = kernel.landlock_abi()
        if abi:
            rules = landlock.Ruleset(abi, scoped=False)
            rules.allow(["/"], landlock.READ)
            rules.allow([*mounts.SCRATCH, "/dev/null", "/dev/zero"], landlock.write(abi))
            rules.enforce()
            os.close(rules.descriptor)
        kernel.install_filter(filters.jail_filter(pid, confining=bool(self._on_top)))

    def confine(self, _pid: int) -> None:
        """Keep a child from starting processes, where it may start none."""
        kernel.install_filter(self._on_top)

    def sweep(self, _pid: int) -> int:
        """Kill all, if there is anyone: the namespace holds nobody else."""
        if self._jail.processes < 0 or not self.table.strangers():
            return 0
        return self._jail.sweep()

    def overfull(self) -> bool:
        """The mounts have limits of their own."""
        return False

    def clean(self) -> bool:
        """Empty the scratch directories."""
        return all([scratch.clean() for scratch in self._scratch])  # noqa: C419 - clean both

    def leave(self) -> None:
        """Nothing to do: a namespace goes with its first process."""


class _Housed:
    """What the levels without mounts share: a directory of the zygote's own."""

    table: ProcessTable

    def __init__(self, spec: Spec) -> None:
        self._place = place = Path(spec["place"])
        self.home, self.packages = str(place / "tmp"), str(place / "packages")
        os.mkdir(self.home, 0o700)
        os.mkdir(self.packages, 0o755)
        for name, path in spec["packages"].items():
            os.symlink(path, f"{self.packages}/{name}")
        self._limits = (spec["scratch_mb"], spec["inodes"])

    def _settle(self) -> None:
        """Take the scratch directory, once it is certain who we are."""
        os.chdir(self.home)
        self._scratch = SharedScratch(self.home, 0o700)

    def overfull(self) -> bool:
        """Look at the scratch, which nothing else limits."""
        return self._scratch.touched() and self._scratch.exceeds(*self._limits)

    def clean(self) -> bool:
        """Empty the scratch directory."""
        return self._scratch.clean()

    def leave(self) -> None:
        """End all children and remove the directory."""
        for pid in self.table.children():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, kernel.WAIT_ALL)
        self.clean()
        os.chdir("/")
        with contextlib.suppress(OSError):  # the parent, if it lives, does the same
            for link in os.listdir(self.packages):
                os.unlink(f"{self.packages}/{link}")
            for directory in (self.home, self.packages, self._place):
                os.rmdir(directory)


class FenceCell(_Housed):
    """No namespaces: file rules, a filter of each child's own, no processes."""

    sweeps_all = processes = False
    confines = True

    def __init__(self, spec: Spec, _parent: int) -> None:
        super().__init__(spec)
        self._abi = kernel.landlock_abi()
        if not self._abi:
            raise SandboxError("the kernel has no Landlock, or refuses it here")
        self.rules = self._make_rules(list(spec["packages"].values()))
        self.counted = 2 if self._become_nobody(spec) else -1
        kernel.refuse_new_privileges()
        kernel.be_undumpable()
        self._settle()
        self.table = host_table()

    def _make_rules(self, packages: list[str]) -> int:
        """Allow the runtime to be read and the scratch to be written."""
        rules = landlock.Ruleset(self._abi, scoped=True)
        whole, listed = runtime.unmasked()
        rules.allow([*whole, *packages, self.packages], landlock.READ)
        rules.allow(listed, landlock.LIST)
        rules.allow((f"/dev/{name}" for name in runtime.DEVICES), landlock.READ)
        rules.allow([self.home, "/dev/null"], landlock.write(self._abi))
        return rules.descriptor

    def _become_nobody(self, spec: Spec) -> bool:
        """As root, take an identity that owns nothing, if it can still read the runtime."""
        above = str(Path(spec["place"]).parent)
        needed = (str(runtime.library()), *spec["packages"].values(), above)
        if jail.may_change_user() and all(map(_is_public, needed)):
            uid = jail.throw_away_id()
            for path in (spec["place"], self.home, self.packages):
                os.chown(path, uid, uid)
            jail.become(uid)
            kernel.drop_capabilities()
            return True
        kernel.drop_bounding_set()
        kernel.drop_capabilities()
        return False

    def close(self, _pid: int) -> None:
        """Let the filter fall."""
        kernel.die_with_parent()
        kernel.install_filter(filters.fence_filter())

    def confine(self, pid: int) -> None:
        """Put the child behind the file rules and a filter that knows its number."""
        kernel.die_with_parent()
        kernel.landlock_enforce(child.RULES_FD)
        os.close(child.RULES_FD)
        kernel.install_filter(filters.lonely_filter(pid))

    def sweep(self, _pid: int) -> int:
        """Nothing to do: a child starts no processes, and its threads end with it."""
        return 0


class BareCell(_Housed):
    """Limits only: no protection from malice."""

    counted = rules = -1
    sweeps_all, processes, confines = False, True, True

    def __init__(self, spec: Spec, _parent: int) -> None:
        super().__init__(spec)
        self._settle()
        self.table = host_table()

    def close(self, _pid: int) -> None:
        """Nothing holds here."""

    def confine(self, _pid: int) -> None:
        """Make the child a group, so that most of what it starts can be found."""
        os.setsid()

    def sweep(self, pid: int) -> int:
        """Kill the child's own group: what left it is not found."""
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return 0
        return 1


def _is_public(path: str) -> bool:
    """Say whether anyone may go to a path: every directory above is open to others."""
    parents = [Path(path), *Path(path).resolve().parents]
    return all(parent.stat().st_mode & 0o001 or not parent.is_dir() for parent in parents)


CELLS: Final[dict[str, Callable[[Spec, int], Cell]]] = {
    "jail": JailCell,
    "fence": FenceCell,
    "limits": BareCell,
    "none": BareCell,
}
