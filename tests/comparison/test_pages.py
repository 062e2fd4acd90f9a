"""The pages on comparing, curves and diagnosing: their examples run as they stand."""

import doctest
import re
from pathlib import Path

import pytest

from anyofk.comparison import compare
from anyofk.diagnosis import order, repeats, stopping

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["comparing", "curves", "diagnosing"])
def test_the_examples_of_a_page_run(name):
    failed, tried = doctest.testfile(str(DOCS / f"{name}.md"), module_relative=False)
    assert tried > 3
    assert failed == 0


def test_every_attribute_of_a_difference_is_on_its_page():
    text = (DOCS / "comparing.md").read_text(encoding="utf-8")
    rows = {f"p{i}": (4, i % 5) for i in range(30)}
    later = {f"p{i}": (4, (i + 1) % 5) for i in range(30)}
    named = set(re.findall(r"`(\w+)`", text)) | {"n_max_a", "n_min_b", "k"}
    assert set(compare(rows, later, 1)[1].to_json()) <= named


def test_every_check_of_a_diagnosis_is_on_its_page():
    text = (DOCS / "diagnosing.md").read_text(encoding="utf-8")
    called = r'(?:Check|_check|_alike|_grouped)\(\s*"(\w+)"'
    for module in (order, repeats, stopping):
        for name in re.findall(called, Path(module.__file__).read_text(encoding="utf-8")):
            assert f"`{name}`" in text, name
