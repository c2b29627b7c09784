"""One neuron against the twins: the compiled loop, and the same source uncompiled."""

import itertools
import math
import os

import numpy as np
import pytest
from hypothesis import given
from tests.support import naive, strategies
from tools.record_exactness import Tally, compare, random_case

import linspike as ls
from linspike.kernels.simulation.membrane import NO_SPIKE, Interval, membrane, next_crossing, peak

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 40 if UNCOMPILED else 300


def test_agrees_with_fifty_digits():
    rng = np.random.default_rng(1)
    tally = Tally()
    for _ in range(CASES):
        compare(random_case(rng), tally)
    assert tally.spikes > 10 * CASES
    assert tally.unsure == 0
    assert tally.wrong_counts == 0
    assert tally.largest < 1e-9


@given(strategies.neurons(), strategies.weights, strategies.patterns(), strategies.horizons)
def test_agrees_with_fifty_digits_on_nasty_patterns(neuron, weights, pattern, until):
    found = neuron.respond(weights, pattern, until=until)
    exact = naive.ExactNeuron(neuron.tau_m, neuron.tau_s, neuron.threshold).respond(
        weights, pattern, until
    )
    if exact.margin > 1e-12 * neuron.threshold:
        assert len(found) == len(exact.spikes)
        assert np.allclose(found.times, [float(s) for s in exact.spikes], rtol=0.0, atol=1e-9)


def test_agrees_with_the_definition_on_a_grid():
    rng = np.random.default_rng(2)
    neuron = ls.SRM()
    dt = 0.001
    for _ in range(2 if UNCOMPILED else 10):
        weights, pattern = strategies.random_case(rng, n_inputs=60, duration=60.0)
        found = neuron.respond(weights, pattern).times
        grid = naive.grid_spikes(weights, pattern, 60.0, 20.0, 5.0, 1.0, dt)
        assert found.size == grid.size
        # The grid is late by up to one step at each spike, and hands its lateness on.
        assert np.abs(found - grid).max() < 20 * dt


def test_potential_is_threshold_at_spikes_and_below_in_between():
    rng = np.random.default_rng(3)
    neuron = ls.SRM()
    for _ in range(5 if UNCOMPILED else 100):
        weights, pattern = strategies.random_case(rng)
        spikes = neuron.respond(weights, pattern).times
        assert np.abs(neuron.potential(weights, pattern, spikes) - 1.0).max(initial=0.0) < 1e-10
        tops = closed_form_maxima(weights, pattern, spikes, neuron)
        assert neuron.potential(weights, pattern, tops).max(initial=0.0) <= 1.0 + 1e-10


def closed_form_maxima(weights, pattern, spikes, neuron):
    """Times of all smooth maxima of V between events and spikes, and of all events."""
    moments = np.union1d(np.append(pattern.times, pattern.duration), spikes)
    tops = []
    for start, end in itertools.pairwise(moments):
        inputs = pattern.times <= start
        ages = start - pattern.times[inputs]
        scaled = neuron.v_norm * weights[pattern.channels[inputs]]
        a = (scaled * np.exp(-ages / neuron.tau_m)).sum()
        b = (scaled * np.exp(-ages / neuron.tau_s)).sum()
        earlier = spikes[spikes <= start]
        a -= neuron.threshold * np.exp(-(start - earlier) / neuron.tau_m).sum()
        if a > 0.0 and b * neuron.tau_m > a * neuron.tau_s:
            rate = 1.0 / neuron.tau_s - 1.0 / neuron.tau_m
            top = start + math.log(b * neuron.tau_m / (a * neuron.tau_s)) / rate
            if top < end:
                tops.append(top)
    return np.union1d(moments, tops)


def test_silence_without_inputs():
    pattern = ls.Pattern([], [], n_channels=3, duration=50.0)
    assert len(ls.SRM().respond([5.0, 5.0, 5.0], pattern, until=np.inf)) == 0


def test_horizon_crossing_counts():
    neuron = ls.SRM()
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    first = neuron.respond([2.0], pattern).times[0]
    assert len(neuron.respond([2.0], pattern, until=first)) == 1
    assert len(neuron.respond([2.0], pattern, until=np.nextafter(first, 0.0) - 1e-13)) == 0


def test_touching_maximum_counts():
    neuron = ls.SRM()
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
    assert len(neuron.respond([1.0 + 1e-12], pattern)) == 1
    assert len(neuron.respond([1.0 - 1e-12], pattern)) == 0
    spike = neuron.respond([1.0 + 1e-12], pattern).times[0]
    assert spike == pytest.approx(neuron.peak_time, abs=1e-4)


def test_inputs_at_or_after_the_horizon_do_nothing():
    pattern = ls.Pattern([5.0, 5.0], [0, 0], n_channels=1, duration=50.0)
    assert len(ls.SRM().respond([100.0], pattern, until=5.0)) == 0


def test_burst_between_two_inputs():
    neuron = ls.SRM()
    pattern = ls.Pattern([1.0, 40.0], [0, 0], n_channels=1, duration=50.0)
    found = neuron.respond([30.0], pattern)
    exact = naive.ExactNeuron(20.0, 5.0, 1.0).respond([30.0], pattern, 50.0)
    assert (found.times < 40.0).sum() > 20
    assert np.allclose(found.times, [float(s) for s in exact.spikes], rtol=0.0, atol=1e-10)


def test_runaway_weights_end_and_say_so():
    pattern = ls.Pattern([1.0, 2.0], [0, 0], n_channels=1, duration=50.0)
    with pytest.warns(ls.RunawayWarning, match="cut a response off at the cap"):
        train = ls.SRM().respond([1e9], pattern)
    assert train.truncated
    assert len(train) == 1020


def test_overflow_is_flagged_not_silent():
    pattern = ls.Pattern(np.arange(1.0, 9.0), [0] * 8, n_channels=1, duration=50.0)
    with pytest.warns(ls.RunawayWarning):
        train = ls.SRM().respond([1.7e308], pattern)
    assert train.truncated


def test_downward_overflow_is_flagged_too():
    pattern = ls.Pattern(np.arange(1.0, 9.0), [0] * 8, n_channels=1, duration=50.0)
    with pytest.warns(ls.RunawayWarning):
        assert ls.SRM().respond([-1.7e308], pattern).truncated
    patterns = ls.PatternSet.from_patterns([pattern])
    with pytest.warns(ls.RunawayWarning):
        assert ls.SRM().respond_many(np.full((5, 1), -1.7e308), patterns).truncated.all()


def test_a_maximum_exactly_at_threshold_is_a_spike():
    # The kernel's own height of the maximum as threshold: it touches, to the bit.
    m = membrane(20.0, 5.0)
    for weight in (0.3, 1.0, 1.7):
        _, height = peak(weight, weight, m)
        unbounded = Interval(0.0, np.inf, 0.0, 0.0)
        touching = next_crossing(weight, weight, 0.0, 1.0, 1.0, unbounded, height, m)[0]
        above = next_crossing(
            weight, weight, 0.0, 1.0, 1.0, unbounded, np.nextafter(height, 9.0), m
        )[0]
        assert touching > 0.0
        assert above == NO_SPIKE


def test_a_state_that_starts_at_threshold_spikes_at_once():
    # Only rounding brings this about: the interval before ended a bit too early.
    m = membrane(20.0, 5.0)
    coming = Interval(5.0, 6.0, np.exp(-0.05), np.exp(-0.2))
    assert next_crossing(2.0, 1.0, 0.0, 1.0, 1.0, coming, 1.0, m)[0] == 0.0


@pytest.mark.skipif(UNCOMPILED, reason="a million inputs are too many for uncompiled code")
def test_very_long_patterns_do_not_drift():
    rng = np.random.default_rng(4)
    neuron = ls.SRM()
    duration = 1e6
    patterns = ls.poisson_patterns(1, n_channels=100, duration=duration, rate=0.005, rng=rng)
    weights = rng.normal(0.08, 0.15, 100)
    spikes = neuron.respond(weights, patterns[0]).times
    assert spikes.size > 1000
    # Everything more than 2000 ms old has decayed by exp(-100): the last stretch, moved to the
    # origin, must give the same spikes once both have forgotten how they began.
    start = duration - 4000.0
    late = patterns.times >= start
    tail = ls.Pattern(patterns.times[late] - start, patterns.channels[late], 100, 4000.0)
    again = neuron.respond(weights, tail).times + start
    assert np.allclose(
        spikes[spikes > start + 2000.0], again[again > start + 2000.0], rtol=0.0, atol=1e-9
    )
    assert np.abs(neuron.potential(weights, patterns[0], spikes) - 1.0).max() < 1e-10
