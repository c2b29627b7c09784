"""Small tasks that tests of learning share."""

import numpy as np

import linspike as ls

NEURON = ls.SRM()


def encoding(seed, n_patterns, duration=400.0, n_channels=500):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(
        n_patterns, n_channels=n_channels, duration=duration, rate=0.005, rng=rng
    )
    trains = ls.poisson_trains(
        n_patterns, duration=duration, rate=0.005, min_gap=5.0, min_onset=10.0, rng=rng
    )
    return rng.normal(0.01, 0.01, n_channels), patterns, ls.SpikeTimes(trains)


def decoding(seed, n_patterns):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(n_patterns, n_channels=500, duration=50.0, rate=0.005, rng=rng)
    return rng.normal(0.01, 0.01, 500), patterns, ls.SpikeCounts(np.arange(n_patterns) % 5 + 1)


def toy(delta):
    """Two inputs, two wanted spikes 2.8 ms after each; the optimum follows from V = theta."""
    first, second = 5.0, 5.0 + delta
    wanted = np.array([first + 2.8, second + 2.8])
    pattern = ls.Pattern([first, second], [0, 1], n_channels=2, duration=second + 60.0)
    w1 = 1.0 / NEURON.psp(2.8)
    w2 = (1.0 + np.exp(-delta / 20.0) - w1 * NEURON.psp(delta + 2.8)) / NEURON.psp(2.8)
    return pattern, wanted, np.array([w1, w2])
