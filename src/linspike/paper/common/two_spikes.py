"""The toy of Figures 2 and 3: two inputs, and two desired spikes a lag after them."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern

FIRST_INPUT = 5.0  # ms
AFTER = 60.0  # ms simulated beyond the second input


def two_spikes(delta: float, lag: float) -> tuple[Pattern, Floats]:
    """Return two inputs `delta` ms apart, and the desired times, each `lag` ms after its input."""
    second = FIRST_INPUT + delta
    pattern = Pattern([FIRST_INPUT, second], [0, 1], n_channels=2, duration=second + AFTER)
    return pattern, np.array([FIRST_INPUT + lag, second + lag])


def optimum(neuron: SRM, delta: float, lag: float) -> Floats:
    """Return the one pair of weights with V0 = theta at both desired times."""
    first = neuron.threshold / neuron.psp(lag)
    # At the second desired time the reset of the first spike must be made up for.
    needed = neuron.threshold * (1.0 + np.exp(-delta / neuron.tau_m))
    second = (needed - first * neuron.psp(delta + lag)) / neuron.psp(lag)
    return np.array([first, second], dtype=np.float64)
