"""A model that sees what its program did on the public tests, and answers again."""

import json

import pytest
from drawn_runs import LEAST, PROBLEMS, Judge, Model, plan, run, unavailable

from anyofk.drawing import Came, Choice, PromptTemplate, Usage
from anyofk.errors import TooFewDrawsError, UnlikeRunsError, UsageError
from anyofk.estimates import curve
from anyofk.pipeline import JudgingSettings, problem_set
from anyofk.records import Outcome, Problem, Tests
from anyofk.reports.cautions import cautions
from anyofk.reports.drawn import drawn_costs
from anyofk.reports.rounds import success_by_round
from anyofk.reports.summary import Question, summarise
from anyofk.store import Run

SECRET = 654321
TWICE = Problem(
    "twice",
    prompt="Double it.",
    entry_point="f",
    tests=(
        Tests("public", public=True, code="assert f(2) == 4\nassert f(5) == 10"),
        Tests(code=f"assert f({SECRET}) == {2 * SECRET}"),
    ),
    reference="def f(x):\n    return 2 * x\n",
)
ANSWERS = ("return x + 2", "return x * x", "return 2 * x")


class Learner(Model):
    """Give one answer after another, as long as it is told that they fail."""

    def __init__(self, answers=ANSWERS):
        super().__init__()
        self.answers, self.told = answers, []

    async def ask(self, question):
        self.told.extend(told for _, told in question.turns[-1:])
        text = self.answers[len(question.turns)]
        if isinstance(text, Exception):
            raise text
        said = f"```python\ndef f(x):\n    {text}\n```"
        return Came((Choice(said, "stop"),), Usage(10, 5), "m")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "run.db"


def repaired(store, model, rounds=3, n=2, **options):
    settings = JudgingSettings(workers=1)
    return run(
        store,
        model,
        settings.judge,
        problem_set([TWICE]),
        rounds=rounds,
        n=n,
        settings=settings,
        **options,
    )  # fmt: skip - short as it is


def test_a_model_repairs_its_program_by_what_it_is_told(store):
    model = Learner()
    verdicts, _ = repaired(store, model)
    assert [v.outcome for v in verdicts] == [Outcome.PASSED] * 2
    assert len(model.told) == 4
    assert all("wrong answer" in told and "corrected program" in told for told in model.told)
    with Run(store) as found:
        rows = found.query("SELECT earlier FROM replies")
        costs = drawn_costs(found)
    assert all(len(json.loads(earlier)) == 2 for (earlier,) in rows)
    assert (costs.requests, costs.prompt_tokens, costs.completion_tokens) == (2, 60, 30)


def test_nothing_of_the_hidden_tests_is_told(store):
    model = Learner(("return x + 2", "return 0 if x > 9 else 7", "return 0"))
    repaired(store, model)
    assert model.told
    assert not any(str(SECRET)[:4] in told for told in model.told)


def test_passing_the_public_tests_ends_a_conversation_and_hidden_ones_decide(store):
    model = Learner(("return {2: 4, 5: 10}.get(x)",))
    verdicts, _ = repaired(store, model)
    assert model.told == []
    assert [v.outcome for v in verdicts] == [Outcome.WRONG_ANSWER] * 2


def test_the_last_round_is_the_answer_whatever_it_is(store):
    model = Learner()
    verdicts, _ = repaired(store, model, rounds=2)
    assert [v.outcome for v in verdicts] == [Outcome.WRONG_ANSWER] * 2
    assert len(model.told) == 2


def test_success_is_estimated_for_each_number_of_rounds(store):
    repaired(store, Learner())
    with Run(store) as found:
        by_round = success_by_round(found, Question())
        summary = summarise(found, Question())
    assert [by_round[r].value for r in (1, 2, 3)] == [0.0, 0.0, 1.0]
    assert all(each.low <= each.value <= each.high for each in by_round.values())
    assert (summary.single, list(summary.estimates)) == ("success in 3 rounds", [1])


def test_pass_at_k_of_conversations_is_refused_everywhere(store):
    with pytest.raises(TooFewDrawsError, match="conversations of up to 3 rounds"):
        plan(2, rounds=3).check_attempts((2,))
    repaired(store, Learner())
    with Run(store) as found:
        assert "with feedback" in str(summarise(found, Question(k=(2,))).estimates[2])
        assert any("conversation of up to 3 rounds" in said for said in cautions(found))
        with pytest.raises(TooFewDrawsError, match="with feedback"):
            curve(found, [1, 2])


def test_a_server_that_fails_in_the_middle_leaves_the_conversation_missing_and_paid(store):
    repaired(store, Learner(("return x + 2", unavailable())), n=1)
    with Run(store) as found:
        assert [(c.n, c.broken) for c in found.counts()] == [(0, 1)]
        assert found.query("SELECT came, prompt_tokens FROM requests") == [(0, 10)]


def test_other_rounds_or_feedback_are_another_run(store):
    repaired(store, Learner())
    with pytest.raises(UnlikeRunsError, match=r"drawing\.rounds: 3, now 2"):
        repaired(store, Learner(), rounds=2)
    prompt = PromptTemplate("chat", "{prompt}", "{prompt}", "{prompt}", feedback="No: {feedback}")
    with pytest.raises(UnlikeRunsError, match="feedback"):
        repaired(store, Learner(), prompt=prompt)


def test_problems_without_public_tests_and_completions_cannot_be_repaired(store):
    with pytest.raises(UsageError, match="3 problems have no public tests to repair by"):
        run(store, Model(), Judge(), PROBLEMS, rounds=2, settings=LEAST)
    for other in ({"completions": True}, {"choices": 2}):
        with pytest.raises(UsageError, match="rounds of repair need a chat"):
            plan(2, rounds=2, **other)
