import json
from fractions import Fraction
from itertools import product
from statistics import variance

import numpy as np
import pytest
from hypothesis import given

from anyofk.errors import UsageError
from anyofk.stats import (
    benchmark_mean,
    between_variance,
    cluster_variance,
    pass_at_k,
    population_variance,
    sampling_variance,
    variance_of_mean,
    variance_unbiased,
)
from strategies import run_counts


@given(run_counts(k=4))
def test_the_parts_are_what_they_say(run):
    n, c = run
    for k in (1, 2):
        each = [pass_at_k(a, b, k, exact=True) for a, b in zip(n, c, strict=True)]
        noise = [variance_unbiased(a, b, k, exact=True) for a, b in zip(n, c, strict=True)]
        m = len(n)
        assert benchmark_mean(n, c, k, exact=True) == sum(each) / m
        assert population_variance(n, c, k, exact=True) == variance(each) / m
        assert sampling_variance(n, c, k, exact=True) == sum(noise) / m**2
        assert between_variance(n, c, k, exact=True) == variance(each) - sum(noise) / m
        assert population_variance(n, c, k) == pytest.approx(float(variance(each) / m), rel=1e-12)


def test_several_k_come_as_one_array():
    n, c = [8, 10, 12], [0, 5, 12]
    for part in (benchmark_mean, population_variance, sampling_variance, between_variance):
        assert part(n, c, [1, 4]).tolist() == pytest.approx([part(n, c, 1), part(n, c, 4)])


def test_clustered_variance_is_exactly_unbiased_for_equal_clusters():
    # values of problem = cluster effect + own effect, all equally likely signs
    effects = list(product([Fraction(-1), Fraction(1)], repeat=3))
    own = list(product([Fraction(-1, 2), Fraction(1, 2)], repeat=6))
    means, estimates = [], []
    for e in effects:
        for o in own:
            values = np.array([e[i // 2] + o[i] for i in range(6)], dtype=object)
            means.append(sum(values) / 6)
            estimates.append(cluster_variance(values, [0, 0, 1, 1, 2, 2]).item())
    true = sum(m * m for m in means) / len(means)
    assert sum(estimates) / len(estimates) == true


def test_clusters_of_one_are_no_clusters():
    values = [0.1, 0.7, 0.4, 0.9]
    assert float(cluster_variance(values, list("abcd"))) == pytest.approx(
        float(variance_of_mean(values))
    )


def test_what_has_no_spread_is_refused():
    with pytest.raises(UsageError, match="two problems, got 1"):
        population_variance([5], [2], 1)
    with pytest.raises(UsageError, match="two clusters, got 1"):
        cluster_variance([0.1, 0.2], ["a", "a"])
    with pytest.raises(UsageError, match=r"cluster has shape \(1,\)"):
        cluster_variance([0.1, 0.2], ["a"])
    with pytest.raises(UsageError, match="no problems"):
        benchmark_mean([], [], 1)


def test_standard_errors_of_real_counts_are_the_known_ones(shared):
    data = json.loads((shared / "golden" / "published_counts.json").read_text())
    known = {1: (0.01224, 0.00077), 8: (0.01131, 0.00112), 64: (0.00974, 0.00272)}
    n = [data["n"]] * len(data["c_base"])
    for k, (total, sampling) in known.items():
        assert population_variance(n, data["c_base"], k) ** 0.5 == pytest.approx(total, abs=5e-6)
        assert sampling_variance(n, data["c_base"], k) ** 0.5 == pytest.approx(sampling, abs=5e-6)
