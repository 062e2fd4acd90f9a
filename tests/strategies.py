"""Hypothesis strategies for counts, k, rewards and groups."""

from fractions import Fraction

from hypothesis import strategies as st


@st.composite
def counts(draw, largest=200):
    """One problem: n candidates judged of which c passed."""
    n = draw(st.integers(1, largest))
    return n, draw(st.integers(0, n))


@st.composite
def counts_and_k(draw, largest=200, sets=1):
    """One problem and a k of which ``sets`` disjoint subsets fit into n."""
    n = draw(st.integers(sets, largest))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n // sets))


@st.composite
def run_counts(draw, problems=30, k=4):
    """Counts of several problems, each with n >= k."""
    size = draw(st.integers(2, problems))
    n = draw(st.lists(st.integers(k, 5 * k), min_size=size, max_size=size))
    return n, [draw(st.integers(0, each)) for each in n]


chances = st.fractions(Fraction(0), Fraction(1), max_denominator=20)
rewards = st.fractions(Fraction(-3), Fraction(3), max_denominator=4)
