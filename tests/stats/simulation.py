"""Populations of problems, their true means, and a coverage bound with rare false alarms."""

import math

import numpy as np
from scipy.special import betaln


class BetaLaw:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def draw(self, rng, shape):
        return rng.beta(self.a, self.b, shape)

    def mean_pass_at_k(self, k):
        return -math.expm1(betaln(self.a, self.b + k) - betaln(self.a, self.b))


class Mixture:
    """Most problems pass with chance ``usual``, a share ``rare`` with chance ``other``."""

    def __init__(self, rare, usual, other):
        self.rare, self.usual, self.other = rare, usual, other

    def draw(self, rng, shape):
        return np.where(rng.random(shape) < self.rare, self.other, self.usual)

    def mean_pass_at_k(self, k):
        usual, other = (1 - (1 - p) ** k for p in (self.usual, self.other))
        return (1 - self.rare) * usual + self.rare * other


POPULATIONS = {
    "Beta(.05, 2)": BetaLaw(0.05, 2),
    "Beta(.3, .3)": BetaLaw(0.3, 0.3),
    "Beta(8, .2)": BetaLaw(8, 0.2),
    "Beta(2, 2)": BetaLaw(2, 2),
    "Beta(.02, .4)": BetaLaw(0.02, 0.4),
    "99 % .05, 1 % 1": Mixture(0.01, 0.05, 1.0),
    "97 % .95, 3 % 0": Mixture(0.03, 0.95, 0.0),
}


def least(level, draws):
    """Give the coverage below which a true ``level`` falls less than once in a million runs."""
    return level - 4.9 * math.sqrt(level * (1 - level) / draws)
