"""Nasty but valid neurons, patterns, weights and trains for Hypothesis."""

import numpy as np
from hypothesis import strategies as st

import linspike as ls

MOST_INPUTS = 25
N_CHANNELS = 4

# A coarse grid makes simultaneous inputs and equal gaps common; free floats cover the rest.
moments = st.one_of(
    st.integers(0, 40).map(lambda i: 2.5 * i),
    st.floats(0.0, 100.0, allow_subnormal=False),
)
weight = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, -1.0, 3.0]),
    st.floats(-3.0, 3.0, allow_subnormal=False),
)


@st.composite
def neurons(draw):
    tau_m = draw(st.sampled_from([20.0, 10.0, 3.0]))
    ratio = draw(st.sampled_from([0.25, 0.05, 0.9]))
    return ls.SRM(tau_m, tau_m * ratio, draw(st.sampled_from([1.0, 0.3, 7.0])))


@st.composite
def patterns(draw):
    inputs = draw(
        st.lists(st.tuples(moments, st.integers(0, N_CHANNELS - 1)), max_size=MOST_INPUTS)
    )
    times = [time for time, _ in inputs]
    channels = [channel for _, channel in inputs]
    return ls.Pattern.sorted(times, channels, N_CHANNELS, 100.0)


@st.composite
def pattern_sets(draw):
    """Sets of patterns of many lengths; simultaneous spikes, in any order, are common."""
    listed = []
    for _ in range(draw(st.integers(1, 4))):
        duration = draw(st.floats(1e-3, 1e6))
        grid = st.integers(0, 4).map(lambda i, end=duration: end * i / 4.0)
        time = st.one_of(st.floats(0.0, duration), grid)
        pairs = draw(st.lists(st.tuples(time, st.integers(0, 3)), max_size=10))
        times, channels = [t for t, _ in pairs], [c for _, c in pairs]
        listed.append(ls.Pattern.sorted(times, channels, 4, duration))
    return ls.PatternSet.from_patterns(listed)


weights = st.lists(weight, min_size=N_CHANNELS, max_size=N_CHANNELS).map(np.array)
horizons = st.sampled_from([100.0, 37.5, 12.3, 250.0, np.inf])
trains = st.lists(st.floats(0.0, 100.0, allow_subnormal=False), max_size=6).map(sorted)


def random_case(rng, n_channels=50, n_inputs=200, duration=200.0, mean=0.1, sd=0.3):
    """Weights of both signs and a random pattern, for tests that want many plain cases."""
    pattern = ls.Pattern.sorted(
        rng.uniform(0.0, duration, n_inputs),
        rng.integers(0, n_channels, n_inputs),
        n_channels,
        duration,
    )
    return rng.normal(mean, sd, n_channels), pattern
