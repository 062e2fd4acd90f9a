"""The pages about the quantities: their examples run, and their links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "docs" / "statistics"
NAMES = sorted(path.name for path in PAGES.glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_page_run(name):
    failed, _ = doctest.testfile(
        str(PAGES / name), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_its_links_lead_to_pages(name):
    text = (PAGES / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([\w-]+\.md)\)", text)
    assert [link for link in links if not (PAGES / link).is_file()] == []
