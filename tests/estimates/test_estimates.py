import json
import warnings

import numpy as np
import pytest

from anyofk import Counts, Outcome, Verdict, evaluate, tally
from anyofk.errors import (
    DataError,
    DuplicateWarning,
    FewProblemsWarning,
    IncompleteError,
    TooFewDrawsError,
    UnequalDrawsWarning,
    UsageError,
)
from anyofk.estimates import Estimate, RefusedEstimate, estimate_or_refuse

MANY = {f"p{i}": (20, i) for i in range(21)}


def quietly(counts, k, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return evaluate(counts, k, **options)


# The shared cases, one test each


@pytest.fixture(scope="module")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def case_counts(case):
    return {p: (row["n"], row["c"]) for p, row in case["input"]["counts"].items()}


def case_verdicts(case, order=1):
    kinds = {True: Outcome.PASSED, False: Outcome.WRONG_ANSWER}
    return [Verdict(p, draw, kinds[passed]) for p, draw, passed in case["input"]["rows"][::order]]


def test_fewer_draws_than_k_give_no_number_and_name_the_problems(cases):
    case = cases["S-passk-01"]
    assert quietly(case_counts(case), 1)[1].value == case["right"]["pass@1"]
    with pytest.raises(TooFewDrawsError) as caught:
        evaluate(case_counts(case), case["input"]["k"])
    assert list(caught.value.problems) == case["right"]["tasks"]
    assert caught.value.reason == case["right"]["reason"]


def test_problems_of_unequal_n_weigh_the_same_and_their_range_is_told(cases):
    case = cases["S-passk-02"]
    with pytest.warns(UnequalDrawsWarning, match="from 2 to 100"):
        found = evaluate(case_counts(case), case["input"]["k"])
    assert found[1].value == pytest.approx(case["right"]["pass@1"], rel=1e-15)
    assert found[2].value == pytest.approx(case["right"]["pass@2"], rel=1e-15)
    assert found[2].n_range == "2 to 100"


def test_problems_without_candidates_are_named_and_never_left_out(cases):
    case = cases["S-passk-03"]
    given = case_counts(case)
    counts = {p: given.get(p, (0, 0)) for p in case["input"]["tasks"]}
    with pytest.raises(IncompleteError) as caught:
        evaluate(counts, 1)
    assert list(caught.value.problems) == case["right"]["tasks"]
    assert caught.value.bounds == (0.625, 0.875)
    failed = {p: pair if pair[0] else (2, 0) for p, pair in counts.items()}
    wanted = case["right"]["if_counted_as_failed"]["pass@1"]
    assert quietly(failed, 1)[1].value == wanted


def test_verdicts_that_stand_twice_count_once(cases):
    case = cases["S-passk-04"]
    with pytest.warns(DuplicateWarning, match="2 verdicts"):
        counts = tally(case_verdicts(case))
    found = quietly(counts, [1, 2])
    assert [found[k].value for k in (1, 2)] == [case["right"]["pass@1"], case["right"]["pass@2"]]


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_verdicts_moves_nothing(cases, order):
    case = cases["S-passk-05"]
    found = quietly(tally(case_verdicts(case, order)), 2)
    assert found[2].value == pytest.approx(case["right"]["pass@2"], rel=1e-15)


def test_a_problem_solved_once_of_fifty_is_worth_a_fiftieth_at_k_1(cases):
    case = cases["S-passk-06"]
    found = quietly(case_counts(case), case["input"]["k"])
    assert found[1].value == pytest.approx(case["right"]["pass@1"], rel=1e-15)
    assert found[50].value == case["right"]["pass@50"]


def test_large_n_stays_finite_and_exact(cases):
    case = cases["S-passk-07"]
    found = quietly(case_counts(case), 100)
    wanted, tolerance = case["right"]["pass@100"], case["right"]["tolerance"]
    assert abs(found[100].value - wanted) <= tolerance


def test_the_number_of_problems_is_never_taken_for_n(cases):
    case = cases["S-passk-08"]
    total, passed = case["input"]["tasks_total"], case["input"]["tasks_passed"]
    counts = {f"t{i}": (1, int(i < passed)) for i in range(total)}
    assert quietly(counts, 1)[1].value == pytest.approx(case["right"]["pass@1"], rel=1e-15)
    with pytest.raises(TooFewDrawsError, match="200 of 200"):
        evaluate(counts, 5)


def test_nothing_judged_is_an_error(cases):
    case = cases["S-passk-09"]
    with pytest.raises(DataError, match="no candidate was judged"):
        evaluate(dict.fromkeys(case["input"]["tasks"], (0, 0)), 1)
    with pytest.raises(DataError, match="no candidate was judged"):
        evaluate({}, 1)


def test_broken_candidates_leave_bounds_and_no_number(cases):
    case = cases["S-passk-10"]
    words = {
        "pass": Outcome.PASSED,
        "fail": Outcome.WRONG_ANSWER,
        "infra_error": Outcome.BROKEN,
    }
    statuses = case["input"]["statuses"].items()
    counts = tally(Verdict(p, i, words[w]) for p, ws in statuses for i, w in enumerate(ws))
    with pytest.raises(IncompleteError) as caught:
        evaluate(counts, 1)
    assert list(caught.value.bounds) == case["right"]["bounds"]["pass@1"]
    assert {c.problem: c.broken for c in counts} == case["right"]["unscored"]
    assert caught.value.exit_code == 5


# What an estimate carries


def test_an_estimate_carries_all_that_is_needed_to_read_it():
    found = quietly(MANY, [1, 5, 10, 15])
    assert list(found) == [1, 5, 10, 15]
    assert len(found) == 4
    one = found[5]
    assert (one.k, one.problems, one.n_min, one.n_max, one.level) == (5, 21, 20, 20, 0.95)
    assert (one.target, one.method) == ("population", "kg")
    assert 0 <= one.low < one.value < one.high <= 1
    assert 0 < one.sampling_se < one.se
    assert one.sampling_share == pytest.approx(one.sampling_se**2 / one.se**2)
    assert one.n_eff > 0


def test_the_error_by_sampling_alone_is_absent_below_two_k_draws():
    found = quietly(MANY, [10, 11])
    assert found[10].sampling_se > 0
    assert np.isnan(found[11].sampling_se)
    assert found[11].to_json()["sampling_se"] is None


def test_the_published_counts_give_the_published_curve_and_errors(shared):
    path = shared / "golden" / "published_counts.json"
    published = json.loads(path.read_text(encoding="utf-8"))
    counts = dict(zip(published["id"], [(128, c) for c in published["c_base"]], strict=True))
    found = quietly(counts, [1, 8, 32, 64, 128])
    values = [round(found[k].value, 5) for k in (1, 8, 32, 64, 128)]
    assert values == [0.60411, 0.78953, 0.84721, 0.87035, 0.89057]
    assert [round(found[k].se, 5) for k in (1, 8, 32, 64, 128)] == [
        0.01224, 0.01131, 0.01022, 0.00974, 0.00959,
    ]  # fmt: skip
    assert [round(found[k].sampling_se, 5) for k in (1, 8, 32, 64)] == [
        0.00077, 0.00112, 0.00202, 0.00272,
    ]  # fmt: skip


def test_the_benchmark_target_has_the_sampling_error_and_a_narrower_interval():
    ours, theirs = quietly(MANY, 2, target="benchmark")[2], quietly(MANY, 2)[2]
    assert ours.value == theirs.value
    assert ours.se == ours.sampling_se == theirs.sampling_se
    assert ours.high - ours.low < theirs.high - theirs.low
    assert (ours.target, ours.method) == ("benchmark", "kg-gamma")


@pytest.mark.parametrize("method", ["kg", "kg-capped", "t", "z"])
def test_an_interval_is_made_by_its_name(method):
    found = quietly(MANY, 1, interval=method)[1]
    assert found.method == method
    assert found.low < 0.5 < found.high


def test_the_wilson_interval_is_for_single_draws():
    ones = {f"p{i}": (1, i % 2) for i in range(40)}
    found = quietly(ones, 1, interval="wilson")[1]
    assert (round(found.low, 3), round(found.high, 3)) == (0.352, 0.648)


def test_a_higher_level_gives_a_wider_interval():
    wide, narrow = (quietly(MANY, 1, level=level)[1] for level in (0.99, 0.8))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_clusters_widen_the_interval_and_few_are_warned_of():
    cluster = {p: "low" if i < 10 else "high" for i, p in enumerate(MANY)}
    with pytest.warns(FewProblemsWarning, match="only 2 clusters"):
        clustered = evaluate(MANY, 1, cluster=cluster)[1]
    alone = quietly(MANY, 1)[1]
    assert clustered.clusters == 2
    assert clustered.se > alone.se
    assert clustered.high - clustered.low > alone.high - alone.low


def test_the_clusters_that_counts_carry_are_used_when_asked_for():
    counts = [Counts(p, n, c, cluster=f"c{i % 12}") for i, (p, (n, c)) in enumerate(MANY.items())]
    assert quietly(counts, 1)[1].clusters is None
    assert quietly(counts, 1, cluster="cluster")[1].clusters == 12


def test_a_problem_without_a_cluster_is_named():
    with pytest.raises(UsageError, match="'p20' has no cluster"):
        evaluate(MANY, 1, cluster=dict.fromkeys(list(MANY)[:-1], "x"))


def test_one_problem_says_next_to_nothing_about_others():
    found = evaluate({"p": (10, 5)}, 1)[1]
    assert found.low < 0.05
    assert found.high > 0.95
    assert np.isnan(found.se)
    assert found.to_json()["se"] is None


def test_few_problems_that_carry_the_mean_are_warned_of():
    counts = {f"p{i}": (10, 10 if i < 2 else 0) for i in range(100)}
    with pytest.warns(FewProblemsWarning, match="about 2 of 100"):
        found = evaluate(counts, 1)
    assert "about 2 of 100 problems carry" in found[1].warnings[0]


def test_all_wrong_and_all_right_have_intervals_of_some_width():
    none, every = ({f"p{i}": (10, c) for i in range(50)} for c in (0, 10))
    assert quietly(none, 1)[1].low == 0 < quietly(none, 1)[1].high
    assert quietly(every, 1)[1].low < 1 == quietly(every, 1)[1].high


# What counts may be


class Frame:
    """A data frame as far as we look at it."""

    def __init__(self, **columns):
        self.columns = list(columns)
        self._columns = columns

    def __getitem__(self, name):
        return self._columns[name]


class WithCounts:
    def counts(self):
        return [Counts(p, n, c) for p, (n, c) in MANY.items()]


@pytest.mark.parametrize(
    "counts",
    [
        MANY,
        {p: Counts(p, n, c) for p, (n, c) in MANY.items()},
        {p: {"n": n, "c": c} for p, (n, c) in MANY.items()},
        [Counts(p, n, c) for p, (n, c) in MANY.items()],
        (Counts(p, n, c) for p, (n, c) in MANY.items()),
        WithCounts(),
        Frame(problem=list(MANY), n=np.full(21, 20, dtype=np.uint8), c=np.arange(21.0)),
    ],
    ids=["mapping", "mapping-of-counts", "mapping-of-rows", "list", "generator", "run", "frame"],
)
def test_counts_of_every_form_give_the_same_estimate(counts):
    assert quietly(counts, 3)[3] == quietly(MANY, 3)[3]


def test_a_data_frame_brings_its_clusters_and_broken_ones():
    frame = Frame(problem=["a", "b"], n=[4, 4], c=[1, 2], topic=["x", "y"], broken=[0, 1])
    with pytest.raises(IncompleteError, match=r"1 candidate is not judged: b \(1\)"):
        evaluate(frame, 1)
    frame = Frame(problem=["a", "b"], n=[4, 4], c=[1, 2], topic=["x", "y"])
    assert quietly(frame, 1, cluster="topic")[1].clusters == 2


@pytest.mark.parametrize(
    ("counts", "error", "says"),
    [
        ({"a": (5, 6)}, DataError, "0 <= c <= n"),
        ({"a": (5, -1)}, DataError, "0 <= c <= n"),
        ({"a": (5.5, 1)}, DataError, "n of problem 'a' is no count"),
        ({"a": (5, True)}, DataError, "c of problem 'a' is no count"),
        ({"a": (5, "x")}, DataError, "c of problem 'a' is no count"),
        ({"a": (5, float("nan"))}, DataError, "c of problem 'a' is no count"),
        ({"a": 5}, UsageError, "counts must be a mapping"),
        ([(5, 1)], UsageError, "not tuple"),
        ("counts", UsageError, "not str"),
        (7, UsageError, "not int"),
        ([Counts("a", 5, 1), Counts("a", 5, 2)], DataError, "'a' has two rows"),
        (Frame(problem=["a"], n=[1]), DataError, "no column 'c'"),
    ],
)
def test_what_is_no_counts_is_refused_by_name(counts, error, says):
    with pytest.raises(error, match=says):
        evaluate(counts, 1)


@pytest.mark.parametrize("k", [0, -1, 1.5, "5", [], [1, 0], True, None])
def test_what_is_no_number_of_attempts_is_refused(k):
    with pytest.raises(UsageError, match="whole numbers of attempts"):
        evaluate(MANY, k)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"target": "world"}, "target must be"),
        ({"interval": "magic"}, "no interval called 'magic'"),
        ({"interval": "t", "target": "benchmark"}, "no interval called 't'"),
        ({"level": 1.0}, "level must lie between"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, says):
    with pytest.raises(UsageError, match=says):
        quietly(MANY, 1, **options)


# Refusals as values


def test_refusals_stand_beside_estimates_where_asked_for():
    found = estimate_or_refuse(MANY, [1, 50])
    assert isinstance(found[1], Estimate)
    assert isinstance(found[50], RefusedEstimate)
    written = found[50].to_json()
    assert written["value"] is None
    assert written["reason"] == "n_less_than_k"
    assert written["bounds"] is None
    assert "21 of 21 problems have fewer (least: p0, n=20)" in written["message"]


def test_bounds_fill_in_what_is_not_judged():
    counts = [Counts("a", 3, 2, broken=1), Counts("b", 4, 4)]
    found = estimate_or_refuse(counts, [1, 4, 5])
    assert found[1].to_json()["bounds"] == [(0.5 + 1) / 2, (0.75 + 1) / 2]
    assert found[4].to_json()["bounds"] == [1.0, 1.0]
    assert found[5].to_json()["bounds"] is None


def test_draws_without_chance_have_no_pass_at_k_beyond_one():
    found = estimate_or_refuse(MANY, [1, 5], identical_draws=True)
    assert isinstance(found[1], Estimate)
    assert found[5].reason == "identical_draws"


def test_a_refusal_prints_its_bounds():
    found = estimate_or_refuse([Counts("a", 1, 1, broken=1)], 1)
    assert str(found[1]).endswith("is not judged: a (1); between 0.5000 and 1.0000")


# Printing


def test_printed_estimates_show_pass_at_1_beside_any_other():
    text = str(quietly(MANY, [10]))
    assert text.splitlines()[0].startswith("pass@1 = 0.5000  [")
    assert text.splitlines()[1].startswith("pass@10 = ")
    assert "21 problems, n = 20" in text
    assert repr(quietly(MANY, [10])) == text
    assert list(quietly(MANY, [10])) == [10]


def test_the_html_form_holds_the_same_numbers_and_escapes():
    html = quietly(MANY, [5])._repr_html_()
    assert html.count("<tr>") == 3
    assert "pass@1</td><td>0.5000" in html
