"""A run from model to verdicts, with every draw once, whatever happens."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from drawn_runs import GREEDY, LEAST, PROBLEMS, Judge, Model, plan, problem, run, unavailable

from anyofk.drawing import Budget, Choice, Price, PromptTemplate, Sampling
from anyofk.errors import TooFewDrawsError, UnlikeRunsError, UsageError
from anyofk.estimates import estimate_or_refuse
from anyofk.pipeline import Extractor, chosen_problems, problem_set
from anyofk.pipeline import judging_settings as settings_module
from anyofk.records import Outcome, Tests
from anyofk.reports.attempt_costs import draws_in_turn
from anyofk.reports.cautions import cautions
from anyofk.reports.drawn import drawn_costs
from anyofk.reports.summary import Question, summarise
from anyofk.store import Run, RunWriter

ALL = {(p, draw) for p in "abc" for draw in range(4)}


@pytest.fixture
def store(tmp_path):
    return tmp_path / "run.db"


def places(path):
    with Run(path) as found:
        return [(c.problem, c.draw) for c in found.candidates()]


def test_every_draw_is_drawn_and_judged_once(store):
    model, judge = Model(), Judge()
    verdicts, ended = run(store, model, judge)
    assert ended == ""
    assert sorted(model.asked) == sorted(ALL)
    assert {(v.problem, v.draw) for v in verdicts} == ALL
    with Run(store) as found:
        assert [(c.n, c.c) for c in found.counts()] == [(4, 2)] * 3


def test_all_problems_get_a_first_draw_before_any_gets_a_second(store):
    model = Model()
    run(store, model, concurrency=1)
    assert [draw for _, draw in model.asked] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3


def test_what_did_not_come_is_missing_and_the_same_command_asks_for_exactly_that(store):
    gaps = {("a", 2), ("b", 1), ("b", 2), ("b", 3)}
    problems = chosen_problems(PROBLEMS, {}, 2)
    broken = Model(lambda p, d: unavailable() if (p, d) in gaps else f"```\n{p}{d}\n```")
    verdicts, _ = run(store, broken, problems=problems, concurrency=1)
    assert len(verdicts) == 4
    with Run(store) as found:
        counts = found.counts()
        assert [(c.n, c.broken) for c in counts] == [(3, 1), (1, 3)]
        refused = estimate_or_refuse(counts, 1)[1]
        assert (refused.reason, refused.error.exit_code) == ("unjudged_candidates", 5)
        assert (
            "4 draws of 2 problems are missing, not wrong (last: HTTP 503)" in cautions(found)[-1]
        )
    again = Model()
    run(store, again, problems=problems)
    assert sorted(again.asked) == sorted(gaps)
    assert len(places(store)) == 8


def test_a_budget_stops_between_requests_and_the_same_command_goes_on(store):
    first = Model()
    _, ended = run(store, first, concurrency=1, budget=Budget(tokens=60))
    assert ended == "60 of 60 tokens are spent"
    assert len(places(store)) == 4
    second = Model()
    _, ended = run(store, second, concurrency=1, budget=Budget(tokens=90))
    assert (len(second.asked), ended) == (2, "90 of 90 tokens are spent")
    run(store, Model())
    assert set(places(store)) == ALL


def test_a_run_that_is_left_keeps_what_came_and_goes_on(store):
    work = run
    verdicts = []

    class EndedError(Exception):
        pass

    def stopping(pairs):
        for verdict in Judge()(pairs):
            verdicts.append(verdict)
            if len(verdicts) == 3:
                raise EndedError
            yield verdict

    with pytest.raises(EndedError):
        work(store, Model(), stopping)
    judge, model = Judge(), Model()
    kept = set(places(store))
    run(store, model, judge)
    assert set(model.asked) == ALL - kept
    with Run(store) as found:
        assert sum(c.n for c in found.counts()) == 12
        assert found.query("SELECT count(*) FROM requests WHERE came = 1") == [(12,)]


def test_equal_programs_are_judged_once_and_keep_their_number(store):
    same = Model(lambda p, d: "```python\ndef f(x):\n    return 2\n```")
    judge = Judge()
    run(store, same, judge, concurrency=1)
    assert len(judge.judged) == 3
    with Run(store) as found:
        assert [(c.n, c.c) for c in found.counts()] == [(4, 4)] * 3
        assert found.query("SELECT sum(cpu_s) FROM verdicts") == [(0.75,)]


def test_judge_each_judges_equal_programs_one_by_one(store):
    judge = Judge()
    run(
        store, Model(lambda p, d: "```python\ndef f(x):\n    return 2\n```"), judge, judge_each=True
    )
    assert len(judge.judged) == 12


def test_equal_programs_of_different_problems_are_no_twins(store):
    judge = Judge()
    text = "```python\ndef f(x):\n    return 2\n```"
    run(store, Model(lambda p, d: text), judge, n=1)
    assert sorted(judge.judged) == [("a", 0), ("b", 0), ("c", 0)]


def test_a_broken_verdict_says_nothing_of_a_later_twin(store):
    seen = []

    def outcome(candidate):
        seen.append(candidate.draw)
        return Outcome.BROKEN if len(seen) == 1 else Outcome.PASSED

    text = "```python\ndef f(x):\n    return 2\n```"
    one = problem_set([problem("a")])
    run(store, Model(lambda p, d: text), Judge(outcome), one, concurrency=1)
    run(store, Model(), Judge(), one)
    with Run(store) as found:
        assert [(c.n, c.c, c.broken) for c in found.counts()] == [(4, 4, 0)]


def test_a_cut_reply_counts_as_failed_and_its_share_is_said(store):
    cut = Choice("", "length", "We need to think")
    run(store, Model(lambda p, d: cut))
    with Run(store) as found:
        rows = found.query("SELECT DISTINCT extraction, CAST(reasoning AS TEXT) FROM replies")
        said = " ".join(cautions(found))
    assert rows == [("truncated", "We need to think")]
    assert "12 of 12 replies (100%) were cut at the token limit" in said


def test_costs_count_each_request_once_and_failed_ones_too(store):
    answers = iter([unavailable()])
    model = Model(lambda p, d: next(answers, None) or f"```python\ndef f(x):\n    return {d}\n```")
    budget = Budget(price=Price(2.0, 8.0))
    run(store, model, budget=budget, concurrency=1)
    run(store, model, budget=budget, concurrency=1)
    with Run(store) as found:
        costs = drawn_costs(found, (1, 4, 9))
    assert (costs.requests, costs.failed_requests, costs.candidates) == (13, 1, 12)
    assert (costs.prompt_tokens, costs.completion_tokens) == (120, 60)
    assert costs.cost == pytest.approx((120 * 2 + 60 * 8) / 1e6)
    assert costs.per["pass"].tokens == pytest.approx(180 / 6)
    assert list(costs.attempts) == [1, 4]  # nine were never drawn
    at_once, in_turn = costs.attempts[4].at_once, costs.attempts[4].in_turn
    assert (at_once.draws, at_once.tokens) == (4, pytest.approx(60))
    assert in_turn.draws == pytest.approx(5 / 3)
    assert in_turn.tokens == pytest.approx(60 * 5 / 12)
    assert in_turn.cost == pytest.approx(costs.cost * 5 / 36)
    assert json.dumps(costs.to_json())


def test_layout_makes_other_texts_and_no_other_trees(store):
    texts = [
        "def f(x):\n    return 2",
        "def f(x):\n  # two\n  return (2)",
        "def f(x):\n    return 3",
    ]
    one = problem_set([problem("a")])
    run(store, Model(lambda p, d: f"```python\n{texts[d % 3]}\n```"), problems=one)
    with Run(store) as found:
        costs = drawn_costs(found)
    assert (costs.distinct_texts, costs.distinct_trees) == (3.0, 2.0)


def test_growing_keeps_the_old_draws_and_is_recorded(store):
    run(store, n=2)
    with pytest.raises(UnlikeRunsError, match=r"drawing\.n: 2, now 4") as caught:
        run(store, n=4)
    assert "--extend" in caught.value.hint
    model = Model()
    run(store, model, n=4, extend=True)
    assert sorted(model.asked) == sorted((p, d) for p, d in ALL if d >= 2)
    with Run(store) as found:
        assert found.query("SELECT n_before, n FROM extensions") == [(2, 4)]
        assert found.manifest.content["drawing"]["n"] == 4


def test_growing_does_not_let_anything_else_change(store):
    run(store, n=2)
    with pytest.raises(UnlikeRunsError, match="temperature"):
        run(store, n=4, extend=True, sampling=Sampling(temperature=0.2))


def edited(name, **fields):
    return problem_set([replace(p, **fields) if p.id == name else p for p in PROBLEMS])


TEMPLATE = PromptTemplate("mine", "{prompt}", "{prompt}", "{prompt}")
CHANGES = {
    "model": ({"model": "test:other"}, "settings.model"),
    "revision": ({"revision": "2"}, "settings.revision"),
    "temperature": ({"sampling": Sampling(temperature=0.7)}, "settings.temperature"),
    "top_p": ({"sampling": Sampling(top_p=0.9)}, "settings.top_p"),
    "max_tokens": ({"sampling": Sampling(max_tokens=99)}, "settings.max_tokens"),
    "another field": ({"sampling": Sampling(extra={"top_k": 5})}, "settings.top_k"),
    "prompt byte": ({"prompt": replace(TEMPLATE, function="{prompt} ")}, "drawing.prompt"),
    "seed": ({"seed": 1}, "drawing.seed"),
    "extraction": ({"extractor": Extractor("function")}, "candidates.extraction"),
    "problem byte": ({"problems": edited("a", prompt="Double a!")}, "problems.ids.a"),
    "test byte": ({"problems": edited("a", tests=(Tests(code="assert f(2)==4"),))}, "ids.a"),
    "time limit": ({"settings": replace(LEAST, time_limit=4.0)}, "judging.time_limit"),
    "memory limit": ({"settings": replace(LEAST, memory_mb=99)}, "judging.memory_mb"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_another_run_and_refused_by_name(store, what):
    change, name = CHANGES[what]
    run(store, n=1, prompt=TEMPLATE)
    with pytest.raises(UnlikeRunsError) as caught:
        run(store, **{"n": 1, "prompt": TEMPLATE, **change})
    assert any(name in difference for difference in caught.value.differences)


def test_another_extraction_version_or_interpreter_or_served_model_is_another_run(
    store, monkeypatch
):
    run(store, n=1)
    with pytest.raises(UnlikeRunsError, match=r"drawing\.served\.id: m, now other"):
        run(store, Model(served={"id": "other"}), n=1)
    with monkeypatch.context() as patched:
        patched.setattr("anyofk.pipeline.extracting.EXTRACTION_VERSION", "99")
        with pytest.raises(UnlikeRunsError, match="extraction: 1, now 99"):
            run(store, n=1)
    facts = settings_module.judging_facts
    monkeypatch.setattr(
        settings_module, "judging_facts", lambda s: {**facts(s), "interpreter": "Python 9"}
    )
    with pytest.raises(UnlikeRunsError, match="interpreter"):
        run(store, n=1)


def test_the_manifest_has_its_prompt_and_no_secret(store):
    run(store, n=1, server="http://host/v1", key_variable="SECRET_NAME")
    with Run(store) as found:
        content = json.dumps(found.manifest.content)
    assert "{prompt}" in content
    assert "SECRET_NAME" not in content


def test_k_beyond_what_the_draws_can_answer_is_refused_before_anything_is_drawn():
    with pytest.raises(TooFewDrawsError, match=r"pass@10 needs at least 10 draws .* n is 4"):
        plan(4).check_attempts((1, 10))
    with pytest.raises(TooFewDrawsError, match="not independent"):
        plan(4, sampling=GREEDY).check_attempts((4,))
    plan(4, sampling=GREEDY).check_attempts((1,))


@pytest.mark.parametrize(
    "extra", [{"top_k": 1}, {"num_beams": 4}, {"use_beam_search": True}, {"do_sample": False}]
)
def test_draws_without_chance_are_recorded_and_leave_no_pass_at_k(store, extra):
    run(store, n=2, sampling=Sampling(extra=extra))
    with Run(store) as found:
        summary = summarise(found, Question(k=(1, 2)))
    assert summary.estimates[1].value is not None
    assert summary.estimates[2].reason == "identical_draws"


def test_a_model_without_a_provider_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="'gpt' is no model") as caught:
        plan(model="gpt")
    assert "replay" in caught.value.hint


def test_a_fault_of_ours_while_drawing_is_raised_and_not_recorded(store):
    with pytest.raises(ZeroDivisionError):
        run(store, Model(lambda p, d: 1 // 0))
    with Run(store) as found:
        assert found.size() == 0


def test_only_one_process_writes_a_run(store):
    run(store, n=1)
    with RunWriter(store), pytest.raises(OSError, match="in use"):
        run(store, n=1)


@pytest.mark.parametrize(("n", "c"), [(4, 0), (4, 1), (4, 2), (5, 3), (4, 4)])
def test_the_draws_to_the_first_pass_are_the_mean_over_all_orders(n, c):
    orders = set(permutations([True] * c + [False] * (n - c)))
    for k in range(1, n + 1):
        used = [next((i + 1 for i in range(k) if order[i]), k) for order in orders]
        assert draws_in_turn(n, c, k) == pytest.approx(sum(used) / len(used))
