"""Which level is found where, and that none is believed without a probe."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from zygotes import HERE, SOURCE, start, system_python

from anyofk.errors import SandboxError
from anyofk.sandbox import Zygote, ZygoteSpec, find_level, probe_levels
from anyofk.sandbox.probes import INSIDE, PROMISED


def contained(*what, python=sys.executable):
    """Run the container program as whoever runs the tests."""
    environment = {"PYTHONPATH": f"{SOURCE}:{HERE}", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    command = [python, "-B", str(HERE / "container.py"), *what]
    how = {"capture_output": True, "text": True, "env": environment, "cwd": "/"}
    done = subprocess.run(command, timeout=120, check=False, **how)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(params=["as we are", "as an ordinary user"])
def container(request):
    if request.param == "as we are":
        return contained
    as_nobody = request.getfixturevalue("as_nobody")
    return lambda *what: as_nobody("container.py", *what)


def test_with_nothing_taken_away_the_jail_holds(container):
    told = container()
    assert told["level"] == "jail"
    assert (told["kind"], told["stdout"], told["left"]) == ("done", "['f']", [])


@pytest.mark.parametrize("what", ["namespaces", "mounts"])
def test_where_namespaces_are_refused_the_fence_holds_and_says_why(container, what):
    told = container(what)
    assert told["level"] == "fence"
    assert "not permitted" in told["survey"]["refused"]["jail"].lower()
    assert (told["kind"], told["stdout"], told["left"]) == ("done", "['f']", [])
    assert all(told["survey"]["probes"].values())


def test_where_no_process_table_can_be_had_the_jail_holds_and_denies_processes(as_nobody):
    """A container that hides parts of /proc forbids another /proc in a user namespace."""
    told = as_nobody("container.py", hide="/proc/keys")
    assert (told["level"], told["processes"]) == ("jail", False)
    assert all(told["survey"]["probes"].values())
    assert as_nobody("container.py")["processes"] is True


@pytest.mark.parametrize("what", [(), ("namespaces",)])
def test_root_becomes_a_user_that_owns_nothing(what):
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has no other to become")
    users = {contained(*what, python=system_python())["inside"] for _ in range(2)}
    assert len(users) == 2
    assert min(users) >= 1000


def test_with_landlock_gone_too_it_refuses_with_a_hint(container):
    told = container("namespaces", "landlock")
    assert "level" not in told
    assert "fence" in told["error"]
    assert "docker run" in told["hint"]
    assert "--allow-weak" in told["hint"]
    assert told["weak"] == "limits"


def test_the_jail_holds_for_an_ordinary_user_too(as_nobody):
    told = as_nobody("container.py")
    assert (told["user"], told["level"]) == (65534, "jail")
    assert all(told["survey"]["probes"].values())


def test_a_survey_names_every_protection_and_how_it_is_made():
    survey = probe_levels()
    assert {row.name for row in survey.rows} == PROMISED["jail"]
    assert all(row.how for row in survey.rows)
    if survey.level in {"jail", "fence"}:
        assert all(row.holds for row in survey.rows)
        assert not any(row.remedy for row in survey.rows)
    assert survey.facts["python"] == sys.version.split()[0]


def test_a_stated_virtual_machine_is_believed(monkeypatch):
    monkeypatch.setenv("ANYOFK_VM", "1")
    assert probe_levels().level == "vm"


def test_inside_a_virtual_machine_the_strongest_level_that_works_is_run():
    runner = start("vm")
    assert runner.zygote.hello.level in {"jail", "fence", "limits"}
    assert runner.says("print('runs')") == "runs\n"
    runner.zygote.close()


def test_on_another_system_than_linux_it_refuses_and_names_a_container(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SandboxError, match="darwin") as refused:
        find_level(allow_weak="limits")
    assert "docker run" in refused.value.hint
    assert find_level(allow_weak="none") == "none"


def test_a_weaker_level_than_allowed_is_never_returned():
    order = ("vm", "jail", "fence", "limits", "none")
    for least in order[2:]:
        assert order.index(find_level(allow_weak=least)) <= order.index(least)


def test_every_probe_fails_where_nothing_protects():
    """A probe that could not fail would prove nothing."""
    runner = start("limits")
    harmless = sorted(INSIDE.keys() - {"signals", "processes", "runtime read-only", "memory"})
    held = json.loads(runner.run(json.dumps(harmless), body="probe").report)
    runner.zygote.close()
    expected = dict.fromkeys(harmless, False) | {"descriptors": True}
    if os.geteuid() != 0:
        expected.pop("privileges")
        held.pop("privileges")
    assert held == expected


@pytest.mark.parametrize("level", ["jail", "fence"])
def test_a_level_is_not_accepted_when_a_probe_does_not_hold(level, monkeypatch, tmp_path):
    """A copy of the package whose filter no longer kills is refused at start."""
    start(level).zygote.close()
    copy = tmp_path / "anyofk"
    shutil.copytree(SOURCE / "anyofk", copy, ignore=shutil.ignore_patterns("__pycache__"))
    broken = copy / "sandbox" / "filters.py"
    text, kills = broken.read_text(), "dict.fromkeys(syscalls.FATAL, KILL)"
    assert kills in text
    broken.write_text(text.replace(kills, "dict.fromkeys(syscalls.FATAL, DENY)"))
    monkeypatch.setattr("anyofk.sandbox.runtime.source_directory", lambda: str(tmp_path))
    with pytest.raises(SandboxError, match="ptrace"):
        Zygote.start(ZygoteSpec(level=level))
