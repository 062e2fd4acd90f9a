import json
from math import isnan, sqrt
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from anyofk import evaluate
from anyofk.comparison import compare
from anyofk.errors import (
    FewDifferencesWarning,
    IncompleteError,
    TooFewDrawsError,
    UnequalDrawsWarning,
    UsageError,
)

BEFORE = {f"p{i}": (10, i % 5) for i in range(60)}
AFTER = {f"p{i}": (10, i % 5 + i % 4) for i in range(60)}

# k: base, trained, difference, paired se, correlation, as printed with five digits
TABLE = {
    1: (0.60411, 0.68006, 0.07596, 0.00410, 0.944),
    8: (0.78953, 0.80402, 0.01449, 0.00362, 0.949),
    32: (0.84721, 0.84274, -0.00447, 0.00425, 0.918),
    64: (0.87035, 0.85736, -0.01299, 0.00489, 0.884),
    128: (0.89057, 0.87075, -0.01981, 0.00630, 0.802),
}


def single_draws(both, only_a, only_b, neither):
    """Counts of one draw a problem for two models that agree and differ so often."""
    pattern = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    a = {f"p{i}": (1, ours) for i, (ours, _) in enumerate(pattern)}
    b = {f"p{i}": (1, theirs) for i, (_, theirs) in enumerate(pattern)}
    return a, b


def test_the_published_counts_give_the_published_differences(published):
    base, trained, data = published
    found = compare(base, trained, list(TABLE))
    for k, (value_a, value_b, difference, se, correlation) in TABLE.items():
        each = found[k]
        assert each.value_a == pytest.approx(value_a, abs=6e-6)
        assert each.value_b == pytest.approx(value_b, abs=6e-6)
        assert each.difference == pytest.approx(difference, abs=6e-6)
        assert each.se == pytest.approx(se, abs=6e-6)
        assert each.correlation == pytest.approx(correlation, abs=6e-4)
        assert each.se == pytest.approx(data["published_se"][k - 1], rel=1e-12)
    assert found[8].sampling_share == pytest.approx(0.16, abs=0.005)
    assert found[8].detectable_difference == pytest.approx(0.0101, abs=5e-5)
    assert isnan(found[128].sampling_share)


def test_the_published_curves_cross_and_the_words_say_where_it_is_decided(published):
    base, trained, _ = published
    crossing = compare(base, trained, 8).crossing
    assert [each.better for each in crossing.stretches] == ["b", "undecided", "a"]
    assert crossing.stretches[0].first_k == 1
    assert crossing.stretches[-1].last_k == 128
    assert crossing.crossings == pytest.approx([21.8], abs=0.2)
    words = str(crossing)
    assert words.startswith("B is better up to k = ")
    assert "A is better from k = " in words
    assert "undecided between" in words


def test_one_draw_a_problem_is_compared_by_the_exact_test_on_pairs(cases):
    case = cases["S-stats-02"]
    given = case["input"]
    a, b = single_draws(given["both_pass"], given["only_a"], given["only_b"], given["neither"])
    found = compare(b, a, 1)[1]
    assert found.difference == pytest.approx(case["right"]["diff"], abs=case["right"]["tolerance"])
    assert found.p_value == pytest.approx(case["right"]["p_exact_mcnemar"], abs=1e-9)
    assert found.test == "mcnemar-exact"
    assert found.decided is case["right"]["significant_at_0.05"]
    assert found.differing == given["only_a"] + given["only_b"]


def test_swapping_the_runs_turns_the_sign_and_nothing_else():
    there, back = compare(BEFORE, AFTER, [1, 3]), compare(AFTER, BEFORE, [1, 3])
    for k in (1, 3):
        assert there[k].difference == pytest.approx(-back[k].difference)
        assert there[k].low == pytest.approx(-back[k].high)
        assert there[k].p_value == pytest.approx(back[k].p_value)
        assert there[k].value_a == back[k].value_b


def test_the_order_of_problems_does_not_matter():
    shuffled = dict(sorted(AFTER.items(), key=lambda item: hash(item[0]) % 97))
    assert compare(BEFORE, shuffled, 2)[2].se == pytest.approx(compare(BEFORE, AFTER, 2)[2].se)


def test_each_side_is_what_evaluate_says():
    found = compare(BEFORE, AFTER, 4)[4]
    assert found.value_a == pytest.approx(evaluate(BEFORE, 4)[4].value)
    assert found.value_b == pytest.approx(evaluate(AFTER, 4)[4].value)
    assert found.difference == pytest.approx(found.value_b - found.value_a)


def test_pairing_is_narrower_than_comparing_two_means():
    found = compare(BEFORE, AFTER, 1)[1]
    unpaired = sqrt(evaluate(BEFORE, 1)[1].se ** 2 + evaluate(AFTER, 1)[1].se ** 2)
    assert found.se < unpaired
    assert found.correlation > 0


def test_the_band_over_k_is_wider_than_each_interval():
    found = compare(BEFORE, AFTER, [1, 2, 3])
    for each in found.values():
        assert each.band_low < each.low < each.high < each.band_high


def test_plain_counts_of_unequal_n_are_compared_with_a_warning():
    longer = {problem: (40, 4 * c) for problem, (_, c) in AFTER.items()}
    with pytest.warns(UnequalDrawsWarning, match="10 in A, 40 in B"):
        found = compare(BEFORE, longer, 1)[1]
    assert (found.n_min_a, found.n_max_a, found.n_min_b, found.n_max_b) == (10, 10, 40, 40)
    assert found.difference == pytest.approx(compare(BEFORE, AFTER, 1)[1].difference)


def test_few_differing_problems_raise_a_typed_warning_and_another_interval_holds():
    changed = {**BEFORE, "p0": (10, 10), "p1": (10, 9)}
    with pytest.warns(FewDifferencesWarning, match="only 2 of 60 problems differ"):
        usual = compare(BEFORE, changed, 1)[1]
    safe = compare(BEFORE, changed, 1, interval="conservative")[1]
    assert safe.warnings == ()
    assert safe.method == "conservative"
    assert safe.high > usual.high


def test_runs_without_any_difference_have_an_interval_of_honest_width():
    with pytest.warns(FewDifferencesWarning, match="none of 60 problems differs"):
        found = compare(BEFORE, BEFORE, 1)[1]
    assert (found.difference, found.p_value) == (0.0, 1.0)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 60))
    assert found.low == -found.high
    assert isnan(found.detectable_difference)


def test_too_few_draws_are_refused_with_the_run_that_has_them():
    short = {**AFTER, "p7": (3, 1)}
    with pytest.raises(TooFewDrawsError, match=r"^B: pass@5 needs at least 5 draws"):
        compare(BEFORE, short, 5)


def test_candidates_that_were_not_judged_leave_no_difference():
    with pytest.raises(IncompleteError, match="A: 1 of 60 problems have no candidate: p3"):
        compare({**BEFORE, "p3": (0, 0)}, AFTER, 1)


def test_clusters_widen_the_interval(quietly):
    groups = {problem: f"g{int(problem[1:]) % 4}" for problem in BEFORE}
    alone = compare(BEFORE, AFTER, 1)[1]
    grouped = quietly(BEFORE, AFTER, 1, cluster=groups)[1]
    assert grouped.se > alone.se
    assert any("only 4 clusters" in warning for warning in grouped.warnings)


def test_an_unknown_interval_or_level_is_refused():
    with pytest.raises(UsageError, match="no interval called 'wald'"):
        compare(BEFORE, AFTER, 1, interval="wald")
    with pytest.raises(UsageError, match="level must lie between"):
        compare(BEFORE, AFTER, 1, level=95)


def test_results_print_and_their_json_has_the_names_of_the_attributes():
    found = compare(BEFORE, AFTER, [1, 5])
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    for k, each in found.items():
        for name, value in written["comparisons"][str(k)].items():
            mine = getattr(each, name)
            assert value == (list(mine) if name == "warnings" else mine)
    assert written["name_b"] == found.name_b == "B"
    assert written["crossing"]["words"] == str(found.crossing)
    assert "pass@5: " in str(found)
    assert found._repr_html_().count("<tr>") == 3


def test_a_comparison_draws_itself_with_a_line_at_0():
    before = {f"p{i}": (20, 1 if i % 2 else 12) for i in range(80)}
    after = {f"p{i}": (20, i % 3 == 0 if i % 2 else 18 - i % 5) for i in range(80)}
    found = compare(before, {p: (n, int(c)) for p, (n, c) in after.items()}, 1)
    lines = found.text_plot(60, 12).splitlines()
    assert len(lines) == 14
    assert any("───" in line for line in lines)
    assert found.text_plot(60, 12, ascii_only=True).isascii()
    picture = ET.fromstring(found.svg())  # noqa: S314 - our own text
    assert picture.find("{http://www.w3.org/2000/svg}polyline").get("points").count(",") == 20
    assert found.svg() in found._repr_html_()


def test_movers_add_up_to_the_difference_and_so_do_the_ranges():
    found = compare(BEFORE, AFTER, [1, 5])
    movers = found.movers(5, most=60)
    assert sum(m.contribution for m in movers) == pytest.approx(found[5].difference)
    sizes = [abs(m.difference) for m in movers]
    assert sizes == sorted(sizes, reverse=True)
    shift = found.shift(5)
    assert sum(s.problems for s in shift) == 60
    assert sum(s.gain_1 for s in shift) == pytest.approx(found[1].difference)
    assert sum(s.gain_k for s in shift) == pytest.approx(found[5].difference)


def test_a_model_surer_of_the_known_and_worse_at_the_rare_shows_as_such():
    before = {f"p{i}": (20, 1 if i % 2 else 12) for i in range(80)}
    after = {f"p{i}": (20, 0 if i % 2 else 18) for i in range(80)}
    found = compare(before, after, [1, 20])
    assert found[1].difference > 0 > found[20].difference
    shift = {s.rate: s for s in found.shift(20)}
    assert shift["hard: 2 to 10 %"].gain_k == pytest.approx(found[20].difference)
    assert shift["sure: 70 to 100 %"].gain_k == 0


def test_the_gate_asks_for_proof_unless_nothing_came_out_worse(quietly):
    better = compare(BEFORE, AFTER, [1, 5])
    assert better.not_worse(0.0)
    assert not compare(AFTER, BEFORE, 1).not_worse(0.01)
    assert quietly(BEFORE, BEFORE, 1).not_worse(0.0)
    slightly = {**BEFORE, "p4": (10, 0)}
    found = quietly(BEFORE, slightly, 1)
    assert not found.not_worse(0.01)
    assert found.not_worse(0.1)


def simulated(rng, problems, n, gain=0.0):
    """Draw two models of nearly the same strength on the same problems."""
    p = rng.beta(2, 2, problems)
    a, b = rng.binomial(n, p), rng.binomial(n, np.clip(p + gain, 0, 1))
    return tuple({f"p{i}": (n, int(c)) for i, c in enumerate(each)} for each in (a, b))


def test_equal_models_are_told_apart_no_more_often_than_the_level_says(quietly):
    rng = np.random.default_rng(7)
    repeats = 400
    alarms = outside = 0
    for _ in range(repeats):
        found = quietly(*simulated(rng, 50, 6), [1, 3])
        alarms += found[1].decided
        outside += any(not each.band_low <= 0 <= each.band_high for each in found.values())
    most = 0.05 * repeats + 5 * sqrt(0.05 * 0.95 * repeats)  # a false alarm in 10**6 runs
    least = 0.05 * repeats - 4.5 * sqrt(0.05 * 0.95 * repeats)
    assert least < alarms < most
    assert outside < most


def test_the_difference_is_unbiased_over_repeats(quietly):
    rng = np.random.default_rng(11)
    gains, squares = [], []
    for _ in range(300):
        found = quietly(*simulated(rng, 40, 4, gain=0.05), 1)[1]
        gains.append(found.difference)
        squares.append(found.se**2)
    truth = 0.05 - 0.05**3 / 1  # a little is lost where p + .05 passes 1
    spread = np.std(gains) / sqrt(len(gains))
    assert abs(np.mean(gains) - truth) < 5 * spread + 0.001
    assert np.mean(squares) == pytest.approx(np.var(gains), rel=0.5)


def test_a_path_is_no_run_and_the_hint_says_how_to_read_it():
    with pytest.raises(UsageError, match="counts of A must be read first") as caught:
        compare("before.csv", AFTER, 1)
    assert "anyofk.exchange.read_counts(path)" in caught.value.hint
