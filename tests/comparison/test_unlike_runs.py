import pytest

from anyofk import Counts
from anyofk.comparison import compare
from anyofk.errors import (
    IncompleteError,
    TooFewDrawsError,
    UnlikeRunsError,
    UnlikeRunsWarning,
    UsageError,
)

ROWS = {f"p{i}": (10, i % 6) for i in range(40)}
OTHER = {f"p{i}": (10, (i + i // 3) % 7) for i in range(40)}


def refused(a, b, **options):
    with pytest.raises(UnlikeRunsError) as caught:
        compare(a, b, 1, **options)
    return caught.value


def test_runs_that_differ_in_the_model_alone_are_compared_under_their_names(recorded):
    found = compare(recorded("small", ROWS), recorded("large", OTHER), 1)
    assert (found.name_a, found.name_b) == ("small", "large")
    assert found.despite == ()
    assert found.warnings == ()


def test_greedy_against_sampled_is_refused_and_both_reasons_are_named(cases, recorded):
    case = cases["S-stats-04"]
    sides = [case["input"][side] for side in ("a", "b")]
    a, b = (
        recorded(
            side["model"],
            {f"p{i}": (side["n"], side["n"] * (i % 3 > 0)) for i in range(side["tasks"])},
            candidates={"temperature": side["temperature"]},
        )
        for side in sides
    )
    error = refused(a, b)
    assert sorted(error.reasons) == sorted(case["right"]["reasons"])
    assert error.differences == ("temperature: 0.0 in A, 0.8 in B", "n: 1 in A, 20 in B")
    assert "--despite temperature --despite n" in error.hint
    assert refused(a, b, despite="temperature").reasons == ("n",)


def test_a_difference_on_purpose_is_compared_and_kept_in_the_result(recorded):
    a, b = recorded("x", ROWS), recorded("y", OTHER, candidates={"temperature": 0.2})
    with pytest.warns(UnlikeRunsWarning, match="temperature: 0.8 in x, 0.2 in y"):
        found = compare(a, b, 1, despite=("temperature",))
    assert found.despite == ("temperature: 0.8 in x, 0.2 in y",)
    assert found.to_json()["despite"] == list(found.despite)
    assert "in spite of" in str(found)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"candidates": {"top_p": 0.9}}, "top_p"),
        ({"candidates": {"max_tokens": 2048}}, "max_tokens"),
        ({"judging": {"time_limit": 6.0}}, "time_limit"),
        ({"judging": {"memory_mb": 512}}, "memory_mb"),
        ({"judging": {"level": "fence"}}, "level"),
        ({"ids": {**{p: f"id-{p}" for p in ROWS}, "p3": "changed"}}, "problems"),
        ({"prompt": "Answer in Python."}, "prompt"),
    ],
)
def test_every_setting_that_could_move_the_numbers_is_a_reason(recorded, changed, reason):
    assert refused(recorded("x", ROWS), recorded("y", OTHER, **changed)).reasons == (reason,)


def test_other_versions_of_packages_are_said_but_not_refused(recorded):
    a, b = recorded("x", ROWS), recorded("y", OTHER, packages={"numpy": "1.26.4"})
    with pytest.warns(UnlikeRunsWarning, match=r"packages\.numpy \(2\.0\.0 and 1\.26\.4\)"):
        compare(a, b, 1)


def test_stored_runs_of_unequal_n_are_refused(recorded):
    longer = {problem: (20, 2 * c) for problem, (_, c) in OTHER.items()}
    assert refused(recorded("x", ROWS), recorded("y", longer)).reasons == ("n",)


def test_a_run_with_broken_candidates_is_incomplete_rather_than_unlike(recorded):
    a, b = recorded("x", ROWS), recorded("y", OTHER)
    whole = b.counts()
    b.counts = lambda: [Counts(whole[0].problem, 9, 0, broken=1), *whole[1:]]
    with pytest.raises(IncompleteError, match="y: 1 candidate is"):
        compare(a, b, 1)


def test_other_problems_are_refused_for_plain_counts_too():
    error = refused(ROWS, {**OTHER, "extra": (10, 1)})
    assert error.differences == ("problems: 1 only in B (extra)",)


def test_the_common_problems_are_compared_if_that_is_on_purpose():
    more = {**OTHER, **{f"q{i}": (10, 10) for i in range(5)}}
    with pytest.warns(UnlikeRunsWarning, match="5 only in B"):
        found = compare(ROWS, more, 1, despite="problems")[1]
    assert found.problems == 40
    assert found.difference == pytest.approx(compare(ROWS, OTHER, 1)[1].difference)


def test_one_common_problem_is_no_comparison():
    with pytest.raises(UsageError, match="share 1 problems"):
        compare({"a": (5, 1), "b": (5, 2)}, {"a": (5, 1)}, 1, despite="problems")


def test_temperature_0_leaves_no_k_but_1(recorded):
    a, b = (recorded(name, ROWS, candidates={"temperature": 0}) for name in "xy")
    with pytest.raises(TooFewDrawsError, match="x: pass@2 of draws without chance"):
        compare(a, b, [1, 2])
