"""Reported numbers are found in the files of other tools, and in words."""

import json

import pytest

from anyofk.errors import DataError, UsageError
from anyofk.exchange.reported import read_reported


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "reported.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return str(path)

    return write


def test_words_may_have_errors_and_percent():
    assert read_reported("1=0.310, pass@10=60%") == {1: {"value": "0.310"}, 10: {"value": "60%"}}
    assert read_reported("1=0.31±0.02,5=0.4+-0.03") == {
        1: {"value": "0.31", "se": "0.02"},
        5: {"value": "0.4", "se": "0.03"},
    }


@pytest.mark.parametrize("words", ["1=", "=0.3", "1=0.3,", "0=0.3", "x=1", "1=0.3;5=0.4", "1=a b"])
def test_words_that_are_no_list_are_refused(words):
    with pytest.raises(UsageError, match="no reported number"):
        read_reported(words)


def test_the_same_k_twice_is_refused():
    with pytest.raises(UsageError, match="twice"):
        read_reported("1=0.3,pass@1=0.4")


@pytest.mark.parametrize(
    ("content", "right"),
    [
        ({"pass@1": 0.45, "model": "m"}, {1: {"value": "0.45"}}),
        (
            {
                "results": {
                    "humaneval": {"pass@1,create_test": 0.3, "pass@1_stderr,create_test": 0.04}
                }
            },
            {1: {"value": "0.3", "se": "0.04"}},
        ),
        (
            {"humaneval": {"pass@1": 0.31, "pass@10": 0.42}, "config": {"n_samples": 200}},
            {1: {"value": "0.31"}, 10: {"value": "0.42"}},
        ),
        ([{"pass@1": 0.4, "detail": {"pass@1": {"0": 0.5}}}, {"0": []}], {1: {"value": "0.4"}}),
        ({"pass_at_k": {"1": 0.5, "2": 0.75}}, {1: {"value": "0.5"}, 2: {"value": "0.75"}}),
        (
            {"scores": {"pass@1": {"value": 0.61, "ci_lower": 0.5, "ci_upper": 0.7}}},
            {1: {"value": "0.61", "low": "0.5", "high": "0.7"}},
        ),
        (
            {"estimates": {"1": {"value": 0.5, "se": 0.1, "low": 0.2, "high": 0.8}}},
            {1: {"value": "0.5", "se": "0.1", "low": "0.2", "high": "0.8"}},
        ),
        ({"estimates": {"1": {"value": 0.5}, "9": {"value": None}}}, {1: {"value": "0.5"}}),
        ('{"pass_at_1": 0.50}', {1: {"value": "0.50"}}),
    ],
)
def test_the_forms_of_tools_are_read(written, content, right):
    assert read_reported(written(content)) == right


def test_one_of_several_tables_must_be_chosen(written):
    path = written({"pass_at_k": {"base": {"pass@1": 0.6}, "plus": {"pass@1": 0.5}}})
    with pytest.raises(UsageError, match=r"'pass_at_k.base', 'pass_at_k.plus'"):
        read_reported(path)
    assert read_reported(path, "plus") == {1: {"value": "0.5"}}
    with pytest.raises(DataError, match="no table of pass@k at 'minus'"):
        read_reported(path, "minus")


@pytest.mark.parametrize(
    "content",
    ["", "[", "3", "null", "{}", '{"pass@1": null}', "[" * 100_000, '{"pass@1": [0.5]}', "\udcff"],
)
def test_a_file_without_a_table_is_refused(tmp_path, content):
    path = tmp_path / "reported.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError):
        read_reported(str(path))


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(DataError, match="cannot be read"):
        read_reported("no-such-file.json")
