"""The notebooks run from top to bottom, without any notebook package, and show what they store."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "run_notebook.py"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def run(*arguments):
    command = [sys.executable, "-W", "error", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def notebook(path, *cells, outputs=()):
    written = [
        {"cell_type": "code", "source": [cell], "metadata": {}, "outputs": list(outputs)}
        for cell in cells
    ]
    path.write_text(json.dumps({"cells": written}), "utf-8")
    return path


def test_the_companion_notebook_is_there():
    assert "0203-pass-at-k.ipynb" in [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_its_claims_and_shows_what_it_stores(path):
    done = run(path, "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_with_all_its_outputs(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert sum(bool(cell["outputs"]) for cell in code) > 10
    assert not [o for cell in code for o in cell["outputs"] if o["output_type"] == "error"]


def test_a_claim_that_fails_stops_the_notebook(tmp_path):
    done = run(notebook(tmp_path / "wrong.ipynb", "x = 1", "assert x == 2"), "--check")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_other_output_than_stored_is_found_and_stored_when_asked_for(tmp_path):
    path = notebook(tmp_path / "other.ipynb", "print('seen')\n1 + 1")
    assert run(path, "--check").returncode == 1
    assert run(path).returncode == 0
    assert run(path, "--check").returncode == 0
    (cell,) = json.loads(path.read_text("utf-8"))["cells"]
    assert cell["outputs"][0]["text"] == ["seen\n"]
    assert cell["outputs"][1]["data"] == {"text/plain": ["2"]}
