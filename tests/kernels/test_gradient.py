"""The gradient of the critical threshold against central finite differences."""

import os

import numpy as np

import linspike as ls
from linspike.kernels.critical import CUSP, HORIZON, SMOOTH, critical_until
from linspike.kernels.gradient import critical_shares
from linspike.neuron.tables import events_of

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 3 if UNCOMPILED else 200
NEURON = ls.SRM()
STEP = 1e-6


def critical(events, weights, k, until):
    """Critical threshold in units of Vn, the spikes before t* with t* itself, and its kind."""
    times = np.empty(k)
    value, which, when, kind = critical_until(events, 0, until, weights, NEURON._membrane, times)
    return value, np.append(times[:which], when), kind


def random_case(rng):
    pattern = ls.poisson_patterns(1, n_channels=20, duration=80.0, rate=0.03, rng=rng)
    weights = rng.normal(0.1, 0.4, 20)  # a good part inhibitory
    return events_of(pattern._ragged, NEURON._membrane), weights, int(rng.integers(1, 7))


def gradient(pattern_events, weights, times, n_channels):
    shares, parts = np.empty(times.size), np.empty((2, times.size))
    critical_shares(pattern_events, 0, weights, NEURON._membrane, times, parts, shares)
    rows = np.zeros((times.size, n_channels))
    for k, t in enumerate(times):
        for e in range(pattern_events.times.size):
            age = t - pattern_events.times[e]
            if age > 0.0:
                psp = np.exp(-age / NEURON.tau_m) - np.exp(-age / NEURON.tau_s)
                rows[k, pattern_events.channels[e]] += psp
    return shares @ rows


def test_equals_finite_differences():
    rng = np.random.default_rng(2)
    kinds, errors, earlier = [], [], 0
    while len(errors) < CASES:
        events, weights, k = random_case(rng)
        value, times, kind = critical(events, weights, k, 80.0)
        if value <= 1e-3:
            continue
        expected = np.empty(weights.size)
        for i in range(weights.size):
            shift = STEP * (np.arange(weights.size) == i)
            up, _, _ = critical(events, weights + shift, k, 80.0)
            down, _, _ = critical(events, weights - shift, k, 80.0)
            expected[i] = (up - down) / (2.0 * STEP)
        found = gradient(events, weights, times, weights.size)
        errors.append(np.linalg.norm(found - expected) / np.linalg.norm(expected))
        kinds.append(kind)
        earlier += times.size > 1
    assert max(errors) < 1e-3
    if not UNCOMPILED:
        assert all(kinds.count(kind) >= 10 for kind in (SMOOTH, CUSP, HORIZON))
        assert earlier >= 50
