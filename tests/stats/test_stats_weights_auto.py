"""The baseline that is chosen when none is named, by n and k alone."""

import numpy as np
import pytest

from anyofk.stats import pass_at_k_weights


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("whole", [True, False])
def test_loo_is_chosen_from_n_of_4_k(k, whole):
    for n, baseline in ((4 * k, "loo"), (4 * k - 1, "loo_minus_one"), (4 * k + 1, "loo")):
        rewards = np.arange(n) % 2 if whole else np.linspace(0, 1, n)
        chosen = pass_at_k_weights(rewards, k)
        other = "loo_minus_one" if baseline == "loo" else "loo"
        assert chosen == pytest.approx(pass_at_k_weights(rewards, k, baseline=baseline), abs=1e-15)
        assert not np.allclose(chosen, pass_at_k_weights(rewards, k, baseline=other))


def test_loo_is_chosen_at_k_of_1_whatever_n():
    rewards = [1.0, 0.0]
    assert (
        pass_at_k_weights(rewards, 1).tolist()
        == pass_at_k_weights(rewards, 1, baseline="loo").tolist()
    )
