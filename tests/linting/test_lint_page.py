"""The page on linting: its examples run, and it names every fault."""

import doctest
import re
from pathlib import Path

import pytest

import anyofk.linting
from anyofk.linting.ways import WAYS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "linting.md"
MODULES = sorted(Path(anyofk.linting.__file__).parent.glob("*.py"))


def test_the_examples_run():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried) == (0, 6)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.what)
def test_every_wrong_way_is_named(way):
    assert f"`{way.what}`" in PAGE.read_text("utf-8")


def test_every_other_fault_is_named():
    text = PAGE.read_text("utf-8")
    called = r'(?:what=|_fault\(\n?\s*(?:one,\s*)?)"(\w+)"|^_[A-Z]+: Final = \(\n    "(\w+)",$'
    found = re.compile(called, re.MULTILINE)
    named = {a or b for path in MODULES for a, b in found.findall(path.read_text("utf-8"))}
    assert {"no_interval", "falls_with_k", "draws_alone", "leaves_0_to_1", "mixed_n"} <= named
    assert not {name for name in named if f"`{name}`" not in text}
