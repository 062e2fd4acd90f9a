"""The published table of coverage keeps the promises that are made of the intervals."""

from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics" / "coverage.md"
MEANS = {  # of populations whose pass@1 lies between .1 and .9, without and with a shift of .1
    "Beta(.3, .3)": 0.5,
    "Beta(2, 2)": 0.5,
    "99 % p=.2, 1 % p=1": 0.208,
    "98 % p=.9, 2 % p=0": 0.882,
    "95 % p=.1, 5 % p=.8": 0.135,
}


def tables():
    """Read the tables of the page by their sections, rows as mappings from the heads."""
    found, section, heads = {}, "", []
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section, heads = line[3:], []
        elif line.startswith("|"):
            cells = [cell.strip().strip("*") for cell in line.strip("|").split("|")]
            if not heads:
                heads = cells
            elif not set("".join(cells)) <= set("- "):
                found.setdefault(section, []).append(dict(zip(heads, cells, strict=True)))
    return found


TABLES = tables()
ONE, PAIR = TABLES["One run, target `population`"], TABLES["Two runs on the same problems"]


def test_the_page_has_every_population_size_and_k():
    named = {row["population"] for row in ONE}
    asked = {"Beta(.05, 2)", "Beta(.3, .3)", "Beta(8, .2)", "Beta(2, 2)", "Beta(.02, .4)"}
    assert asked | {"99 % p=.05, 1 % p=1", "97 % p=.95, 3 % p=0"} <= named
    cells = {(row["population"], row["k"], row["M"]) for row in ONE}
    assert cells == {(name, k, m) for name in named for k in "15" for m in ("20", "50", "164")}
    assert "30,000 simulated runs" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("method", ["kg", "kg-capped"])
def test_the_intervals_of_one_run_cover_everywhere(method):
    assert min(float(row[method]) for row in ONE) >= 0.945


def test_the_intervals_of_a_benchmark_and_the_bands_of_curves_cover_everywhere():
    assert min(float(row["kg-gamma"]) for row in TABLES["One run, target `benchmark`"]) >= 0.945
    curves = TABLES["The curve of one run"]
    assert min(float(row[m]) for row in curves for m in ("M=20", "M=50", "M=164")) >= 0.945


def test_false_alarms_are_at_most_5_5_percent_everywhere():
    alarms = [1 - float(row["t"]) for row in PAIR if row["shift"] == "0"]
    assert len(alarms) == 60
    assert max(alarms) <= 0.055


def test_where_a_mean_is_near_neither_end_the_level_is_met_on_both_sides():
    rows = [r for r in PAIR if r["population"] in MEANS and r["k"] == "1" and int(r["M"]) >= 50]
    assert len(rows) == 20
    for row in rows:
        mean = MEANS[row["population"]]
        shifted = mean + float(row["shift"]) * (1 - mean)
        assert 0.1 <= mean <= shifted <= 0.9
        cover = float(row["t"])
        assert 0.94 <= cover <= 0.96, row
        if row["shift"] == "0":
            assert 0.045 <= 1 - cover <= 0.055, row


def test_the_conservative_interval_holds_its_level_everywhere():
    assert min(float(row["conservative"]) for row in PAIR) >= 0.945
