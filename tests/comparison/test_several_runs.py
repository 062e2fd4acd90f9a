import json
from math import sqrt

import numpy as np
import pytest

from anyofk.comparison import compare, compare_all
from anyofk.errors import UnlikeRunsError, UsageError

RUNS = {
    "strong": {f"p{i}": (12, min(12, i % 7 + 5)) for i in range(60)},
    "middle": {f"p{i}": (12, min(12, (i + 3) % 7 + 2)) for i in range(60)},
    "twin": {f"p{i}": (12, min(12, (i + 5) % 7 + 2)) for i in range(60)},
}


def test_every_pair_is_tested_and_its_p_value_corrected():
    found = compare_all(RUNS, [1, 4])
    assert len(found.pairs) == 6
    raw = sorted(each.estimate.p_value for each in found.pairs)
    smallest = min(found.pairs, key=lambda each: each.estimate.p_value)
    assert smallest.adjusted_p == pytest.approx(6 * raw[0])
    assert all(each.adjusted_p >= each.estimate.p_value for each in found.pairs)


def test_pairs_have_the_numbers_of_compare():
    found = compare_all(RUNS, 4)
    pair = next(each for each in found.pairs if (each.name_a, each.name_b) == ("strong", "twin"))
    assert str(pair.estimate) == str(compare(RUNS["strong"], RUNS["twin"], 4)[4])


def test_runs_that_are_not_told_apart_share_a_range_of_ranks():
    ranks = {each.name: each for each in compare_all(RUNS, 1).ranks}
    assert (ranks["strong"].rank_low, ranks["strong"].rank_high) == (1, 1)
    assert (ranks["middle"].rank_low, ranks["middle"].rank_high) == (2, 3)
    assert ranks["middle"].tied == ("twin",)
    assert ranks["strong"].tied == ()


def test_ranks_come_from_unrounded_values_and_small_differences_are_ties(cases, quietly):
    case = cases["S-stats-05"]
    runs = {}
    for name, (passed, problems) in case["input"]["scores"].items():
        tenths = round(passed * 10)
        full, rest = divmod(tenths, 10)
        rows = [10] * full + [rest] * bool(rest) + [0] * (problems - full - bool(rest))
        runs[name] = {f"p{i}": (10, c) for i, c in enumerate(rows)}
    ranks = {each.name: each for each in quietly.several(runs, 1).ranks}
    shown = {name: f"{100 * each.value:.1f}" for name, each in ranks.items()}
    assert shown == case["right"]["shown"]
    assert {name: each.rank for name, each in ranks.items()} == case["right"]["ranks"]
    assert ranks["C"].tied == ("D",)
    assert ranks["A"].tied == ("B",)


def test_benjamini_hochberg_rejects_no_less_than_holm():
    holm, other = (
        compare_all(RUNS, [1, 2, 4], adjustment=name) for name in ("holm", "benjamini-hochberg")
    )
    for strict, lenient in zip(holm.pairs, other.pairs, strict=True):
        assert lenient.adjusted_p <= strict.adjusted_p + 1e-15
    assert [each.rank_high for each in holm.ranks] == [each.rank_high for each in other.ranks]


def test_unlike_runs_among_several_are_refused():
    with pytest.raises(UnlikeRunsError, match="strong and odd differ"):
        compare_all({**RUNS, "odd": {"p0": (12, 3)}}, 1)


def test_one_run_or_an_unknown_correction_is_refused():
    with pytest.raises(UsageError, match="needs two runs"):
        compare_all({"strong": RUNS["strong"]}, 1)
    with pytest.raises(UsageError, match="no adjustment called 'none'"):
        compare_all(RUNS, 1, adjustment="none")


def test_a_ranking_prints_and_writes_its_attributes():
    found = compare_all(RUNS, 1)
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert [rank["name"] for rank in written["ranks"]] == [each.name for each in found.ranks]
    assert written["pairs"][0]["estimate"]["k"] == 1
    assert "rank 2 to 3" in str(found)
    assert "not told apart from" in found._repr_html_()


def test_four_equal_models_are_ranked_apart_no_more_often_than_the_level_says(quietly):
    rng = np.random.default_rng(3)
    repeats = 120
    alarms = 0
    for _ in range(repeats):
        p = rng.beta(2, 2, 40)
        runs = {
            name: {f"p{i}": (5, int(c)) for i, c in enumerate(rng.binomial(5, p))}
            for name in "wxyz"
        }
        alarms += any(each.rank_low > 1 for each in quietly.several(runs, 1).ranks)
    assert alarms < 0.05 * repeats + 5 * sqrt(0.05 * 0.95 * repeats)
