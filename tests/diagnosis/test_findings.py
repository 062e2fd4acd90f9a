import json
from math import comb, sqrt

import made_draws
import numpy as np
import pytest
from made_draws import draw, moved, outcomes

from anyofk import Counts, pass_at_k
from anyofk.diagnosis import diagnose
from anyofk.errors import DataError, UsageError
from anyofk.records import Outcome, Verdict


def names(diagnosis):
    return {finding.name for finding in diagnosis.found}


def test_faultless_draws_show_a_finding_no_more_often_than_the_level_says():
    rng = np.random.default_rng(5)
    repeats = 150
    alarms = sum(bool(diagnose(draw(rng), level=0.95).found) for _ in range(repeats))
    assert alarms < 0.05 * repeats + 5 * sqrt(0.05 * 0.95 * repeats)  # once in 10**6 runs


def test_faultless_draws_are_looked_at_in_every_way():
    looked_at = set(diagnose(draw(np.random.default_rng(1))))
    assert looked_at >= {
        "repeats_next_to_each_other",
        "repeats_close_by",
        "repeats_in_a_batch",
        "copies",
        "trend",
        "neighbours",
        "sub_batches",
        "batches",
        "shared_draws",
    }


def test_copies_from_a_cache_are_found_and_make_pass_at_k_too_low():
    found = diagnose(draw(np.random.default_rng(2), made_draws.copied_at_once))
    assert {"repeats_next_to_each_other", "copies"} <= names(found)
    assert found["repeats_next_to_each_other"].direction == "too low"
    assert found["copies"].details["twice"] > found["copies"].details["most_twice"]


def test_copies_are_found_wherever_they_stand():
    found = diagnose(draw(np.random.default_rng(3), made_draws.copied_and_shuffled))
    assert names(found) == {"copies"}
    assert found["copies"].direction == "too low"


def test_fewer_repeats_than_chance_betray_deduplication_within_a_request():
    found = diagnose(draw(np.random.default_rng(4), made_draws.distinct_in_a_request))
    batch = found["repeats_in_a_batch"]
    assert batch.state == "found"
    assert batch.direction == "too high"
    assert batch.details["seen"] == 0 < batch.details["by_chance"]
    assert "deduplication" in batch.effect


def test_texts_that_are_all_distinct_are_said_to_tell_nothing_by_themselves():
    found = diagnose(draw(np.random.default_rng(6), made_draws.distinct_everywhere))
    assert found["all_distinct"].state == "cannot tell"
    assert found["all_distinct"].details["pairs"] == 40 * comb(20, 2)
    assert names(found) == set()


def test_a_second_run_of_the_same_configuration_shows_deduplication():
    rng = np.random.default_rng(18)
    one, other = (draw(rng, made_draws.distinct_everywhere) for _ in range(2))
    found = diagnose(one, against=other)["repeats_within_runs"]
    assert (found.state, found.direction) == ("found", "too high")
    assert found.details["seen"] == 0
    one, other = (draw(rng, made_draws.independent) for _ in range(2))
    assert "repeats_within_runs" not in names(diagnose(one, against=other))
    copied = draw(rng, made_draws.copied_and_shuffled)
    assert diagnose(copied, against=other)["repeats_within_runs"].direction == "too low"


def test_distinct_texts_of_many_equal_programs_betray_deduplication():
    seen = {}

    def spaced(text):  # the same program, each time with other white space
        seen[text] = seen.get(text, 0) + 1
        return f"x = {text % 3}" + " " * (31 * text + seen[text])

    found = diagnose(draw(np.random.default_rng(7), made_draws.distinct_everywhere, write=spaced))
    assert names(found) == {"all_distinct"}
    assert found["all_distinct"].direction == "too high"


def test_one_text_for_all_draws_is_found_without_any_test():
    found = diagnose(draw(np.random.default_rng(8), lambda *_: np.zeros(20, dtype=int)))
    assert names(found) == {"identical"}


def test_a_drift_over_the_draws_is_found_with_its_size():
    rng = np.random.default_rng(9)
    run = outcomes(rng, lambda p, j: np.clip(p + 0.02 * (j - 9.5), 0, 1))
    trend = diagnose(run)["trend"]
    assert trend.state == "found"
    assert trend.details["last_quarter"] > trend.details["first_quarter"]
    assert trend.direction == "too high"


def test_batches_that_disagree_more_than_binomial_are_found():
    rng = np.random.default_rng(10)
    run = outcomes(rng, lambda p, _: moved(p, np.repeat(rng.normal(0, 1.5, 4), 5)))
    found = diagnose(run)["sub_batches"]
    assert found.state == "found"
    assert found.details["seen"] > found.details["by_chance"]


def test_a_fault_that_all_problems_share_is_found():
    rng = np.random.default_rng(11)
    shared = rng.normal(0, 1, 20)
    run = outcomes(rng, lambda p, _: moved(p, shared))
    assert "shared_draws" in names(diagnose(run))


def test_draws_that_avoid_each_other_are_found():
    rng = np.random.default_rng(12)
    run = {f"p{i}": [bool((j + i) % 2) for j in range(20)] for i in range(30)}
    found = diagnose(run)["neighbours"]
    assert (found.state, found.direction) == ("found", "too high")
    shuffled = {problem: rng.permutation(made).tolist() for problem, made in run.items()}
    assert "neighbours" not in names(diagnose(shuffled))


def test_stopping_at_the_first_success_is_found_and_undone():
    rng = np.random.default_rng(13)
    cap = 10
    run = {}
    for i in range(300):
        made = (rng.random(cap) < 0.2).tolist()
        run[f"p{i}"] = made[: made.index(True) + 1] if True in made else made
    found = diagnose(run)
    assert names(found) == {"stopping", "n_and_outcomes"}
    details = found["stopping"].details
    assert details["pass_at_1"] == pytest.approx(0.395, abs=0.08)  # what is usual to report
    assert details["unbiased_pass_at_1"] == pytest.approx(0.2, abs=5 * sqrt(0.2 * 0.8 / 300))
    assert found["stopping"].direction == "too high"


def test_stopping_at_a_failure_is_found_too():
    rng = np.random.default_rng(14)
    run = {}
    for i in range(80):
        made = (rng.random(10) < 0.7).tolist()
        run[f"p{i}"] = made[: made.index(False) + 1] if False in made else made
    found = diagnose(run)["stopping"]
    assert (found.state, found.direction) == ("found", "too low")


def test_unequal_n_fixed_in_advance_is_no_fault():
    rng = np.random.default_rng(15)
    run = {
        f"p{i}": [bool(x) for x in rng.random(rng.integers(5, 15)) < rng.beta(1, 1)]
        for i in range(100)
    }
    assert names(diagnose(run)) == set()


def test_counts_alone_show_an_n_that_follows_the_outcomes():
    stopped = {f"p{i}": (2 + i % 9, int(i % 9 < 8)) for i in range(90)}
    found = diagnose(stopped)
    assert found["n_and_outcomes"].state == "found"
    assert found["stopping"].state == "cannot tell"
    assert list(diagnose([Counts("a", 5, 2), Counts("b", 5, 1)])) == []


def test_broken_verdicts_are_left_out_and_draws_are_put_in_order():
    rows = [Verdict("p", d, Outcome.PASSED if d < 15 else Outcome.TIMEOUT) for d in range(30)]
    shuffled = [rows[i] for i in np.random.default_rng(16).permutation(30)]
    clean = diagnose(shuffled)
    assert clean["neighbours"].details["seen"] == 28
    assert (
        diagnose([*shuffled, Verdict("p", 99, Outcome.BROKEN)])["neighbours"] == clean["neighbours"]
    )


def test_outcomes_and_counts_are_not_mixed():
    with pytest.raises(DataError, match="outcomes of problem 'b'"):
        diagnose({"a": [True, False], "b": (10, 3)})


def test_nothing_judged_is_nothing_to_look_at():
    with pytest.raises(UsageError, match="no draw was judged"):
        diagnose([Verdict("p", 0, Outcome.BROKEN)])
    with pytest.raises(UsageError, match="level must lie"):
        diagnose({"a": [True]}, level=99)


def test_a_diagnosis_prints_and_writes_its_attributes():
    found = diagnose(draw(np.random.default_rng(2), made_draws.copied_at_once))
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert written["found"] == [each.name for each in found.found]
    for name, each in found.items():
        assert written["findings"][name]["effect"] == each.effect
    assert str(found).startswith(f"{len(found.found)} of {len(found)} checks")
    assert found._repr_html_().count("<tr>") == len(found) + 1


def test_copies_do_make_pass_at_k_too_low_as_it_is_said():
    """Each of n / 2 independent draws stands twice: k of them cover less than k draws."""
    n, k, p = 10, 4, 0.3
    single = sum(comb(n, c) * p**c * (1 - p) ** (n - c) * pass_at_k(n, c, k) for c in range(n + 1))
    half = n // 2
    doubled = sum(
        comb(half, c) * p**c * (1 - p) ** (half - c) * pass_at_k(n, 2 * c, k)
        for c in range(half + 1)
    )
    assert single == pytest.approx(1 - (1 - p) ** k)
    assert doubled < single
