import json
from dataclasses import dataclass

import pytest

from anyofk.errors import DataError, UsageError
from anyofk.exchange import (
    export,
    export_forms,
    read_counts,
    write_eval_arena,
    write_human_eval,
    write_verdicts,
)
from anyofk.records import Candidate, Counts, Outcome, Verdict
from anyofk.tallying import tally


@dataclass
class Run:
    pairs: list
    name: str = "mine"

    def candidates(self):
        return iter([candidate for candidate, _ in self.pairs])

    def verdicts(self):
        return iter([verdict for _, verdict in self.pairs if verdict is not None])

    def counts(self):
        return tally(self.verdicts())


def pair(problem, draw, outcome, text="x", message=""):
    verdict = Verdict(problem, draw, outcome, message, 1, 2, 0.5, 0.6) if outcome else None
    return Candidate(problem, draw, text, "completion"), verdict


RUN = Run(
    [
        pair("a", 0, Outcome.PASSED),
        pair("a", 1, Outcome.TIMEOUT),
        pair("a", 2, None),
        pair("b", 0, Outcome.WRONG_ANSWER, "\ud800\0", "expected 1, got \ud800"),
    ]
)


def test_verdicts_have_the_keys_of_the_contract_in_ascii():
    text = list(write_verdicts(RUN.verdicts()))
    assert all(line.isascii() and line.endswith("}\n") for line in text)
    assert json.loads(text[0]) == {
        "problem": "a",
        "draw": 0,
        "outcome": "passed",
        "message": "",
        "checks_passed": 1,
        "checks_expected": 2,
        "cpu_s": 0.5,
        "wall_s": 0.6,
        "mode": "isolated",
        "level": "none",
    }
    assert json.loads(text[2])["message"] == "expected 1, got \ud800"


def test_human_eval_results_use_its_words_and_pass_over_what_is_not_judged():
    rows = [json.loads(line) for line in export(RUN, "human-eval")]
    assert rows == [
        {"task_id": "a", "completion": "x", "result": "passed", "passed": True},
        {"task_id": "a", "completion": "x", "result": "timed out", "passed": False},
        {
            "task_id": "b",
            "completion": "\ud800\0",
            "result": "failed: wrong_answer: expected 1, got \ud800",
            "passed": False,
        },
    ]


def test_a_broken_verdict_is_never_written_as_a_wrong_answer():
    with pytest.raises(DataError, match="no word"):
        list(write_human_eval([pair("a", 0, Outcome.BROKEN)]))
    with pytest.raises(DataError, match="no word"):
        list(write_eval_arena([Counts("a", 1, 1, broken=1)], model="m", benchmark="b"))
    with pytest.raises(DataError, match="n = 0"):
        list(write_eval_arena([Counts("a", 0, 0)], model="m", benchmark="b"))


def test_a_verdict_without_its_candidate_is_a_damaged_run():
    run = Run(RUN.pairs)
    run.candidates = lambda: iter([])
    with pytest.raises(DataError, match="has a verdict and no text"):
        list(export(run, "human-eval"))


@pytest.mark.parametrize("form", ["counts", "eval-arena", "human-eval", "verdicts"])
def test_every_form_of_results_is_read_back_to_the_same_counts(tmp_path, form):
    path = tmp_path / "out"
    path.write_text("".join(export(RUN, form)))
    assert read_counts(path).counts() == RUN.counts() == [Counts("a", 2, 1), Counts("b", 1, 0)]


def test_the_forms_are_listed_and_others_refused_at_once():
    assert export_forms() == ["counts", "eval-arena", "human-eval", "verdicts"]
    with pytest.raises(UsageError, match="no export form called 'parquet'") as caught:
        export(RUN, "parquet")
    assert "verdicts" in caught.value.hint
