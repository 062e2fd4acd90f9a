"""What holds for any two runs."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anyofk.comparison import compare_all
from anyofk.comparison.compare import Comparison
from anyofk.comparison.paired import compare_at
from anyofk.comparison.pairing import pair


@st.composite
def two_runs(draw):
    """Two runs over the same few problems, and k that both allow."""
    size = draw(st.integers(2, 12))
    k = draw(st.integers(1, 4))
    sides = []
    for _ in range(2):
        n = draw(st.lists(st.integers(k, 3 * k), min_size=size, max_size=size))
        sides.append({f"p{i}": (each, draw(st.integers(0, each))) for i, each in enumerate(n)})
    return sides, sorted({1, k})


@settings(max_examples=30, deadline=None)
@given(two_runs(), st.sampled_from(["t", "conservative"]))
def test_intervals_hold_the_difference_and_agree_with_the_p_value(case, interval):
    (a, b), ks = case
    paired = pair(a, b)
    found = Comparison(paired, compare_at(paired, ks, level=0.9, interval=interval))
    for each in found.values():
        assert -1 <= each.low <= each.difference <= each.high <= 1
        assert each.band_low <= each.difference <= each.band_high
        assert 0 <= each.p_value <= 1
        if each.test == "t" and each.se > 0:
            away = min(abs(each.low), abs(each.high)) > 1e-9
            assert not away or each.decided == (each.low > 0 or each.high < 0)
    json.dumps(found.to_json(), allow_nan=False)
    assert abs(found.crossing.points[0].difference - found[1].difference) < 1e-12
    assert found.text_plot()
    assert sum(s.problems for s in found.shift()) == len(a)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_every_rank_lies_in_its_range(seed, models):
    rng = np.random.default_rng(seed)
    runs = {
        f"m{j}": {f"p{i}": (4, int(c)) for i, c in enumerate(rng.binomial(4, j / models, 20))}
        for j in range(models)
    }
    ranks = compare_all(runs, [1, 3], interval="conservative").ranks
    assert all(1 <= each.rank_low <= each.rank <= each.rank_high <= models for each in ranks)
    assert len(ranks) == 2 * models
