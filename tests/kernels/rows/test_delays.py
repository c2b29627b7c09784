"""Gradients in the delays against differences in 50 digits, and against each other."""

import os

import numpy as np
from tests.support import naive
from tools.record_delay_gradients import PSP, Tally, compare, random_case

import linspike as ls
from linspike.kernels.rows.delays import fill_both_rows, fill_delay_mixture
from linspike.neuron.decay_tables import events_of

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 3 if UNCOMPILED else 25
NEURON = ls.SRM()


def test_gradients_equal_differences_in_fifty_digits():
    rng = np.random.default_rng(4)
    tally = Tally()
    while tally.cases < CASES:
        compare(random_case(rng), rng, tally)
    assert tally.potential < 1e-9
    assert tally.critical < 1e-7
    if not UNCOMPILED:
        assert min(tally.kinds.values()) > 2


def test_a_row_has_both_gradients_of_the_potential():
    rng = np.random.default_rng(1)
    m = NEURON._membrane
    for duration in (80.0, 3000.0):
        pattern = ls.poisson_patterns(1, n_channels=12, duration=duration, rate=0.02, rng=rng)[0]
        events, weights = events_of(pattern._ragged, m), rng.normal(size=12)
        for at in (-1.0, 0.0, 0.4 * duration, duration):
            row = np.full(24, np.nan)
            fill_both_rows(events, 0, at, PSP, m, weights, row)
            expected = naive.window_sums(pattern, [at], "psp", 20.0, 5.0)[0]
            assert np.allclose(row[:12], expected, rtol=0.0, atol=1e-13)
            slopes = naive.delay_slopes(weights, pattern, at, 20.0, 5.0)
            assert np.allclose(row[12:], slopes, rtol=0.0, atol=1e-13)


def test_an_arrival_at_the_time_itself_has_no_effect():
    pattern = ls.Pattern([5.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    events, row = events_of(pattern._ragged, NEURON._membrane), np.empty(4)
    fill_both_rows(events, 0, 10.0, PSP, NEURON._membrane, np.ones(2), row)
    assert row[1] == row[3] == 0.0
    assert row[0] > 0.0 > row[2]  # a later input has not come as far up its PSP


def test_a_mixture_is_the_sum_of_rows():
    rng = np.random.default_rng(3)
    m = NEURON._membrane
    for n in (1, 5):
        patterns = ls.poisson_patterns(3, n_channels=20, duration=80.0, rate=0.02, rng=rng)
        events, weights = events_of(patterns._ragged, m), rng.normal(size=20)
        at, factors = np.sort(rng.uniform(-1.0, 80.0, n)), rng.normal(size=n)
        found, row, expected = np.full(20, np.nan), np.empty(40), np.zeros(20)
        fill_delay_mixture(events, 1, at, factors, PSP, m, weights, found)
        for time, factor in zip(at, factors, strict=True):
            fill_both_rows(events, 1, time, PSP, m, weights, row)
            expected += factor * row[20:]
        assert np.allclose(found, expected, rtol=0.0, atol=1e-13)
