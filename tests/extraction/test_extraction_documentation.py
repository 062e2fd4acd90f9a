"""The page on extraction says what happens."""

import doctest
from pathlib import Path

from anyofk.extraction import STATUSES
from anyofk.extraction.parsing import MAX_CODE, MAX_DEPTH

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extraction.md"


def test_the_examples_of_the_page_hold():
    done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert done.attempted >= 10
    assert not done.failed


def test_the_page_names_every_status_and_both_bounds():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{status}` |" in text for status in STATUSES)
    assert f"{MAX_CODE:,} characters" in text
    assert f"more than {MAX_DEPTH} deep" in text
