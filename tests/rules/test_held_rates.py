"""Hidden neurons that have lost spikes grow; those that fire as at first stay as they are."""

import numpy as np

from linspike.beyond import layer_cells, layers
from linspike.kernels.network.protocol import make_spikes
from linspike.rules.network.held_rates import GROWTH, MEAN_STEPS, hold_rates, rates_size

WEIGHTS = np.array([[1.0, -2.0], [3.0, 0.5]])
STEADY, LOSING = [3] * 200, [4] * MEAN_STEPS + [1] * 150


def grown(least_rate, *counts):
    """The steps after which each of two neurons grew."""
    rates, spikes = np.zeros(rates_size(2)), make_spikes(16, 2, 2, 1)
    steps = [[], []]
    for step, each in enumerate(zip(*counts, strict=True)):
        spikes.offsets[1:] = np.cumsum(each)
        change = np.zeros((2, 2))
        hold_rates(spikes, least_rate, WEIGHTS, rates, change)
        for h in range(2):
            if change[h].any():
                np.testing.assert_array_equal(change[h], GROWTH * WEIGHTS[h])
                steps[h].append(step)
    return steps


def means(counts):
    """The mean after each step, in the obvious way."""
    mean, found = 0.0, []
    for step, count in enumerate(counts):
        mean += (count - mean) / min(step + 1, MEAN_STEPS)
        found.append(mean)
    return np.array(found)


def test_a_neuron_that_lost_spikes_grows_once_the_layer_lost_too_many():
    own, both = means(LOSING), means(LOSING) + means(STEADY)
    first, first_of_both = own[MEAN_STEPS - 1], both[MEAN_STEPS - 1]
    expected = np.flatnonzero((own < 0.8 * first) & (both < 0.8 * first_of_both))
    assert 0 < expected.size < np.count_nonzero(own < 0.8 * first)
    assert grown(0.8, STEADY, LOSING) == [[], expected.tolist()]
    assert grown(0.0, STEADY, LOSING) == [[], []]


def test_none_grows_while_others_make_up_for_it():
    assert grown(0.8, [3] * MEAN_STEPS + [8] * 150, LOSING) == [[], []]


def test_xor_is_learned_where_the_hidden_layer_fell_silent():
    (cell,) = [c for c in layers.cells("smoke", []) if c.row == layers.xor_key(layer_cells.JOINT)]
    cell = cell.but(max_epochs=300)
    without = cell.but(settings={**cell.settings, "least_rate": 0.0})
    _, patterns, _ = cell.make_task(10)
    network, start = cell.make_network(10, patterns)

    def spikes_after(cell):
        result, _ = layer_cells.learn(cell, 10)
        return result.converged, network.hidden_patterns(result.weights, patterns).times.size

    first = network.hidden_patterns(start, patterns).times.size
    learned, n = spikes_after(cell)
    assert learned
    assert n > 0.6 * first
    learned, n = spikes_after(without)
    assert not learned
    assert n < 0.4 * first
