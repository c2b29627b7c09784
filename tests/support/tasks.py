"""Small tasks that tests of learning share."""

import numpy as np

import linspike as ls
from linspike.study import decoding, encoding

__all__ = ["NEURON", "decoding", "encoding", "toy"]

NEURON = ls.SRM()


def toy(delta):
    """Two inputs, two desired spikes 2.8 ms after each; the optimum follows from V = theta."""
    first, second = 5.0, 5.0 + delta
    desired = np.array([first + 2.8, second + 2.8])
    pattern = ls.Pattern([first, second], [0, 1], n_channels=2, duration=second + 60.0)
    w1 = 1.0 / NEURON.psp(2.8)
    w2 = (1.0 + np.exp(-delta / 20.0) - w1 * NEURON.psp(delta + 2.8)) / NEURON.psp(2.8)
    return pattern, desired, np.array([w1, w2])
