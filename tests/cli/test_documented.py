"""What the documents say of the command line is what it does."""

import json
import re
from pathlib import Path
from typing import get_args

import anyofk.errors as tree
from anyofk import Counts
from anyofk.estimates import estimate_or_refuse
from anyofk.estimates.refusal import Reason

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "command-line.md").read_text("utf-8")


def test_every_exit_code_of_an_error_is_documented():
    kinds = [k for k in vars(tree).values() if isinstance(k, type) and hasattr(k, "exit_code")]
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
    assert {kind.exit_code for kind in kinds} | {0, 130} == codes


def test_every_reason_for_a_missing_number_is_documented():
    table = PAGE.partition("| `reason` of a missing number |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(get_args(Reason))


def test_the_documented_estimate_has_the_keys_of_a_real_one():
    shown = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL).group(1))
    real = estimate_or_refuse([Counts("a", 9, 3), Counts("b", 9, 1)], [1, 100])
    for k in ("1", "100"):
        assert list(shown["estimates"][k]) == list(real[int(k)].to_json())
