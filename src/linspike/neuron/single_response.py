"""Response of one neuron to one pattern."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.simulation.event_loop import respond_one
from linspike.kernels.simulation.membrane import Membrane
from linspike.neuron.arguments import check_max_spikes, warn_runaway
from linspike.neuron.decay_tables import events_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.spike_train import SpikeTrain

FIRST_BUFFER = 256
CAP = "the cap on spikes"
REMEDY = "See 'truncated' in the result; raise 'max_spikes' if this is desired."


def find_response(
    m: Membrane,
    threshold: float,
    weights: Floats,
    pattern: Pattern,
    horizon: float,
    max_spikes: int | None,
    owner: str,
) -> SpikeTrain:
    """Simulate, with a larger buffer whenever it is full; threshold is in units of Vn."""
    cap = check_max_spikes(max_spikes, len(pattern), owner)
    events = events_of(pattern._ragged, m)
    size = min(cap, FIRST_BUFFER + len(pattern) // 8)
    while True:
        out = np.empty(size)
        n, finite = respond_one(events, pattern._index, horizon, weights, threshold, m, out)
        if n < size or size == cap:
            break
        size = min(4 * size, cap)
    truncated = n == cap or not finite
    if truncated:
        warn_runaway(1, CAP, REMEDY, owner)
    return SpikeTrain._trusted(out[:n].copy(), horizon, truncated)
