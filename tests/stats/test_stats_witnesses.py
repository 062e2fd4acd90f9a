"""Other libraries agree where they are right; where they are wrong, exact truth says so."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import comb
from scipy.stats import hypergeom

from anyofk.errors import TooFewDrawsError
from anyofk.stats import (
    benjamini_hochberg,
    clopper_pearson,
    difference_band,
    fail_at_k,
    g_pass_at_k,
    holm,
    max_at_k,
    mcnemar_exact,
    mg_pass_at_k,
    pass_at_k,
    pass_hat_k,
    posterior_pass_at_k,
    wilson_interval,
)

RNG = np.random.default_rng(8)
N = RNG.integers(1, 60, 200)
C = RNG.integers(0, N + 1)
K = RNG.integers(1, N + 1)


def relative(value, truth):
    return abs(Fraction(float(value)) - truth) / truth


def test_scipys_hypergeometric_law_agrees_for_small_n():
    for n, c, k in zip(N, C, K, strict=True):
        assert pass_at_k(n, c, k) == pytest.approx(hypergeom.sf(0, n, c, k), rel=1e-11)
        assert pass_hat_k(n, c, k) == pytest.approx(hypergeom.sf(k - 1, n, c, k), rel=1e-11)


def test_scipys_hypergeometric_law_loses_digits_for_large_n_and_ours_does_not():
    n, c, k = 10**9, 3, 10
    truth = pass_at_k(n, c, k, exact=True)
    assert relative(hypergeom.sf(0, n, c, k), truth) > 1e-9
    assert relative(pass_at_k(n, c, k), truth) < 1e-15


def test_a_ratio_of_float_binomials_overflows_and_ours_does_not():
    n, c, k = 2048, 20, 512
    with np.errstate(invalid="ignore", over="ignore"):
        assert not np.isfinite(comb(n - c, k) / comb(n, k))
    truth = fail_at_k(n, c, k, exact=True)
    assert relative(fail_at_k(n, c, k), truth) < 1e-14


def usual(n, c, k):
    """Give the estimate the way it is usually coded."""
    return 1.0 if n - c < k else 1.0 - float(np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def test_the_usual_code_agrees_but_where_it_should_refuse_or_is_tiny():
    for n, c, k in zip(N, C, K, strict=True):
        assert pass_at_k(n, c, k) == pytest.approx(usual(n, c, k), abs=1e-14)
    assert usual(5, 0, 10) == 1.0
    with pytest.raises(TooFewDrawsError):
        pass_at_k(5, 0, 10)
    truth = pass_at_k(10**9, 3, 10, exact=True)
    assert relative(usual(10**9, 3, 10), truth) > 1e-10


def test_scorio_agrees_on_points_and_not_on_a_benchmark_that_was_never_solved():
    scorio = pytest.importorskip("scorio.eval", reason="scorio is not installed")
    outcomes = (RNG.random((30, 24)) < RNG.random((30, 1))).astype(int)
    c = outcomes.sum(axis=1)
    for k in (1, 3, 8):
        assert pass_at_k(24, c, k).mean() == pytest.approx(scorio.pass_at_k(outcomes, k), rel=1e-14)
        assert pass_hat_k(24, c, k).mean() == pytest.approx(
            scorio.pass_hat_k(outcomes, k), rel=1e-14
        )
        assert g_pass_at_k(24, c, k, 0.5).mean() == pytest.approx(
            scorio.g_pass_at_k_tau(outcomes, k, 0.5), rel=1e-13
        )
        assert mg_pass_at_k(24, c, k).mean() == pytest.approx(
            scorio.mg_pass_at_k(outcomes, k), rel=1e-13, abs=1e-15
        )
        assert np.mean(max_at_k(outcomes, k)) == pytest.approx(
            scorio.max_at_k(outcomes, k), rel=1e-13
        )
    middle = scorio.pass_at_k_ci(np.zeros((50, 8), dtype=int), 8)[0]
    assert middle > 0.4
    assert posterior_pass_at_k([8] * 50, [0] * 50, 8).benchmark.mean < 0.03


def test_passk_inference_agrees_on_points_and_we_give_constant_columns_a_width():
    other = pytest.importorskip("passk_inference", reason="passk-inference is not installed")
    for k in (1, 2, 7):
        fits = k <= N
        assert pass_at_k(N[fits], C[fits], k) == pytest.approx(
            np.asarray(other.pass_at_k(C[fits], N[fits], k)), rel=1e-13
        )
    band = difference_band(np.zeros((1, 50)))
    assert 0 < band.high[0] < 0.1


def test_statsmodels_agrees_on_intervals_and_tests():
    pytest.importorskip("statsmodels", reason="statsmodels is not installed")
    from statsmodels.stats.contingency_tables import mcnemar  # noqa: PLC0415 -- optional
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415 -- optional
    from statsmodels.stats.proportion import proportion_confint  # noqa: PLC0415 -- optional

    for hits in (0, 7, 40):
        low, high = clopper_pearson(hits / 40, 40)
        truth = proportion_confint(hits, 40, method="beta")
        assert (float(low), float(high)) == pytest.approx(truth, abs=1e-12)
        found = wilson_interval([1] * hits + [0] * (40 - hits))
        assert (found.low, found.high) == pytest.approx(
            proportion_confint(hits, 40, method="wilson"), abs=1e-12
        )
    p = RNG.random(9) ** 2
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])
    assert mcnemar_exact(9, 3) == pytest.approx(mcnemar([[30, 9], [3, 8]], exact=True).pvalue)


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_training_libraries_get_numpys_weights(library):
    from anyofk.stats import pass_at_k_weights  # noqa: PLC0415 -- only here

    pytest.importorskip("array_api_compat", reason="array-api-compat is not installed")
    xp = pytest.importorskip(library, reason=f"{library} is not installed")
    rewards = RNG.random((5, 8)).astype("float32")
    mask = RNG.random((5, 8)) < 0.8
    mask[:, :4] = True
    for baseline in ("none", "loo", "loo_minus_one", "pkpo_sloo", "mean_centred"):
        found = pass_at_k_weights(xp.asarray(rewards), 3, baseline=baseline, mask=mask)
        assert type(found) is type(xp.asarray(rewards))
        assert np.asarray(found) == pytest.approx(
            pass_at_k_weights(rewards, 3, baseline=baseline, mask=mask), abs=1e-6
        )
    passed = rewards < 0.4
    for baseline in ("auto", "loo_weighted", "chen2025", "chen2025_unscaled"):
        found = pass_at_k_weights(xp.asarray(passed), 3, baseline=baseline)
        assert np.asarray(found) == pytest.approx(
            pass_at_k_weights(passed, 3, baseline=baseline), abs=1e-6
        )
    gap = xp.asarray(np.array([1.0, math.nan, 0.0, 1.0], dtype="float32"))
    assert np.asarray(pass_at_k_weights(gap, 1)) == pytest.approx([1 / 6, 0, -1 / 3, 1 / 6])


def test_jax_can_compile_the_weights_of_passes():
    from anyofk.stats import pass_at_k_weights  # noqa: PLC0415 -- only here

    pytest.importorskip("array_api_compat", reason="array-api-compat is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    passed = RNG.random((4, 6)) < 0.5
    compiled = jax.jit(lambda rewards: pass_at_k_weights(rewards, 2))
    assert np.asarray(compiled(passed)) == pytest.approx(pass_at_k_weights(passed, 2), abs=1e-6)
