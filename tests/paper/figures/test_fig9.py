"""The hybrid network: what is counted, what needs no data, and a digit on its way."""

import numpy as np
import pytest

from linspike.datasets import mnist_missing
from linspike.datasets.mnist import FOLDER
from linspike.paper.figures import fig9
from linspike.paper.report.figures import draw_figure, save_figure
from linspike.paper.report.verdicts import compare
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import Status
from linspike.study.runner import select_current

NETWORK, DIGIT = fig9.cells("smoke", [])


def count_network():
    return Trial(NETWORK, 0, fig9.trials(NETWORK, [0])[0])


def follow(neurons=(4, 4, 2)):
    """A digit as if followed."""
    record = {
        "image": [0, 255] * 392,
        "maps": np.arange(864.0).tolist(),
        "accuracy": 90.0,
        "digit": 4,
        "input_times": [1.0, 2.0, 30.0],
        "input_channels": [5, 700, 6],
        "output_times": [10.0, 20.0, 30.0][: len(neurons)],
        "output_neurons": list(neurons),
    }
    return Trial(DIGIT, 0, record)


def test_units_and_parameters():
    found = count_network().record
    assert found == {
        "pixels": 784,
        "convolved": 3456,
        "channels": 864,
        "neurons": 10,
        "filter_parameters": 156,
        "weights": 8640,
    }


def test_without_data_the_network_is_drawn_alone(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    coverage = select_current(fig9.EXPERIMENT, "smoke", [])
    assert [cell for cell, _ in coverage.missing] == [NETWORK]
    summary = fig9.summarise("smoke", [count_network()])
    assert [stage.rows for stage in summary.panels[0].flow.stages] == [28, 24, 12, 864, 10]
    assert "MNIST was not there" in summary.notes[0]
    assert summary.rows[-1].status is Status.SKIPPED
    assert compare("fig9", "smoke", summary)[-1].verdict == "skipped"
    (png,) = save_figure(draw_figure(summary.panels), tmp_path, "fig9", ("png",))
    assert png.stat().st_size > 10_000


def test_what_the_digit_became(tmp_path):
    summary = fig9.summarise("smoke", [count_network(), follow()])
    rows = {row.key.quantity: row.value for row in summary.rows}
    assert rows["input spikes of the digit"] == 3
    assert rows["output spikes of its neuron"] == 2
    assert rows["output spikes of the others"] == 1
    assert [panel.title[0] for panel in summary.panels] == ["A", "B", "C", "D", "E"]
    own, others = summary.panels[4].lines
    assert list(own.y) == [5, 5]
    assert list(others.y) == [3]
    (png,) = save_figure(draw_figure(summary.panels), tmp_path, "fig9", ("png",))
    assert png.stat().st_size > 10_000
    silent = fig9.summarise("smoke", [count_network(), follow(())])
    assert {row.key.quantity: row.value for row in silent.rows}["output spikes of its neuron"] == 0
    assert len(silent.panels) == 5


def test_a_network_that_was_not_counted_is_not_drawn():
    with pytest.raises(NotEnoughTrials, match="has not been counted"):
        fig9.summarise("smoke", [follow()])


def test_maps_are_tiled_in_their_order():
    tiled = np.array(fig9._tile(np.arange(864.0)), dtype=float)
    assert tiled.shape == (25, 38)
    np.testing.assert_array_equal(tiled[13:, 13:25].ravel(), np.arange(4 * 144, 5 * 144))
    assert np.isnan(tiled[12]).all()
    assert np.isnan(tiled[:, 25]).all()


@pytest.mark.skipif(bool(mnist_missing()), reason="needs MNIST")
def test_a_digit_on_its_way():
    small = DIGIT.but(images=300, tests=10)
    one, again = (fig9.trials(small, [0])[0] for _ in range(2))
    assert one == again
    assert one["digit"] == 7
    active = np.flatnonzero(one["maps"])
    assert sorted(one["input_channels"]) == active.tolist()
    strongest = one["input_channels"].index(int(np.argmax(one["maps"])))
    assert one["input_times"][strongest] == min(one["input_times"])
    assert len(one["output_times"]) == len(one["output_neurons"])
    assert set(one["output_neurons"]) <= set(range(10))
