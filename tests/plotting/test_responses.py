"""Pictures: what is drawn where, and files that open."""

import sys

import numpy as np
import pytest

import linspike as ls
from linspike.plotting import responses as pictures

PATTERN = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
WEIGHTS = [0.8, 0.6]


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_potential(tmp_path):
    neuron = ls.SRM()
    ax = ls.plot_potential(neuron, WEIGHTS, PATTERN, target=[6.0], free=True)
    assert labels(ax) == ["without resets", "potential", "threshold", "spikes", "desired"]
    curve = next(line for line in ax.lines if line.get_label() == "potential")
    at, value = curve.get_data()
    assert value.max() == pytest.approx(1.0, abs=1e-9)
    spikes = neuron.respond(WEIGHTS, PATTERN).times
    for spike in spikes:  # falls straight to 0
        assert value[at == spike].tolist() == [pytest.approx(1.0), 0.0]
    assert ax.get_xlim() == (0.0, 50.0)
    ax.figure.savefig(tmp_path / "potential.png")
    assert (tmp_path / "potential.png").read_bytes()[:4] == b"\x89PNG"


def test_potential_to_another_end_without_spikes():
    ax = ls.plot_potential(ls.SRM(threshold=9.0), WEIGHTS, PATTERN, until=80.0)
    assert ax.get_xlim() == (0.0, 80.0)
    assert "desired" not in labels(ax)
    with pytest.raises(ls.ParameterError, match="'until' parameter of plot_potential"):
        ls.plot_potential(ls.SRM(), WEIGHTS, PATTERN, until=np.inf)


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
    assert ls.plot_raster(trains[0]).get_xlim() == (0.0, 3.0)
    assert ls.plot_raster(ls.SpikeTrain([])).get_xlim() == (0.0, 1.0)


def test_bad_rasters():
    for spikes in ([], [[1.0, 2.0]], None):
        with pytest.raises(ls.ParameterError, match="'spikes' parameter of plot_raster"):
            ls.plot_raster(spikes)


def test_potential_of_a_set_is_refused():
    with pytest.raises(ls.ParameterError, match="'pattern' parameter of plot_potential"):
        ls.plot_potential(ls.SRM(), WEIGHTS, ls.PatternSet.from_patterns([PATTERN]))


def test_drawing_into_given_axes():
    ax = ls.plot_raster(PATTERN)
    assert ls.plot_potential(ls.SRM(), WEIGHTS, PATTERN, ax=ax) is ax


def test_absent_matplotlib_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ls.MissingExtraError, match=r"pip install 'linspike\[report\]'"):
        pictures.plot_raster(PATTERN)


def learned():
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=50)
    return trainer.fit([0.1, 0.1], PATTERN, ls.SpikeTimes([[8.0]]), history=True)


def test_learning_curves():
    result = learned()
    ax = ls.plot_learning([result, result], quantity="distance")
    assert len(ax.lines) == 2
    assert ax.lines[0].get_ydata().tolist() == result.history.distance.tolist()
    assert ls.plot_learning(result).get_ylabel() == "accuracy"
    with pytest.raises(ls.ParameterError, match="'quantity' parameter of plot_learning"):
        ls.plot_learning(result, quantity="joy")
    without = ls.Trainer(ls.SRM(), max_epochs=3).fit([0.1, 0.1], PATTERN, ls.SpikeCounts([3]))
    with pytest.raises(ls.ParameterError, match="Train with history=True"):
        ls.plot_learning(without)


def test_before_and_after(tmp_path):
    result = learned()
    axes = ls.plot_before_after(ls.SRM(), [0.1, 0.1], result.weights, PATTERN, [8.0])
    assert [ax.get_title(loc="left") for ax in axes] == ["before", "after"]
    axes[0].figure.savefig(tmp_path / "both.png")
