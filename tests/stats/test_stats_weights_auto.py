"""The baseline that is chosen when none is named, by n and k alone."""

import numpy as np
import pytest

from anyofk.errors import UsageError
from anyofk.stats import dead_group_share, pass_at_k_weights


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


@pytest.mark.parametrize("baseline", ["loo_weighted", "chen2025", "chen2025_unscaled"])
def test_what_is_for_noughts_and_ones_refuses_other_rewards(baseline):
    assert pass_at_k_weights([1.0, 0.0, 0.0], 2, baseline=baseline).shape == (3,)
    with pytest.raises(UsageError, match="0"):
        pass_at_k_weights([0.5, 0.0, 1.0], 2, baseline=baseline)


def test_the_share_of_dead_groups_is_that_of_the_chosen_baseline():
    rewards = [[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]]
    assert dead_group_share(rewards, 1) == dead_group_share(rewards, 1, baseline="auto")
    assert dead_group_share(rewards, 1) == pytest.approx(2 / 3)
