"""Hidden neurons that have lost spikes grow; those that fire as at first stay as they are."""

import numpy as np

from linspike.beyond import layer_cells, layers
from linspike.kernels.network.protocol import make_spikes
from linspike.rules.network.held_rates import GROWTH, MEAN_STEPS, hold_rates, rates_size

WEIGHTS = np.array([[1.0, -2.0], [3.0, 0.5]])
STEADY, LOSING = [3] * 200, [4] * MEAN_STEPS + [1] * 150


def grown(least_rate):
    """The steps after which each of two neurons grew; the second one loses spikes."""
    rates, spikes = np.zeros(rates_size(2)), make_spikes(8, 2, 2, 1)
    steps = [[], []]
    for step, counts in enumerate(zip(STEADY, LOSING, strict=True)):
        spikes.offsets[1:] = np.cumsum(counts)
        change = np.zeros((2, 2))
        hold_rates(spikes, least_rate, WEIGHTS, rates, change)
        for h in range(2):
            if change[h].any():
                np.testing.assert_array_equal(change[h], GROWTH * WEIGHTS[h])
                steps[h].append(step)
    return steps


def test_weights_grow_once_the_mean_rate_is_below_its_share():
    mean = float(LOSING[0])
    below = []
    for step, count in enumerate(LOSING):
        if step >= MEAN_STEPS:
            mean += (count - mean) / MEAN_STEPS
        if mean < 0.7 * LOSING[0]:
            below.append(step)
    assert below
    assert grown(0.7) == [[], below]
    assert grown(0.0) == [[], []]


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
