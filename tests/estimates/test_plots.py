import pytest

from anyofk.estimates.plots import text_plot


@pytest.mark.parametrize("last", [3, 10, 12, 40, 100, 1000, 9999])
def test_the_last_k_is_named_whole_and_within_the_width(last):
    rows = [(k, 0.5, 0.25, 0.75) for k in range(1, last + 1)]
    names = text_plot(rows, 80, 8).splitlines()[-1]
    assert len(names) <= 80
    assert names.split()[0:2] == ["k", "1"]
    assert names.split()[-1] == str(last)
