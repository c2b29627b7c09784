"""What the steps of networks receive: a hidden layer, its spikes, and the output neuron's step.

A step of a network is a function

    step(s, parameters, weights, change, memory, work) -> outcome

that reads the first three, writes the change of both layers to `change`, and returns one of
`training.outcomes.OUTCOMES`. `memory` is the rule's own and stays from step to step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.rows.windows import Window
from linspike.kernels.simulation.events import Events
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.step_problem import make_step_workspace


class HiddenConstants(NamedTuple):
    """The neurons of the hidden layer."""

    m: Membrane
    v_norm: float
    threshold: float
    psp: Window


class LayerWeights(NamedTuple):
    """Weights of both layers, or a change of them; views of one flat array."""

    hidden: Floats  # (hidden neurons, channels)
    out: Floats  # (output neurons, hidden neurons)


class HiddenSpikes(NamedTuple):
    """Spikes of the hidden layer for one pattern, neuron by neuron, and what follows from them.

    Neuron h has spikes offsets[h]:offsets[h + 1]. Events are the same spikes in the order in which
    they arrive at an output neuron, as its pattern 0, whose channels are hidden neurons.
    """

    times: Floats  # (most spikes,)
    offsets: Ints  # (hidden neurons + 1,)
    neuron: Ints  # (most spikes,), whose spike it is
    events: Events
    spike_of: Ints  # (most spikes,), the spike that each event is
    sorting: Ints  # (most spikes,), scratch
    rows: Floats  # (most spikes, channels), X(t_j) of the inputs
    slopes: Floats  # (most spikes,), V'(t_j) before the reset
    decays: Floats  # (most spikes,), exp(-gap/tau_m) to the neuron's next spike
    products: Floats  # (most pairs,), X(t_j) . X(t_k) of the same neuron, in blocks of neurons
    blocks: Ints  # (hidden neurons + 1,), where they begin


class NetworkInput(NamedTuple):
    """One pattern at one moment of learning, for one output neuron."""

    events: Events  # input spikes; see `numbers_of`
    p: int
    is_delayed: bool
    hidden: HiddenConstants
    spikes: HiddenSpikes
    k: int  # number of the output neuron
    out: StepInput  # the output neuron's step: its input are the events of `spikes`


class NetworkWork(NamedTuple):
    """Work arrays of a step with up to n rows and some hidden spikes."""

    step: StepWorkspace
    arriving: Floats  # (most spikes,), dV0/dt_j
    shares: Floats  # (n, most spikes), b of (79) for every row
    mixed: Floats  # (n, most spikes), products of X times b
    gram: Floats  # (n, n), products of the hidden rows
    total: Floats  # (most spikes,), b summed over the rows with their multipliers
    shifts: Floats  # (most spikes,), by which spikes move


def make_spikes(most: int, n_hidden: int, n_channels: int, most_pairs: int) -> HiddenSpikes:
    """Return room for so many hidden spikes of a pattern."""
    return HiddenSpikes(
        times=np.empty(most),
        offsets=np.zeros(n_hidden + 1, np.int64),
        neuron=np.zeros(most, np.int64),
        events=Events(
            np.empty(most),
            np.empty(most, np.uint32),
            np.zeros(2, np.int64),
            np.zeros(1),
            np.empty(most),
            np.empty(most),
        ),
        spike_of=np.zeros(most, np.int64),
        sorting=np.zeros(most, np.int64),
        rows=np.empty((most, n_channels)),
        slopes=np.empty(most),
        decays=np.empty(most),
        products=np.empty(most_pairs),
        blocks=np.zeros(n_hidden + 1, np.int64),
    )


def make_network_work(n: int, most: int, n_hidden: int) -> NetworkWork:
    """Return work arrays of a step."""
    return NetworkWork(
        step=make_step_workspace(n, n_hidden),
        arriving=np.empty(most),
        shares=np.empty((n, most)),
        mixed=np.empty((n, most)),
        gram=np.empty((n, n)),
        total=np.empty(most),
        shifts=np.empty(most),
    )
