"""Layers of neurons: how they respond, and their responses as the input of the next layer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_integer
from linspike.errors import ParameterError
from linspike.network.calibration import calibrate
from linspike.network.delays import check_delays
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.spikes.frozen import read_only
from linspike.spikes.pattern_set import PatternSet


@dataclass(frozen=True, eq=False)
class Layer:
    """Neurons that see the same input; it holds no weights. Experimental, as `Network`.

    Parameters
    ----------
    n_neurons : int
        Number of neurons.
    neuron : SRM
        What they are.
    delays : array of float, (n_neurons, channels), optional
        Milliseconds by which a spike of a channel reaches a neuron later; they are not learned.
        None are delayed unless given.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.Layer(2, delays=[[0.0, 4.0], [3.0, 0.0]])
    Layer(n_neurons=2, neuron=SRM(tau_m=20.0, tau_s=5.0, threshold=1.0), delays=up to 4 ms)
    """

    n_neurons: int
    neuron: SRM = field(default_factory=SRM)
    delays: Any = None

    def __post_init__(self) -> None:
        check_integer(self.n_neurons, "n_neurons", "Layer", least=1)
        if not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", "Layer", "an SRM", self.neuron)
        if self.delays is not None:
            delays = check_delays(self.delays, self.n_neurons, "Layer")
            object.__setattr__(self, "delays", read_only(delays))

    def __repr__(self) -> str:
        late = None if self.delays is None else f"up to {self.delays.max():g} ms"
        return f"Layer(n_neurons={self.n_neurons}, neuron={self.neuron!r}, delays={late})"


def respond_layer(layer: Layer, weights: Floats, patterns: PatternSet) -> Responses:
    """Return the responses of all neurons of a layer; weights are (neurons, channels)."""
    return layer.neuron.respond_many(weights, patterns, delays=layer.delays)


def calibrate_layer(
    layer: Layer, weights: Floats, patterns: PatternSet, rate: float, owner: str
) -> Floats:
    """Return weights of a layer scaled so that each neuron has `rate` spikes per pattern."""
    return calibrate(layer.neuron, weights, patterns, rate, owner, delays=layer.delays)


def make_patterns(responses: Responses, patterns: PatternSet) -> PatternSet:
    """Return the responses to some patterns as patterns, with a channel for each neuron."""
    counts = responses.counts  # (neurons, patterns); times are in this order
    neurons, numbers = np.indices(counts.shape)
    of_spike = np.repeat(numbers.ravel(), counts.ravel())
    order = np.lexsort((responses.times, of_spike))  # stable: neurons in order at equal times
    channels = np.repeat(neurons.ravel(), counts.ravel())[order]
    offsets = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    times = responses.times[order]
    return PatternSet(times, channels, offsets, len(responses), patterns.durations)
