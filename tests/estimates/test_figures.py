"""Results draw themselves: as SVG with nothing else, and on matplotlib's axes."""

import builtins
import importlib
import warnings
from xml.etree import ElementTree as ET

import pytest

from anyofk import Counts, compare, curve
from anyofk.errors import AnyofkWarning, UnavailableError
from anyofk.estimates import carriers

COUNTS = {f"p{i}": (16, i % 17) for i in range(40)}
LATER = {f"p{i}": (16, (i + 3) % 17) for i in range(40)}


class Named:
    def __init__(self, name, counts):
        self.name = name
        self._counts = [Counts(p, n, c) for p, (n, c) in counts.items()]

    def counts(self):
        return self._counts


@pytest.fixture
def pyplot():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of what matplotlib itself imports
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("agg")
        plt = importlib.import_module("matplotlib.pyplot")
    yield plt
    plt.close("all")


@pytest.mark.usefixtures("pyplot")
def test_a_curve_is_a_line_with_its_band():
    found = curve(COUNTS)
    axes = found.plot()
    (line,) = axes.get_lines()
    assert line.get_xdata().tolist() == list(found)
    assert line.get_ydata().tolist() == [point.value for point in found.values()]
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == min(point.low for point in found.values())
    assert band[:, 1].max() == max(point.high for point in found.values())
    assert "pass@k" in axes.get_title()


def test_several_curves_share_axes(pyplot):
    _, axes = pyplot.subplots()
    assert curve(COUNTS).plot(axes, label="before") is axes
    curve(LATER).plot(axes, label="after")
    assert [line.get_label() for line in axes.get_lines()] == ["before", "after"]


@pytest.mark.usefixtures("pyplot")
def test_a_difference_is_drawn_around_a_line_at_0():
    found = compare(Named("a$b", COUNTS), Named("c$", LATER), 1)
    axes = found.plot()
    assert len(axes.get_lines()) == 2
    assert axes.get_lines()[1].get_ydata() == [0.0, 0.0]
    axes.figure.canvas.draw()  # names are no formulas


@pytest.mark.usefixtures("pyplot")
def test_the_carriers_are_bars_side_by_side():
    found = carriers(COUNTS, 8)
    axes = found.plot()
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == [c.share_1 for c in found.classes] + [c.share_k for c in found.classes]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["pass@1", "pass@8"]


def test_the_carriers_are_an_svg_picture_of_their_own():
    found = carriers(COUNTS, 8)
    picture = ET.fromstring(found.svg())  # noqa: S314 - our own text
    bars = picture.findall("{http://www.w3.org/2000/svg}rect")
    assert len(bars) == 2 + 2 * len(found.classes)
    assert all(0 <= float(bar.get("width")) <= 640 for bar in bars)
    assert found._repr_html_() == found.svg()


@pytest.mark.parametrize("name", ["<script>", "a\x00\x1b[31m", "\ud800", "\u202e", "a & b"])
def test_names_of_any_kind_leave_a_picture_whole(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AnyofkWarning)
        found = compare(Named(name, COUNTS), Named("b", LATER), 1)
    for text in (found.svg(), found._repr_html_()):
        assert "<script>" not in text
        text.encode("utf-8")
    ET.fromstring(found.svg())  # noqa: S314 - our own text


def test_without_matplotlib_there_is_a_hint(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UnavailableError, match="needs matplotlib") as caught:
        curve(COUNTS).plot()
    assert "anyofk[plot]" in caught.value.hint
