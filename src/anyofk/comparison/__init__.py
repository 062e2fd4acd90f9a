"""Comparison: which of two or more runs is better, at which k, and how sure that is."""

from anyofk.comparison.compare import Comparison, compare
from anyofk.comparison.crossing import Crossing
from anyofk.comparison.movers import Mover, Shift
from anyofk.comparison.record import PairedEstimate
from anyofk.comparison.several import ModelRank, PairTest, Ranking, compare_all

__all__ = [
    "Comparison",
    "Crossing",
    "ModelRank",
    "Mover",
    "PairTest",
    "PairedEstimate",
    "Ranking",
    "Shift",
    "compare",
    "compare_all",
]
