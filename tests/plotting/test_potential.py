"""The potential: curve, threshold, spikes, and the threshold that a count needs."""

from dataclasses import replace

import numpy as np
import pytest

import linspike as ls

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


def test_other_things_are_refused():
    with pytest.raises(ls.ParameterError, match=r"'pattern' parameter of plot_pot.* patterns\[0\]"):
        ls.plot_potential(ls.SRM(), WEIGHTS, ls.PatternSet.from_patterns([PATTERN]))
    with pytest.raises(ls.ParameterError, match="'pattern' .* a Pattern. Got None instead.$"):
        ls.plot_potential(ls.SRM(), WEIGHTS, None)
    with pytest.raises(ls.ParameterError, match=r"'neuron' .* an SRM. Got 'x' .* Give SRM\(\)"):
        ls.plot_potential("x", WEIGHTS, PATTERN)
    with pytest.raises(ls.ParameterError, match="'free' .* True or False. Got 'no'"):
        ls.plot_potential(ls.SRM(), WEIGHTS, PATTERN, free="no")


BUMPS = ls.Pattern([10.0, 55.0, 100.0], [0, 1, 2], n_channels=3, duration=150.0)
HEIGHTS = [1.5, 0.75, 0.95]  # a strong bump of V, one that fails, one that just fires


def line_of(ax, start):
    return next(line for line in ax.lines if line.get_label().startswith(start))


@pytest.mark.parametrize("count", [1, 3])
def test_the_threshold_moves_to_where_a_spike_is_gained_or_lost(count):
    neuron = ls.SRM()
    assert len(neuron.respond(HEIGHTS, BUMPS)) == 2
    ax = ls.plot_potential(neuron, HEIGHTS, BUMPS, count=count)
    moved = line_of(ax, "threshold moved to").get_ydata()[0]
    desired = line_of(ax, "desired").get_xdata()
    assert len(desired) == count
    assert (moved < 1.0) == (count > 2)
    there = replace(neuron, threshold=moved).respond(HEIGHTS, BUMPS).times
    assert desired.tolist() == there.tolist()
    # A little further off the count is still that; a little nearer to the true threshold it is 2.
    nearer = moved * (1.0 - 1e-6) if count < 2 else moved * (1.0 + 1e-6)
    assert len(replace(neuron, threshold=nearer).respond(HEIGHTS, BUMPS)) == 2


def test_one_spike_at_a_time_towards_a_distant_count():
    ax = ls.plot_potential(ls.SRM(), HEIGHTS, BUMPS, count=9)
    assert len(line_of(ax, "desired").get_xdata()) == 3


def test_a_count_that_is_right_moves_nothing():
    ax = ls.plot_potential(ls.SRM(), HEIGHTS, BUMPS, count=2)
    assert not [name for name in labels(ax) if "moved" in name]


def test_refused_counts():
    silent = [-1.0, -1.0, -1.0]
    with pytest.raises(ls.ParameterError, match="'count' .* gives at some threshold. Got 1 "):
        ls.plot_potential(ls.SRM(), silent, BUMPS, count=1)
    with pytest.raises(ls.ParameterError, match="'count' .* must be None where a target is given"):
        ls.plot_potential(ls.SRM(), HEIGHTS, BUMPS, count=1, target=[5.0])
    with pytest.raises(ls.ParameterError, match="'count' .* a whole number of at least 0"):
        ls.plot_potential(ls.SRM(), HEIGHTS, BUMPS, count=1.5)
