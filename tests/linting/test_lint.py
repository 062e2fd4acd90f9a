"""What is wrong with reported numbers is found, named, and set right; what is right is left."""

import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyofk import Counts, evaluate, lint
from anyofk.errors import AnyofkWarning, DataError, UsageError
from anyofk.linting.ways import WAYS

SAME_N = {f"p{i}": (20, c) for i, c in enumerate([0, 1, 2, 5, 9, 14, 20, 20, 0, 3, 1, 7])}
MIXED_N = {**SAME_N, "short": (4, 1), "shorter": (2, 0)}


def kinds(found, k=None):
    return [fault.what for fault in found if k is None or fault.k == k]


def wrong(found):
    return {fault.what for fault in found.wrong}


def quietly(counts, ks):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AnyofkWarning)
        return evaluate(counts, ks)


def right_values(counts, ks):
    return {k: {"value": repr(e.value), "se": repr(e.se)} for k, e in quietly(counts, ks).items()}


def test_right_numbers_with_their_errors_are_left_alone():
    found = lint(SAME_N, right_values(SAME_N, [1, 2, 5, 20]))
    assert list(found) == []
    assert str(found) == "nothing wrong was found"
    assert found.right[5].value == evaluate(SAME_N, 5)[5].value


def test_rounding_is_no_fault_and_neither_is_cutting():
    right = evaluate(SAME_N, [1, 5])
    for digits in (2, 3, 5):
        rounded = {k: f"{right[k].value:.{digits}f}" for k in (1, 5)}
        cut = {k: str(math.floor(right[k].value * 10**digits) / 10**digits) for k in (1, 5)}
        percent = {k: f"{100 * right[k].value:.{digits}f} %" for k in (1, 5)}
        bare = {k: f"{100 * right[k].value:.{digits}f}" for k in (1, 5)}
        for table in (rounded, cut, percent, bare):
            assert not lint(SAME_N, table).wrong, table


def test_a_number_that_nothing_explains_does_not_fit():
    found = lint(SAME_N, {1: "0.50", 5: "0.888"})
    assert wrong(found) == {"does_not_fit"}
    fault = found.wrong[0]
    assert fault.right == pytest.approx(evaluate(SAME_N, 1)[1].value)
    assert fault.low < fault.right < fault.high
    assert "known wrong way" in fault.evidence


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.what)
def test_each_wrong_way_is_recognised_by_its_number(way):
    counts, k = (MIXED_N, 3) if way.what == "filled_with_failures" else (SAME_N, 3)
    if way.what in {"short_as_solved", "short_left_out", "k_cut_to_n"}:
        counts, k = MIXED_N, 5
    if way.what == "filled_with_failures":
        counts = {**SAME_N, "short": (4, 1)}
    n, c = (np.array(column) for column in zip(*counts.values(), strict=True))
    number = way.formula(n, c, k)
    found = lint(counts, {k: repr(number)})
    assert way.hint
    if counts is MIXED_N:
        fault = next(f for f in found if f.what == "n_less_than_k")
        assert fault.right is None
        assert way.done in fault.evidence
    else:
        assert wrong(found) == {way.what}
        assert found.wrong[0].right == pytest.approx(quietly(counts, k)[k].value)


def test_the_wrong_numbers_are_those_of_their_formulas():
    ways = {way.what: way.formula for way in WAYS}
    n, c = np.array([4, 4, 8]), np.array([1, 0, 8])
    assert ways["plug_in"](n, c, 2) == pytest.approx((1 - 0.75**2 + 0 + 1) / 3)
    assert ways["pooled"](n, c, 2) == pytest.approx(1 - (7 * 6) / (16 * 15))
    assert ways["pooled_plug_in"](n, c, 2) == pytest.approx(1 - (7 / 16) ** 2)
    assert ways["problems_as_draws"](n, c, 2) == pytest.approx(1.0)
    assert ways["problems_as_draws"](n, c, 1) == pytest.approx(2 / 3)
    assert ways["short_as_solved"](n, c, 5) == pytest.approx(1.0)
    assert ways["short_left_out"](n, c, 5) == pytest.approx(1.0)
    assert ways["k_cut_to_n"](n, c, 5) == pytest.approx((1 + 0 + 1) / 3)
    assert ways["filled_with_failures"](n, c, 2) == pytest.approx((2 / 8 + 0 + 1) / 3)
    assert ways["any_of_n"](n, c, 2) == pytest.approx(2 / 3)
    assert ways["all_of_k"](n, c, 2) == pytest.approx(1 / 3)


def test_problems_taken_for_draws_are_found_where_each_has_one_draw():
    counts = {f"p{i}": (1, int(i < 70)) for i in range(200)}
    found = lint(counts, {1: "0.35", 5: "0.8871"})
    (fault,) = found.wrong
    assert (fault.what, fault.k, fault.right) == ("n_less_than_k", 5, None)
    assert "(problems, solved problems) were taken for (n, c)" in fault.evidence


def test_one_for_k_above_n_is_found_though_nothing_passed():
    found = lint({"a": (5, 0), "b": (3, 0)}, {10: "1.0"})
    (fault,) = found.wrong
    assert fault.what == "n_less_than_k"
    assert "counted as solved" in fault.evidence
    assert fault.low is None


def test_one_row_of_counts_may_be_pooled():
    found = lint({"HumanEval": (164, 50)}, {10: "0.9768"})
    assert "one_row" in kinds(found)
    assert "(problems, solved problems)" in next(f for f in found if f.what == "one_row").hint


def test_missing_problems_are_known_from_the_set_and_bound_the_number():
    found = lint({"a": (2, 2), "b": (2, 1)}, {1: "0.75"}, problems=["a", "b", "c"])
    by_kind = {fault.what: fault for fault in found}
    assert "1 of 3 problems have no draw: c" in " ".join(f.evidence for f in found.wrong)
    value = next(f for f in found.wrong if f.k == 1)
    assert "what is missing was left out" in value.evidence
    assert (value.low, value.high) == (0.5, pytest.approx(2.5 / 3))
    assert "c" in by_kind["missing_problems"].evidence


def test_missing_problems_counted_as_failed_are_no_second_fault():
    found = lint({"a": (2, 2), "b": (2, 1)}, {1: "0.5"}, problems=["a", "b", "c"])
    assert [fault.k for fault in found.wrong] == [None]


def test_problems_of_another_set_are_named():
    found = lint({"a": (2, 2), "x/1": (2, 1)}, problems=["a", "b"])
    assert wrong(found) == {"missing_problems", "unknown_problems"}


def test_gaps_in_a_numbering_are_doubtful():
    counts = {f"HumanEval/{i}": (2, 1) for i in range(164) if i not in {7, 80}}
    (fault,) = lint(counts)
    assert (fault.what, fault.weight) == ("gaps_in_ids", "doubtful")
    assert "HumanEval/7, HumanEval/80" in fault.evidence
    assert not lint({f"HumanEval/{i}": (2, 1) for i in range(164)})
    assert not lint({f"abc{i}": (2, 1) for i in range(0, 300, 3)})


def test_unjudged_candidates_leave_bounds():
    counts = [Counts("a", 3, 2, broken=1), Counts("b", 1, 1, broken=3)]
    found = lint(counts, {1: "0.8333"})
    value = next(fault for fault in found.wrong if fault.k == 1)
    assert value.what == "unjudged_candidates"
    assert (value.low, value.high) == (0.375, 0.875)
    assert "what is missing was left out" in value.evidence


def test_mixed_n_and_draws_that_are_all_alike_are_doubtful():
    assert kinds(lint(MIXED_N)) == ["mixed_n"]
    assert kinds(lint({"a": (5, 5), "b": (5, 0), "c": (5, 5), "d": (5, 5)})) == ["draws_alike"]
    assert kinds(lint({"a": (5, 0), "b": (5, 0), "c": (5, 0), "d": (5, 0)})) == []
    assert kinds(lint({"a": (1, 1), "b": (1, 0), "c": (1, 1), "d": (1, 1)})) == []


def test_a_number_without_an_interval_gets_one():
    (fault,) = lint(SAME_N, {1: repr(evaluate(SAME_N, 1)[1].value)})
    right = evaluate(SAME_N, 1)[1]
    assert (fault.what, fault.weight) == ("no_interval", "incomplete")
    assert (fault.low, fault.high) == (right.low, right.high)


def test_draws_taken_as_independent_make_too_small_an_error():
    counts = {"a": (10, 10), "b": (10, 10), "c": (10, 1), "d": (10, 0)}
    value = 0.525
    pooled = math.sqrt(value * (1 - value) / 40)
    for row in (
        {"value": value, "se": pooled},
        {"value": value, "low": value - 1.96 * pooled, "high": value + 1.96 * pooled},
    ):
        (fault,) = lint(counts, {1: row})
        assert fault.what == "draws_as_independent"
        assert fault.weight == "wrong"


def test_an_error_of_the_draws_alone_is_doubtful_and_a_smaller_one_wrong():
    estimate = evaluate(SAME_N, 2)[2]
    table = {
        1: right_values(SAME_N, [1])[1],
        2: {"value": estimate.value, "se": estimate.sampling_se},
    }
    (fault,) = lint(SAME_N, table)
    assert (fault.what, fault.weight) == ("draws_alone", "doubtful")
    table[2]["se"] = estimate.sampling_se / 9
    (fault,) = lint(SAME_N, table)
    assert (fault.what, fault.weight) == ("too_narrow", "wrong")


def test_an_interval_must_hold_its_value_and_stay_among_chances():
    value = evaluate(SAME_N, 1)[1].value
    found = lint(SAME_N, {1: {"value": value, "low": -0.2, "high": 0.9}})
    assert kinds(found) == ["leaves_0_to_1"]
    found = lint(SAME_N, {1: {"value": value, "low": 0.6, "high": 0.99}})
    assert "value_outside_interval" in kinds(found)


def test_a_table_must_have_the_shape_of_a_curve():
    found = lint(SAME_N, {1: "0.342", 2: "0.30", 5: "0.80"})
    assert {"falls_with_k", "rises_too_fast"} <= wrong(found)
    assert "rises_too_fast" in wrong(lint(SAME_N, {1: "0.10", 2: "0.25"}))
    assert "no_pass_1" in kinds(lint(SAME_N, {5: "0.62"}))


@given(
    st.lists(
        st.tuples(st.integers(2, 30), st.floats(0, 1)).map(lambda t: (t[0], round(t[0] * t[1]))),
        min_size=2,
        max_size=12,
    ),
    st.integers(2, 6),
)
def test_no_right_table_is_called_wrong(pairs, digits):
    counts = {f"p-{i}-x": pair for i, pair in enumerate(pairs)}
    ks = range(1, min(n for n, _ in pairs) + 1)
    table = {k: f"{e.value:.{digits}f}" for k, e in quietly(counts, ks).items()}
    assert lint(counts, table).wrong == ()


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({1: "1.2", 2: "200"}, "is a chance"),
        ({1: "-0.1"}, "is a chance"),
        ({"pass@0": 0.5}, "names no k"),
        ({True: 0.5}, "names no k"),
        ({1: "x"}, "is no number"),
        ({1: float("nan")}, "is no number"),
        ({1: True}, "is no number"),
        ({1: "." * 10}, "is no number"),
        ({1: "1" * 5000}, "is no number"),
        ({1: {"se": 0.1}}, "has no value"),
        ([0.5], "must be a mapping"),
    ],
)
def test_what_is_no_table_of_chances_is_refused(table, says):
    with pytest.raises(UsageError, match=says):
        lint(SAME_N, table)


def test_the_level_and_the_counts_are_checked():
    with pytest.raises(UsageError, match="level"):
        lint(SAME_N, {1: 0.3}, level=95)
    with pytest.raises(DataError):
        lint({"a": (2, 3)})


def test_nothing_judged_is_no_number():
    found = lint({"a": (0, 0)}, {1: "1.0"})
    assert "no_candidates" in wrong(found)
    assert "missing_problems" in wrong(found)


def test_faults_are_plain_data_and_safe_html():
    found = lint({"<b>a": (2, 1), "b": (3, 1)}, {2: "0.9"})
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert [fault["what"] for fault in written["faults"]] == kinds(found)
    assert written["wrong"] == len(found.wrong)
    html = found._repr_html_()
    assert "<b>a" not in html
    assert "&lt;b&gt;a" in html
    assert [fault.weight for fault in found] == sorted(
        (fault.weight for fault in found), key=["wrong", "doubtful", "incomplete"].index
    )
    assert found[0] is next(iter(found))
