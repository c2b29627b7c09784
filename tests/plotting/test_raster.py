"""Rasters: what is drawn where, and files that open."""

import sys

import numpy as np
import pytest

import linspike as ls
from linspike.plotting import raster as pictures

PATTERN = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
WEIGHTS = [0.8, 0.6]


def test_rasters(tmp_path):
    patterns = ls.PatternSet.from_patterns([PATTERN, PATTERN])
    trains = [ls.SpikeTrain([3.0]), ls.SpikeTrain([], 20.0), ls.SpikeTrain([4.0], 30.0)]
    expected = {
        "channel": (PATTERN, [0, 1, 0], 50.0),
        "pattern": (patterns, [0, 0, 0, 1, 1, 1], 50.0),
        "train": (trains, [0, 2], 30.0),
    }
    for label, (spikes, rows, end) in expected.items():
        ax = ls.plot_raster(spikes)
        assert ax.get_ylabel() == label
        assert ax.lines[0].get_ydata().tolist() == rows
        assert ax.get_xlim() == (0.0, end)
        ax.figure.savefig(tmp_path / f"{label}.png")
    late = [ls.SpikeTrain([], 10.0), ls.SpikeTrain([50.0])]
    assert ls.plot_raster(late).get_xlim() == (0.0, 50.0)
    assert ls.plot_raster(trains[0]).get_xlim() == (0.0, 3.0)
    assert ls.plot_raster(ls.SpikeTrain([])).get_xlim() == (0.0, 1.0)


def test_delays_lead_from_where_a_spike_is_sent_to_where_it_arrives():
    ax = ls.plot_raster(PATTERN, delays=[5.0, 0.5])
    sent, arrived = ax.lines
    assert sent.get_xdata().tolist() == [1.0, 2.0, 4.0]
    assert arrived.get_xdata().tolist() == [6.0, 2.5, 9.0]
    (lines,) = ax.collections
    assert [segment.tolist() for segment in lines.get_segments()] == [
        [[1.0, 0.0], [6.0, 0.0]],
        [[2.0, 1.0], [2.5, 1.0]],
        [[4.0, 0.0], [9.0, 0.0]],
    ]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["sent", "arrives"]


def test_bad_delays():
    for spikes, delays, message in (
        (PATTERN, [1.0], r"'delays' parameter of plot_raster must be of shape \(2,\)"),
        (PATTERN, [1.0, -1.0], "finite and at least 0 ms"),
        (ls.SpikeTrain([1.0]), [1.0], "left out unless a pattern is drawn"),
        (
            ls.SpikeTrain([1.0]),
            np.ones(9),
            r"left out .* Got an array of float64 with shape \(9,\)",
        ),
    ):
        with pytest.raises(ls.ParameterError, match=message):
            ls.plot_raster(spikes, delays=delays)


def test_bad_rasters():
    for spikes in ([], [[1.0, 2.0]], None):
        with pytest.raises(ls.ParameterError, match="'spikes' parameter of plot_raster"):
            ls.plot_raster(spikes)


def test_drawing_into_given_axes():
    ax = ls.plot_raster(PATTERN)
    assert ls.plot_potential(ls.SRM(), WEIGHTS, PATTERN, ax=ax) is ax


def test_absent_matplotlib_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ls.MissingExtraError, match=r"pip install 'linspike\[report\]'"):
        pictures.plot_raster(PATTERN)
