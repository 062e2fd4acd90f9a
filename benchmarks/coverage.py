"""How often the intervals cover what they claim to cover: the published table.

    python benchmarks/coverage.py            30,000 draws a cell, some minutes
    python benchmarks/coverage.py --quick    2,000 draws a cell
    python benchmarks/coverage.py --write docs/statistics/coverage.md

Every draw is a whole run: problems from the population, n candidates for each, the interval
of each method. The seed is fixed; the same command prints the same table.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import betaln, stdtrit

from anyofk.stats import (
    INTERVALS,
    benchmark_interval,
    conservative_ends,
    pass_at_k,
    variance_unbiased,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED, DRAWS, QUICK = 20_240_607, 30_000, 2_000
PROBLEMS, KS, N, LEVEL = (20, 50, 164), (1, 5), 20, 0.95
CURVE = (1, 2, 5, 10, 20)
METHODS = ("kg", "kg-capped", "kg-gamma", "conservative", "t", "z")
CHUNK = 2_000  # runs worked on at once

Ends = tuple[Any, Any]


@dataclass(frozen=True)
class Population:
    """Chances of the problems: a Beta law, or two values with a share of the second."""

    name: str
    beta: tuple[float, float] | None = None
    usual: float = 0.0
    rare: float = 0.0
    share: float = 0.0

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Draw the chances of problems."""
        if self.beta:
            return rng.beta(*self.beta, shape)
        return np.where(rng.random(shape) < self.share, self.rare, self.usual)

    def mean(self, k: int) -> float:
        """Give the true mean pass@k."""
        if self.beta:
            a, b = self.beta
            return -math.expm1(betaln(a, b + k) - betaln(a, b))
        usual, rare = (1 - (1 - p) ** k for p in (self.usual, self.rare))
        return (1 - self.share) * usual + self.share * rare


POPULATIONS = (
    Population("Beta(.05, 2)", (0.05, 2)),
    Population("Beta(.3, .3)", (0.3, 0.3)),
    Population("Beta(8, .2)", (8, 0.2)),
    Population("Beta(2, 2)", (2, 2)),
    Population("Beta(.02, .4)", (0.02, 0.4)),
    Population("99 % p=.05, 1 % p=1", usual=0.05, rare=1.0, share=0.01),
    Population("97 % p=.95, 3 % p=0", usual=0.95, rare=0.0, share=0.03),
    Population("99 % p=.2, 1 % p=1", usual=0.2, rare=1.0, share=0.01),
    Population("98 % p=.9, 2 % p=0", usual=0.9, rare=0.0, share=0.02),
    Population("95 % p=.1, 5 % p=.8", usual=0.1, rare=0.8, share=0.05),
)

FIXED = {
    "all .01": lambda m: np.full(m, 0.01),
    "all .3": lambda m: np.full(m, 0.3),
    "all .6": lambda m: np.full(m, 0.6),
    "all .97": lambda m: np.full(m, 0.97),
    "half 1, half .005": lambda m: np.where(np.arange(m) % 2, 1.0, 0.005),
    "half 0, half .8": lambda m: np.where(np.arange(m) % 2, 0.0, 0.8),
    "half .01, half .5": lambda m: np.where(np.arange(m) % 2, 0.01, 0.5),
    "thirds 0, .7, 1": lambda m: np.array([0.0, 0.7, 1.0])[np.arange(m) % 3],
    "one .3, others 0": lambda m: np.where(np.arange(m) == 0, 0.3, 0.0),
    "one .7, others 1": lambda m: np.where(np.arange(m) == 0, 0.7, 1.0),
    "even from 0 to 1": lambda m: (np.arange(m) + 0.5) / m,
}


def chunks(draws: int) -> Iterator[int]:
    for start in range(0, draws, CHUNK):
        yield min(CHUNK, draws - start)


def inside(ends: Ends, truth: Any) -> float:
    low, high = ends
    return float(np.sum((low <= truth + 1e-12) & (truth <= high + 1e-12)))


def tally(hits: dict[str, float], found: dict[str, float]) -> None:
    for name, value in found.items():
        hits[name] = hits.get(name, 0.0) + value


def population_cell(pop: Population, problems: int, n: int, k: int, draws: int) -> dict[str, float]:
    """Cover the population mean by each method."""
    rng = np.random.default_rng([SEED, 1, problems, n, k])
    table, hits = pass_at_k(n, np.arange(n + 1), k), {}
    for size in chunks(draws):
        values = table[rng.binomial(n, pop.draw(rng, (size, problems)))]
        for name in ("kg", "kg-capped", "t", "z"):
            low, high, _ = INTERVALS[name](values)
            tally(
                hits, {name: inside((low, high), pop.mean(k)), f"{name} width": np.sum(high - low)}
            )
    return {name: value / draws for name, value in hits.items()}


def benchmark_cell(p: Any, n: int, k: int, draws: int) -> dict[str, float]:
    """Cover the mean over exactly these problems."""
    rng = np.random.default_rng([SEED, 2, p.size, n, k])
    truth, hits = np.mean(1 - (1 - p) ** k), {}
    for size in chunks(draws):
        c = rng.binomial(n, np.broadcast_to(p, (size, p.size)))
        low, high, _ = benchmark_interval(n, c, k)
        tally(hits, {"kg-gamma": inside((low, high), truth), "width": np.sum(high - low)})
        mean = pass_at_k(n, c, k).mean(axis=-1)
        half = 1.96 * np.sqrt(variance_unbiased(n, c, k).sum(axis=-1)) / p.size
        tally(hits, {"z": inside((mean - half, mean + half), truth), "z width": np.sum(2 * half)})
    return {name: value / draws for name, value in hits.items()}


def curve_cell(pop: Population, problems: int, draws: int) -> float:
    """Cover the whole curve at once by Bonferroni over Korn-Graubard."""
    rng = np.random.default_rng([SEED, 3, problems])
    table, hits = pass_at_k(N, np.arange(N + 1), CURVE), 0.0
    for size in chunks(draws):
        c = rng.binomial(N, pop.draw(rng, (size, problems)))
        good = np.ones(size, dtype=bool)
        for j, k in enumerate(CURVE):
            level = 1 - (1 - LEVEL) / len(CURVE)
            low, high, _ = INTERVALS["kg"](table[c, j], level=level)
            good &= (low <= pop.mean(k)) & (pop.mean(k) <= high)
        hits += float(np.sum(good))
    return hits / draws


def t_ends(differences: Any) -> Ends:
    """Give paired t with its rule for equal differences, for many runs at once."""
    problems = differences.shape[-1]
    mean = differences.mean(axis=-1)
    half = stdtrit(problems - 1, 0.975) * differences.std(axis=-1, ddof=1) / math.sqrt(problems)
    flat, unseen = np.ptp(differences, axis=-1) == 0, 1 - (1 - LEVEL) ** (1 / problems)
    low = np.where(flat, mean - unseen * (1 + mean), mean - half)
    return low, np.where(flat, mean + unseen * (1 - mean), mean + half)


def paired_cell(
    pop: Population, shift: float, cell: tuple[int, int], draws: int
) -> dict[str, float]:
    """Cover the difference of two models, b with its failures' chances raised by a share."""
    problems, k = cell
    rng = np.random.default_rng([SEED, 4, problems, k, round(100 * shift)])
    truth = float(np.mean(shifted_gain(pop, shift, k)))
    table, hits = pass_at_k(N, np.arange(N + 1), k), {}
    for size in chunks(draws):
        p = pop.draw(rng, (size, problems))
        a, b = (table[rng.binomial(N, q)] for q in (p, p + shift * (1 - p)))
        for name, (low, high) in (("t", t_ends(b - a)), ("conservative", conservative_ends(b - a))):
            found = {name: inside((low, high), truth), f"{name} width": np.sum(high - low)}
            tally(hits, found)
    return {name: value / draws for name, value in hits.items()}


def shifted_gain(pop: Population, shift: float, k: int) -> float:
    """Give the true mean gain: failures fall from q to (1 - shift) q, so q**k by that power."""
    return (1 - pop.mean(k)) * (1 - (1 - shift) ** k)


def mark(value: float, least: float) -> str:
    text = f"{value:.3f}"
    return f"**{text}**" if value < least else text


def table_lines(head: list[str], rows: list[list[str]]) -> list[str]:
    table = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    return [*table, "", least_line(head, rows)]


def least_line(head: list[str], rows: list[list[str]]) -> str:
    """Sum a table up: the lowest coverage of each method."""
    columns = [i for i, name in enumerate(head) if name in METHODS or name.startswith("M=")]
    least = [f"{head[i]} {min(row[i].strip('*') for row in rows)}" for i in columns]
    return f"Lowest of {len(rows)} rows: {', '.join(least)}."


def population_section(draws: int) -> list[str]:
    rows = []
    for pop in POPULATIONS:
        for n, problems, k in ((n, m, k) for n in (N, 200) for k in KS for m in PROBLEMS):
            cell = population_cell(pop, problems, n, k, draws)
            shown = [mark(cell[name], 0.945) for name in ("kg", "kg-capped", "t", "z")]
            widths = [f"{cell[f'{name} width']:.3f}" for name in ("kg", "kg-capped", "t")]
            rows.append([pop.name, str(n), str(k), str(problems), *shown, *widths])
    head = ["population", "n", "k", "M", "kg", "kg-capped", "t", "z"]
    return table_lines([*head, "width kg", "width kg-capped", "width t"], rows)


def benchmark_section(draws: int) -> list[str]:
    rows = []
    for name, law in FIXED.items():
        for n, k, problems in (
            (n, k, m) for n, k in ((20, 1), (20, 5), (20, 10), (100, 10)) for m in PROBLEMS
        ):
            cell = benchmark_cell(law(problems), n, k, draws)
            shown = [mark(cell["kg-gamma"], 0.945), mark(cell["z"], 0.945)]
            widths = [f"{cell['width']:.4f}", f"{cell['z width']:.4f}"]
            rows.append([name, str(n), str(k), str(problems), *shown, *widths])
    return table_lines(
        ["chances", "n", "k", "M", "kg-gamma", "z", "width kg-gamma", "width z"], rows
    )


def curve_section(draws: int) -> list[str]:
    rows = [
        [pop.name, *(mark(curve_cell(pop, problems, draws), 0.945) for problems in PROBLEMS)]
        for pop in POPULATIONS
    ]
    return table_lines(["population", *(f"M={m}" for m in PROBLEMS)], rows)


def paired_section(draws: int) -> list[str]:
    rows = []
    for pop in POPULATIONS:
        for shift, k, problems in ((s, k, m) for s in (0.0, 0.1) for k in KS for m in PROBLEMS):
            cell = paired_cell(pop, shift, (problems, k), draws)
            shown = [mark(cell[name], 0.945) for name in ("t", "conservative")]
            widths = [f"{cell[f'{name} width']:.3f}" for name in ("t", "conservative")]
            rows.append([pop.name, f"{shift:g}", str(k), str(problems), *shown, *widths])
    return table_lines(
        ["population", "shift", "k", "M", "t", "conservative", "width t", "width conservative"],
        rows,
    )


def page(draws: int) -> str:
    text = Path(__file__).with_name("coverage_words.md").read_text(encoding="utf-8")
    sections = {
        "population": population_section,
        "benchmark": benchmark_section,
        "curve": curve_section,
        "paired": paired_section,
    }
    error = math.sqrt(LEVEL * (1 - LEVEL) / draws)
    text = text.replace("{draws}", f"{draws:,}").replace("{n}", str(N))
    text = text.replace("{error}", f"{error:.4f}")
    for name, section in sections.items():
        text = text.replace(f"{{{name}}}", "\n".join(section(draws)).rstrip())
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="2,000 draws a cell")
    parser.add_argument("--write", type=Path, help="write the page there instead of printing it")
    given = parser.parse_args()
    text = page(QUICK if given.quick else DRAWS)
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
