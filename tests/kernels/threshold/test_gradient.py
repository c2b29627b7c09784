"""The gradient of the critical threshold against central finite differences."""

import os

import numpy as np
from tests.support import naive

import linspike as ls
from linspike.kernels.rows.windows import Window
from linspike.kernels.threshold.critical import critical_until
from linspike.kernels.threshold.gradient import critical_shares
from linspike.kernels.threshold.maxima import CUSP, HORIZON, SMOOTH
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.updates import add_mixture
from linspike.neuron.decay_tables import events_of

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


def test_mixture_of_rows_is_their_sum():
    rng = np.random.default_rng(3)
    one, none, table = np.zeros(1), np.empty(0), np.zeros((1, 1))
    v_norm = NEURON.v_norm
    psp = Window(v_norm, -v_norm, 0.0, 0.0)
    constants = NeuronConstants(NEURON._membrane, v_norm, 1.0, psp, psp, 1.0, table)
    for n, duration in [(1, 80.0), (5, 80.0), (7, 5000.0)]:
        patterns = ls.poisson_patterns(3, n_channels=20, duration=duration, rate=0.01, rng=rng)
        events = events_of(patterns._ragged, NEURON._membrane)
        on_an_input = patterns[1].times[len(patterns[1]) // 2]
        at = np.sort(np.append(rng.uniform(-1.0, duration, n), on_an_input))
        factors = rng.normal(size=at.size)
        tail = (0.0, none, none, 0.0, none, 0.0)
        s = StepInput(events, 1, duration, constants, one, one, table, table, 1, *tail)
        change = np.ones(20)
        add_mixture(s, at, factors, psp, change)
        rows = naive.window_sums(patterns[1], at, "psp", NEURON.tau_m, NEURON.tau_s)
        assert np.allclose(change, 1.0 + factors @ rows, rtol=0.0, atol=1e-13)
