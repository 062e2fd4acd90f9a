"""Every quantity by its definition: all subsets, all outcomes, in fractions. Slow and plain."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod


def mean(values):
    values = [Fraction(v) for v in values]
    return sum(values) / len(values)


def outcomes(n, c):
    return [1] * c + [0] * (n - c)


def over_subsets(n, k, worth):
    """Average ``worth(indices)`` over all k-subsets."""
    return mean(worth(subset) for subset in combinations(range(n), k))


def pass_at_k(n, c, k):
    v = outcomes(n, c)
    return over_subsets(n, k, lambda s: max(v[i] for i in s))


def at_least(n, c, k, j):
    v = outcomes(n, c)
    return over_subsets(n, k, lambda s: int(sum(v[i] for i in s) >= j))


def best_of_k(scores, values, k):
    def choice(subset):
        top = max(scores[i] for i in subset)
        return mean(values[i] for i in subset if scores[i] == top)

    return over_subsets(len(scores), k, choice)


def best_of_disjoint_pairs(scores, values, k):
    """Average the product of two best values over ordered pairs of disjoint k-subsets.

    Ties are broken by one random order for both sets, as a shuffled list would.
    """
    n = len(scores)
    total, number = Fraction(0), 0
    for order in permutations(range(n)):
        rank = {i: (scores[i], order[i]) for i in range(n)}
        for one in combinations(range(n), k):
            rest = [i for i in range(n) if i not in one]
            for other in combinations(rest, k):
                total += Fraction(values[max(one, key=rank.get)]) * Fraction(
                    values[max(other, key=rank.get)]
                )
                number += 1
    return total / number


def maj_at_k(votes, correct, k, abstain=0):
    labels = [a for a, size in enumerate(votes) for _ in range(size)] + [None] * abstain

    def won(subset):
        drawn = [labels[i] for i in subset if labels[i] is not None]
        if not drawn:
            return 0
        top = max(drawn.count(a) for a in drawn)
        return mean(correct[a] for a in set(drawn) if drawn.count(a) == top)

    return over_subsets(len(labels), k, won)


def credit(rewards, k, i):
    """Sum the best rewards of the k-subsets that hold i, over the number of all k-subsets."""
    n = len(rewards)
    holding = [s for s in combinations(range(n), k) if i in s]
    return sum(Fraction(max(rewards[j] for j in s)) for s in holding) / comb(n, k)


def max_at_k(rewards, k):
    return over_subsets(len(rewards), k, lambda s: max(rewards[i] for i in s))


def weights(rewards, k, baseline):
    """Give each form of the weights by its definition."""
    n = len(rewards)
    s = [credit(rewards, k, i) for i in range(n)]
    without = [[*rewards[:i], *rewards[i + 1 :]] for i in range(n)]
    share = Fraction(k, n)

    def best(i, size):
        return max_at_k(without[i], size) if size else Fraction(0)

    def weighted(i):
        return share * (rewards[i] - mean(without[i])) * (1 - best(i, k - 1))

    forms = {
        "none": lambda i: s[i],
        "loo": lambda i: s[i] - share * best(i, k),
        "loo_minus_one": lambda i: s[i] - share * best(i, k - 1),
        "pkpo_sloo": lambda i: s[i] - Fraction(k, n - 1) * best(i, k),
        "mean_centred": lambda i: s[i] - mean(s),
        "chen2025_unscaled": lambda i: (s[i] - mean(s)) / share,
        "loo_weighted": weighted,
    }
    return [forms[baseline](i) for i in range(n)]


def expectation(n, p, statistic):
    """Average a statistic of c over Binomial(n, p), p a fraction."""
    q = 1 - p
    return sum(comb(n, c) * p**c * q ** (n - c) * Fraction(statistic(c)) for c in range(n + 1))


def sample_expectation(n, chances, statistic):
    """Average a statistic of n independent draws from a finite law over all its outcomes."""
    total = Fraction(0)
    for draws in product(range(len(chances)), repeat=n):
        total += prod(chances[d] for d in draws) * statistic(draws)
    return total
