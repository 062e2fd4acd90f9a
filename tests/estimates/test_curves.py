import json
from itertools import pairwise
from math import sqrt
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from anyofk import Counts, evaluate
from anyofk.errors import TooFewDrawsError, UnequalDrawsWarning, UsageError
from anyofk.estimates import carriers, curve
from anyofk.records import Manifest


@pytest.fixture(scope="module")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


COUNTS = {f"p{i}": (16, i % 12) for i in range(48)}


def test_a_curve_has_every_k_that_each_problem_allows():
    counts = {**COUNTS, "p3": (12, 3)}
    with pytest.warns(UnequalDrawsWarning, match="from 12 to 16"):
        found = curve(counts)
    assert list(found) == list(range(1, 13))
    with pytest.warns(UnequalDrawsWarning):
        assert found[5].value == pytest.approx(evaluate(counts, 5)[5].value)


def test_pass_at_1_stands_beside_any_k_that_is_asked_for():
    assert list(curve(COUNTS, [8, 4])) == [1, 4, 8]


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_the_band_never_falls_and_holds_the_estimate(target):
    points = list(curve(COUNTS, target=target).values())
    assert all(p.low <= p.value <= p.high for p in points)
    for before, after in pairwise(points):
        assert before.low <= after.low
        assert before.high <= after.high


def test_the_band_is_wider_than_the_interval_at_one_k():
    one, band = evaluate(COUNTS, 4)[4], curve(COUNTS)[4]
    assert band.low < one.low < one.high < band.high


def test_the_band_has_width_where_nothing_or_everything_passed():
    nothing = curve({f"p{i}": (10, 0) for i in range(20)})
    everything = curve({f"p{i}": (10, 10) for i in range(20)})
    for k in nothing:
        assert nothing[k].low == 0 < nothing[k].high
        assert everything[k].low < 1 == everything[k].high


def test_the_band_holds_for_all_k_at_once_as_often_as_it_says():
    rng = np.random.default_rng(4)
    repeats, n, problems, missed = 150, 8, 25, 0
    truth = [sum(1 - (1 - p) ** k for p in (0.02, 0.5)) / 2 for k in range(1, n + 1)]
    for _ in range(repeats):
        p = rng.choice([0.02, 0.5], problems)
        counts = {f"p{i}": (n, int(c)) for i, c in enumerate(rng.binomial(n, p))}
        points = curve(counts).values()
        missed += any(not q.low <= t <= q.high for q, t in zip(points, truth, strict=True))
    assert missed < 0.05 * repeats + 5 * sqrt(0.05 * 0.95 * repeats)  # once in 10**6 runs


def test_too_large_a_k_is_refused_and_so_is_a_band_from_one_problem():
    with pytest.raises(TooFewDrawsError, match="pass@17"):
        curve(COUNTS, [17])
    with pytest.raises(UsageError, match="two problems"):
        curve({"p": (10, 3)})
    assert curve({"p": (10, 3)}, target="benchmark")[1].value == pytest.approx(0.3)


def test_a_run_at_temperature_0_has_a_curve_of_one_point():
    class Greedy:
        manifest = Manifest({"candidates": {"deterministic": True}})

        def counts(self):
            return [Counts("a", 5, 5), Counts("b", 5, 0)]

    assert list(curve(Greedy())) == [1]
    with pytest.raises(TooFewDrawsError, match="temperature 0"):
        curve(Greedy(), [1, 2])


def test_a_curve_draws_itself_with_characters_and_as_svg():
    found = curve(COUNTS)
    lines = found.text_plot(60, 12).splitlines()
    assert len(lines) == 14
    assert max(map(len, lines)) <= 68
    assert "●" in lines[5] + lines[3]
    assert found.text_plot(60, 12, ascii_only=True).isascii()
    picture = ET.fromstring(found.svg())  # noqa: S314 - our own text
    assert picture.find("{http://www.w3.org/2000/svg}polyline").get("points").count(",") == 16
    assert found._repr_html_() == found.svg()


def test_a_curve_of_one_point_draws_itself_too():
    found = curve({"a": (1, 1), "b": (1, 0)})
    assert "●" in found.text_plot(40, 8)
    ET.fromstring(found.svg())  # noqa: S314 - our own text


def test_a_curve_writes_its_attributes():
    found = curve(COUNTS, [4])
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert written["points"]["4"]["low"] == found[4].low
    assert (written["level"], written["problems"]) == (0.95, 48)
    assert "band for all k at once" in str(found)


def test_long_curves_are_thinned_out_in_print_and_beyond_256_in_points():
    found = curve({"a": (4000, 10), "b": (4000, 900), "c": (4000, 0)})
    assert len(found) < 340
    assert list(found)[:256] == list(range(1, 257))
    assert max(found) == 4000
    assert [p.k for p in found.shown()][:4] == [1, 2, 5, 10]


def test_carriers_add_up_and_rare_problems_weigh_most():
    found = carriers(COUNTS, 8)
    assert sum(p.share_1 for p in found.problems) == pytest.approx(1)
    assert sum(c.share_k for c in found.classes) == pytest.approx(1)
    assert sum(c.problems for c in found.classes) == 48
    assert found.classes[0].rate == "never passes"
    assert found.classes[0].weight == 8
    weights = [c.weight for c in found.classes]
    assert weights == sorted(weights, reverse=True)


def test_the_weight_is_the_slope_of_pass_at_k_without_bias():
    n, k, p = 7, 3, 0.2
    mean = 0.0
    for c in range(n + 1):
        chance = float(np.exp(_log_binomial(n, c, p)))
        mean += chance * carriers({"p": (n, c)}, k).problems[0].weight
    assert mean == pytest.approx(k * (1 - p) ** (k - 1))


def _log_binomial(n, c, p):
    ways = np.prod([(n - i) / (i + 1) for i in range(c)])
    return np.log(ways) + c * np.log(p) + (n - c) * np.log1p(-p)


def test_equal_pass_at_1_can_hide_unequal_pass_at_k():
    even = {"a": (10, 5), "b": (10, 5)}
    spread = {"a": (10, 9), "b": (10, 1)}
    assert curve(even, target="benchmark")[1].value == curve(spread, target="benchmark")[1].value
    assert curve(even, target="benchmark")[4].value > curve(spread, target="benchmark")[4].value
    assert carriers(spread, 4).problems[0].problem == "b"


def test_all_of_k_falls_where_any_of_k_rises_and_both_are_named(cases):
    case = cases["S-stats-06"]
    counts = {problem: tuple(pair) for problem, pair in case["input"]["counts"].items()}
    k = case["input"]["k"]
    anyone, all_of_k = (curve(counts, k, of=of, target="benchmark") for of in ("any", "all"))
    assert anyone[1].value == pytest.approx(case["right"]["pass@1"])
    assert anyone[k].value == case["right"]["pass@5"]
    assert all_of_k[k].value == pytest.approx(case["right"]["all_5_pass"])
    assert all_of_k[k].low < all_of_k[k].value < all_of_k[k].high
    assert "at least one of k" in str(anyone)
    assert "all of k attempts" in str(all_of_k)
    with pytest.raises(UsageError, match="'any' or 'all'"):
        curve(counts, k, of="most", target="benchmark")


def test_the_error_of_few_problems_comes_from_the_problems_not_from_the_draws(cases):
    case = cases["S-stats-03"]
    counts = {problem: tuple(pair) for problem, pair in case["input"]["counts"].items()}
    found = curve(counts, 1)[1]
    assert found.value == case["right"]["pass@1"]
    assert found.se == pytest.approx(case["right"]["se_over_tasks"], abs=1e-9)


def test_one_draw_a_problem_has_wilsons_interval_by_name(cases):
    case = cases["S-stats-01"]
    given = case["input"]
    counts = {f"p{i}": (1, int(i < given["passed"])) for i in range(given["tasks"])}
    found = evaluate(counts, 1, interval="wilson")[1]
    assert found.value == pytest.approx(case["right"]["pass@1"])
    assert (found.low, found.high) == pytest.approx(case["right"]["wilson95"], abs=1e-6)
    assert (found.method, found.target) == ("wilson", "population")
