"""Fixtures that every test may use."""

from pathlib import Path

import pytest

# Doctests are looked for in every module; a conftest is none that can be imported by its name.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared reference material, where a checkout has it beside it."""
    if not (SHARED / "golden" / "golden.json").is_file():
        pytest.skip("the shared reference material is not beside this checkout")
    return SHARED
