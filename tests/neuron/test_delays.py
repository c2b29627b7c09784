"""Delays that are given: inputs arrive later, and all else is as before."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import naive, strategies
from tools.record_exactness import Tally, compare, random_case, random_delays

import linspike as ls

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 20 if UNCOMPILED else 100
NEURON = ls.SRM()
delay_rows = st.lists(
    st.one_of(st.sampled_from([0.0, 2.5, 5.0, 120.0]), st.floats(0.0, 30.0)),
    min_size=strategies.N_CHANNELS,
    max_size=strategies.N_CHANNELS,
).map(np.array)


def small_set(n_patterns=4):
    return ls.poisson_patterns(n_patterns, n_channels=20, duration=60.0, rate=0.03, rng=0)


def test_agrees_with_fifty_digits():
    rng = np.random.default_rng(5)
    tally = Tally()
    for _ in range(CASES):
        case = random_case(rng)
        compare(case, tally, random_delays(rng, case[1].size))
    assert tally.spikes > 10 * CASES
    assert tally.unsure == 0
    assert tally.wrong_counts == 0
    assert tally.largest < 1e-9


@given(
    strategies.neurons(),
    strategies.weights,
    strategies.patterns(),
    delay_rows,
    strategies.horizons,
)
def test_agrees_with_fifty_digits_on_nasty_patterns(neuron, weights, pattern, delays, until):
    found = neuron.respond(weights, pattern, until=until, delays=delays)
    twin = naive.ExactNeuron(neuron.tau_m, neuron.tau_s, neuron.threshold)
    exact = twin.respond(weights, pattern, until, delays)
    if exact.margin > 1e-12 * neuron.threshold:
        assert len(found) == len(exact.spikes)
        assert np.allclose(found.times, [float(s) for s in exact.spikes], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("until", [None, 25.0, np.inf])
@pytest.mark.parametrize("width", [1, 3, 5, 66])
def test_many_agree_with_one(width, until):
    rng = np.random.default_rng(width)
    patterns, weights = small_set(), rng.normal(0.4, 0.4, (width, 20))
    own, shared = rng.uniform(0.0, 40.0, (width, 20)), rng.uniform(0.0, 40.0, 20)
    for delays in (own, shared):
        many = NEURON.respond_many(weights, patterns, delays=delays, until=until, threads=2)
        for i in range(width):
            row = delays if delays.ndim == 1 else delays[i]
            for p, pattern in enumerate(patterns):
                alone = NEURON.respond(weights[i], pattern, delays=row, until=until)
                assert many[i, p] == alone
        assert many.counts.sum() > width


def test_zero_delays_change_no_bit():
    rng = np.random.default_rng(0)
    patterns, weights = small_set(), rng.normal(0.2, 0.4, (5, 20))
    plain = NEURON.respond_many(weights, patterns)
    for zeros in (np.zeros(20), np.zeros((5, 20))):
        assert np.array_equal(
            plain.times, NEURON.respond_many(weights, patterns, delays=zeros).times
        )
    critical = NEURON.critical_threshold(weights[0], patterns[0], 3)
    assert NEURON.critical_threshold(weights[0], patterns[0], 3, delays=np.zeros(20)) == critical


def test_delays_are_patterns_that_come_later():
    rng = np.random.default_rng(1)
    weights, delays, at = rng.normal(0.2, 0.4, 20), rng.uniform(0.0, 40.0, 20), [10.0, 33.0, 59.0]
    for pattern in small_set():
        late = naive.arrived(pattern, delays)
        found = NEURON.respond(weights, pattern, delays=delays)
        assert np.array_equal(found.times, NEURON.respond(weights, late, until=60.0).times)
        assert found.duration == 60.0
        for reset in (True, False):
            potential = NEURON.potential(weights, pattern, at, delays=delays, reset=reset)
            assert np.array_equal(potential, NEURON.potential(weights, late, at, reset=reset))
        for window in ("psp", "filt"):
            rows = NEURON.design(pattern, at, delays=delays, window=window)
            assert np.array_equal(rows, NEURON.design(late, at, window=window))
        one = NEURON.critical_threshold(weights, pattern, 2, delays=delays)
        assert one == NEURON.critical_threshold(weights, late, 2, until=60.0)


def test_late_arrivals_matter_only_beyond_the_duration():
    pattern = ls.Pattern([1.0, 20.0], [0, 1], n_channels=2, duration=30.0)
    weights, delays = [2.0, 5.0], [0.0, 15.0]
    alone = NEURON.respond([2.0, 0.0], pattern)
    assert NEURON.respond(weights, pattern, delays=delays) == alone
    beyond = NEURON.respond(weights, pattern, delays=delays, until=60.0)
    assert len(beyond) > len(alone)
    assert beyond.times[len(alone)] > 35.0


def test_a_very_late_arrival_leaves_everything_finite():
    neuron = ls.SRM(tau_m=0.02, tau_s=0.01)
    pattern = ls.Pattern([1.0, 2.0], [0, 1], n_channels=2, duration=30.0)
    delays = [0.0, 1e6]
    assert neuron.respond([3.0, 3.0], pattern, delays=delays) == neuron.respond([3.0, 0.0], pattern)
    critical = neuron.critical_threshold([3.0, 3.0], pattern, 1, delays=delays)
    assert critical.value == pytest.approx(3.0)


def test_graded_counts_with_delays():
    rng = np.random.default_rng(3)
    patterns, weights = small_set(), rng.normal(0.05, 0.2, (3, 20))
    own = rng.uniform(0.0, 20.0, (3, 20))
    grades = ls.graded_counts(NEURON, weights, patterns, delays=own)
    for i in range(3):
        shared = ls.graded_counts(NEURON, weights[[i]], patterns, delays=own[i])
        late = [naive.arrived(pattern, own[i]) for pattern in patterns]
        alone = [
            ls.graded_counts(NEURON, weights[[i]], ls.PatternSet.from_patterns([one]), until=60.0)
            for one in late
        ]
        assert np.array_equal(grades[i], shared[0])
        assert np.array_equal(grades[i], [each[0, 0] for each in alone])
    assert np.array_equal(
        np.floor(grades).astype(int), NEURON.respond_many(weights, patterns, delays=own).counts
    )


@pytest.mark.parametrize(
    ("delays", "message"),
    [
        (
            [1.0, -0.5],
            r"'delays' parameter of respond must be finite and at least 0 ms. Got -0.5 "
            r"for channel 1 instead. An input cannot arrive before it was sent.",
        ),
        ([np.nan, 1.0], r"finite and at least 0 ms. Got nan for channel 0 instead\.$"),
        ([1.0, np.inf], r"finite and at least 0 ms. Got inf for channel 1 instead\.$"),
        ([1.0], r"of shape \(2,\), one delay per channel in milliseconds. Got shape \(1,\)"),
        ([[1.0, 2.0]], r"of shape \(2,\), one delay per channel in milliseconds. Got shape"),
        ("soon", r"'delays' parameter of respond must be an array of numbers. Got 'soon'"),
        ([[1.0], [1.0, 2.0]], r"'delays' parameter of respond must be an array of numbers"),
        (3.0, r"of shape \(2,\), one delay per channel in milliseconds. Got shape \(\) instead"),
    ],
)
def test_bad_delays(delays, message):
    pattern = ls.Pattern([1.0], [0], n_channels=2, duration=30.0)
    with pytest.raises(ls.ParameterError, match=message):
        NEURON.respond([1.0, 1.0], pattern, delays=delays)


@pytest.mark.parametrize(
    ("delays", "message"),
    [
        (
            np.zeros((2, 3)),
            r"of shape \(20,\), which all neurons share, or \(3, 20\), in "
            r"milliseconds. Got shape \(2, 3\)",
        ),
        (np.full((3, 20), -1.0), r"at least 0 ms. Got -1.0 for neuron 0, channel 0"),
        ([[1.0], [1.0, 2.0]], r"'delays' parameter of respond_many must be an array of numbers"),
    ],
)
def test_bad_delays_of_many(delays, message):
    with pytest.raises(ls.ParameterError, match=message):
        NEURON.respond_many(np.zeros((3, 20)), small_set(), delays=delays)


@pytest.mark.parametrize("name", ["potential", "design", "critical_threshold"])
def test_every_method_checks_delays(name):
    pattern = ls.Pattern([1.0], [0], n_channels=2, duration=30.0)
    arguments = {
        "potential": ([1.0, 1.0], pattern, [5.0]),
        "design": (pattern, [5.0]),
        "critical_threshold": ([1.0, 1.0], pattern, 1),
    }[name]
    with pytest.raises(ls.ParameterError, match=f"'delays' parameter of {name} must be finite"):
        getattr(NEURON, name)(*arguments, delays=[-1.0, 0.0])
