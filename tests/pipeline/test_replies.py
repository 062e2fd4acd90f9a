"""Raw replies are judged by what is taken out of them, and what has no program says why."""

import json
import sqlite3

import pytest

from anyofk.exchange import read_candidates
from anyofk.judging import judge_all
from anyofk.pipeline import Extractor, JudgingSettings, StoredVerification, problem_set, verify
from anyofk.records import Candidate, Outcome, Problem, Reply, Tests
from anyofk.store import Run

HALF = Problem(
    "half",
    prompt='import math\n\ndef half(n):\n    """Halve it."""\n',
    entry_point="half",
    tests=(Tests(code="assert half(4) == 2"),),
    reference="def half(n):\n    return n // 2\n",
    prompt_is_code=True,
)
REPLIES = {
    "passed": "Sure!\n```python\ndef half(n):\n    return n // 2\n```\nDone.",
    "wrong_answer": "<think>hm</think>```python\ndef half(n):\n    return n\n```",
    "no_code": "I can't do that.",
    "syntax_error": "```python\ndef half(n)\n    return n // 2\n```",
    "missing_entry_point": "```python\ndef halve(n):\n    return n // 2\n```",
    "truncated": "```python\ndef half(n):\n    return n /",
}


def lines(name="reply"):
    rows = [{"task_id": "half", "draw": i, name: text} for i, text in enumerate(REPLIES.values())]
    rows[-1]["finish_reason"] = "length"
    return rows


@pytest.fixture
def replies(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in lines()), "utf-8")
    return path


def judged(verification):
    return {v.draw: v.outcome.value for v in verification}


def test_each_reply_gets_the_outcome_of_its_program_or_of_its_extraction(replies):
    found = {v.draw: v.outcome.value for v in verify(replies, [HALF], extract=True)}
    assert [found[i] for i in range(len(REPLIES))] == list(REPLIES)


def test_a_stored_run_keeps_the_raw_reply_beside_the_program(replies, tmp_path):
    store = tmp_path / "run.db"
    list(verify(replies, [HALF], extract=True, store=store))
    with Run(store) as run:
        rows = run.query("SELECT draw, CAST(text AS TEXT), extraction FROM replies ORDER BY draw")
        programs = [c.text for c in run.candidates()]
        version = run.manifest.content["candidates"]["extraction"]
    assert [text for _, text, _ in rows] == list(REPLIES.values())
    assert [status for _, _, status in rows][2:] == list(REPLIES)[2:]
    assert programs[0] == "def half(n):\n    return n // 2\n"
    assert version == Extractor().version != "none"


def test_another_extraction_is_another_run(replies, tmp_path):
    problems, settings = problem_set([HALF]), JudgingSettings(level="none", allow_weak="none")
    source = read_candidates(replies, problems, raw=True)
    none = lambda pairs: iter(())  # noqa: E731 - nothing is judged here

    def open_with(extractor):
        path = tmp_path / "run.db"
        return StoredVerification(path, source, problems, settings, judge=none, extractor=extractor)

    with open_with(Extractor()):
        pass
    with pytest.raises(ValueError, match=r"candidates\.extraction: 1, now 1 \(completion\)"):
        open_with(Extractor("completion"))


def test_an_interrupted_run_of_replies_goes_on_with_what_was_taken_out(replies, tmp_path):
    problems, settings = problem_set([HALF]), JudgingSettings()
    source = read_candidates(replies, problems, raw=True)
    store = tmp_path / "run.db"
    with StoredVerification(store, source, problems, settings, judge=lambda pairs: iter(())):
        pass
    with StoredVerification(store, source, problems, settings) as work:
        assert sorted(judged(work).values()) == sorted(REPLIES)


def test_a_status_is_the_outcome_even_where_the_text_would_run():
    program = "def half(n):\n    return n // 2\n"
    pairs = [
        (HALF, Candidate("half", i, program, extraction=status))
        for i, status in enumerate(("ok", "no_code", "truncated", "syntax_error"))
    ]
    found = {v.draw: v.outcome for v in judge_all(pairs, workers=1)}
    assert found[0] is Outcome.PASSED
    assert [found[i].value for i in (1, 2, 3)] == ["no_code", "truncated", "syntax_error"]


def test_an_adapter_of_the_extraction_stands_in_the_verdict():
    reply = Reply(
        "half", 0, "```python\nclass Solution:\n    def half(self, n):\n        return 2\n```"
    )
    answer = Extractor().answer(HALF, reply)
    (verdict,) = judge_all([(HALF, answer.candidate)], workers=1)
    assert (verdict.outcome, verdict.adapter) == (Outcome.PASSED, "Solution().half")


def test_a_program_of_another_field_is_no_reply_when_replies_are_there(tmp_path):
    path = tmp_path / "both.jsonl"
    row = {"task_id": "half", "solution": "def half(n):\n    return 0\n", "raw": REPLIES["passed"]}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    (as_reply,) = verify(path, [HALF], extract=True)
    (as_program,) = verify(path, [HALF])
    assert (as_reply.outcome, as_program.outcome) == (Outcome.PASSED, Outcome.WRONG_ANSWER)


def test_a_file_of_replies_given_as_programs_is_refused_with_the_way_out(replies):
    with pytest.raises(ValueError, match="no field holds the answer") as caught:
        verify(replies, [HALF])
    assert "--extract" in caught.value.hint


def test_a_run_from_before_there_were_replies_still_reads(tmp_path):
    store = tmp_path / "old.db"
    programs = [Candidate("half", 0, "def half(n):\n    return n // 2\n")]
    list(verify(programs, [HALF], store=store))
    old = sqlite3.connect(store)
    old.executescript(
        "DROP VIEW answers; DROP TABLE replies; DROP TABLE requests; DROP TABLE extensions;"
        "PRAGMA user_version = 1"
    )
    old.close()
    with Run(store) as run:
        assert [c.text for c in run.candidates()] == [programs[0].text]
        assert run.query("SELECT count(*) FROM replies") == [(0,)]
    assert list(verify(programs, [HALF], store=store)) == []
