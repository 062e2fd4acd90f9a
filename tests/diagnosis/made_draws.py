"""A model of a few texts a problem, drawn from as it should be or in one of the wrong ways."""

import numpy as np

from anyofk.records import Candidate, Outcome, Verdict

SUPPORT = 30
N = 20


class Drawn:
    """What answers like a stored run."""

    def __init__(self):
        self._verdicts, self._candidates = [], []

    def add(self, problem, draw, text, passed, settings=()):
        outcome = Outcome.PASSED if passed else Outcome.WRONG_ANSWER
        self._verdicts.append(Verdict(problem, draw, outcome))
        self._candidates.append(Candidate(problem, draw, text, settings=dict(settings)))

    def verdicts(self):
        return iter(self._verdicts)

    def candidates(self):
        return iter(self._candidates)


def independent(rng, weights):
    return rng.choice(SUPPORT, N, p=weights)


def copied_at_once(rng, weights):
    return np.repeat(rng.choice(SUPPORT, N // 2, p=weights), 2)


def copied_and_shuffled(rng, weights):
    return rng.permutation(copied_at_once(rng, weights))


def distinct_in_a_request(rng, weights):
    requests = [rng.choice(SUPPORT, 5, replace=False, p=weights) for _ in range(N // 5)]
    return np.concatenate(requests)


def distinct_everywhere(rng, weights):
    return rng.choice(SUPPORT, N, replace=False, p=weights)


def draw(rng, texts=independent, *, problems=40, write="x = {}".format):
    """Draw a run; the texts of a problem are few, and some of them are right."""
    weights = 1 / np.arange(1, SUPPORT + 1)
    run = Drawn()
    for i in range(problems):
        right = rng.random(SUPPORT) < rng.beta(0.7, 0.7)
        for number, text in enumerate(texts(rng, weights / weights.sum()).tolist()):
            run.add(f"p{i}", number, write(text), right[text], {"seed": number // 5})
    return run


def outcomes(rng, chance, *, problems=40, n=N):
    """Draw outcomes alone; ``chance(p, draws)`` gives each draw its own chance."""
    return {
        f"p{i}": [bool(x) for x in rng.random(n) < chance(rng.beta(1, 1), np.arange(n))]
        for i in range(problems)
    }


def moved(p, by):
    """Move a chance on the logit scale."""
    return 1 / (1 + (1 - p) / p * np.exp(-by))
