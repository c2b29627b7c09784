"""Synaptic scaling: where a layer falls silent, neurons that have lost spikes get larger weights.

Hidden spikes vanish more often than new ones appear, since only those that are there are moved.
"""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.network.protocol import HiddenSpikes

GROWTH = 0.03  # share by which weights grow in a step
MEAN_STEPS = 50  # over which rates are averaged


def rates_size(n_hidden: int) -> int:
    """Return room for the number of steps, and the mean and first rate of each hidden neuron."""
    return 1 + 2 * n_hidden


@borrowing
def hold_rates(
    spikes: HiddenSpikes, least_rate: float, weights: Floats, rates: Floats, change: Floats
) -> None:
    """Add the growth (83) of hidden neurons below a share of their first rate, if the layer is too.

    Rates are spikes per presented pattern, in a running mean; the first one is that of the first
    `MEAN_STEPS` steps.
    """
    n_hidden = change.shape[0]
    rates[0] += 1.0
    now = at_first = 0.0
    for h in range(n_hidden):
        mean, first = 1 + h, 1 + n_hidden + h
        count = spikes.offsets[h + 1] - spikes.offsets[h]
        rates[mean] += (count - rates[mean]) / min(rates[0], MEAN_STEPS)
        if rates[0] <= MEAN_STEPS:
            rates[first] = rates[mean]
        now += rates[mean]
        at_first += rates[first]
    if now >= least_rate * at_first:
        return
    for h in range(n_hidden):
        if rates[1 + h] < least_rate * rates[1 + n_hidden + h]:
            for c in range(change.shape[1]):
                change[h, c] += GROWTH * weights[h, c]
