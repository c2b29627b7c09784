"""Delays of the inputs of a layer, as patterns in which they have passed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_float_array
from linspike.errors import ParameterError, Words
from linspike.spikes.pattern_set import PatternSet


def check_delays(delays: Any, n_neurons: int, owner: str) -> Floats:
    """Return delays (neurons, channels) in milliseconds, or raise."""
    array = check_float_array(delays, "delays", owner, 2)
    if len(array) != n_neurons or not array.size:
        domain = f"of shape ({n_neurons}, channels), one delay per neuron and channel"
        raise ParameterError.of("delays", owner, domain, Words(f"shape {array.shape}"))
    for at in np.argwhere(~((array >= 0.0) & np.isfinite(array)))[:1]:
        got = Words(f"{array[*at]:g} for neuron {at[0]}, channel {at[1]}")
        raise ParameterError.of("delays", owner, "finite and at least 0 ms", got)
    return array


def delay_inputs(patterns: PatternSet, delays: Floats) -> PatternSet:
    """Return what each neuron sees: pattern p of neuron h is pattern p * neurons + h.

    For training, which simulates one neuron of the layer after the other. Spikes are in the order
    in which they arrive; patterns are longer by the longest delay.
    """
    n_neurons = len(delays)
    sizes = np.repeat(np.diff(patterns.offsets), n_neurons)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    # Spike s of pattern p comes once for every neuron, and the neuron of each copy is known.
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    spikes = np.repeat(np.repeat(patterns.offsets[:-1], n_neurons), sizes) + within
    neurons = np.repeat(np.tile(np.arange(n_neurons), len(patterns)), sizes)
    channels = patterns.channels[spikes]
    times = patterns.times[spikes] + delays[neurons, channels]
    durations = np.repeat(patterns.durations, n_neurons) + delays.max()
    return PatternSet.sorted(times, channels, offsets, patterns.n_channels, durations)
