"""The command line with its standard streams closed, full, or of another encoding."""

import json
import subprocess
import sys

import pytest

ANYOFK = f"{sys.executable} -m anyofk"
COUNTS = "problem,n,c\na,5,2\nb,5,3\n"


@pytest.fixture
def shell(tmp_path):
    (tmp_path / "counts.csv").write_text(COUNTS, encoding="utf-8")

    def run(line, **env):
        return subprocess.run(
            ["/bin/bash", "-c", line.replace("anyofk", ANYOFK, 1)],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", **env},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return run


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_a_closed_stream_changes_no_result(shell, closed):
    done = shell(f"anyofk estimate counts.csv --json {closed}")
    assert done.returncode == 0
    assert json.loads(done.stdout)["estimates"]["1"]["value"] == 0.5


def test_a_closed_output_is_as_good_as_the_null_device(shell):
    done = shell("anyofk estimate counts.csv >&- 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("form", ["--json", ""])
def test_a_full_disk_behind_the_output_is_told_as_such(shell, form):
    done = shell(f"anyofk estimate counts.csv {form} > /dev/full")
    assert done.returncode == 4
    assert "error: output cannot be written: no space left on device" in done.stderr


def test_a_terminal_of_ascii_gets_every_word(shell):
    done = shell("anyofk runs rm 'no·run'", PYTHONIOENCODING="ascii:strict")
    assert "no\\xb7run" in done.stderr
    table = shell("anyofk estimate counts.csv", PYTHONIOENCODING="ascii:strict")
    assert (table.returncode, "pass@1" in table.stdout) == (0, True)


def test_a_device_stays_what_it_is_when_it_is_written_to(shell, tmp_path):
    fifo = "mkfifo pipe; (cat pipe > got &); "
    run = "anyofk verify s.jsonl --problems p.jsonl --name r --json > /dev/null; "
    (tmp_path / "p.jsonl").write_text('{"id": "a", "hidden": "assert f(1) == 1"}', encoding="utf-8")
    (tmp_path / "s.jsonl").write_text(
        '{"problem": "a", "program": "def f(x): return x"}', encoding="utf-8"
    )
    assert shell(run).returncode == 0
    done = shell(f"{fifo}anyofk export r -o pipe; test -p pipe && sleep 0.3; cat got")
    assert json.loads(done.stdout)["problem"] == "a"


def test_a_link_goes_on_pointing_to_what_is_exported(tmp_path):
    from anyofk.cli.export import _write_file  # noqa: PLC0415 - the door to files alone

    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    assert _write_file(["x\n"], link) == 1
    assert link.is_symlink()
    assert target.read_text("utf-8") == "x\n"
