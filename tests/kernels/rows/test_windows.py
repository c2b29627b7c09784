"""Window sums, potentials and moving thresholds against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import naive, strategies

import linspike as ls
from linspike.neuron.windows import WINDOWS

times = st.lists(strategies.moments, min_size=1, max_size=6)


@pytest.mark.parametrize("window", WINDOWS)
@given(neuron=strategies.neurons(), pattern=strategies.patterns(), at=times)
def test_window_sums(window, neuron, pattern, at):
    matrix = neuron.design(pattern, at, window=window)
    expected = naive.window_sums(pattern, at, window, neuron.tau_m, neuron.tau_s)
    assert matrix.shape == (len(at), pattern.n_channels)
    assert np.allclose(matrix, expected, rtol=1e-12, atol=1e-13)


@given(strategies.neurons(), strategies.weights, strategies.patterns(), times)
def test_potential_with_and_without_resets(neuron, weights, pattern, at):
    free = neuron.potential(weights, pattern, at, reset=False)
    assert np.allclose(free, neuron.design(pattern, at) @ weights, rtol=1e-11, atol=1e-11)
    spikes = neuron.respond(weights, pattern, until=max(at)).times
    expected = naive.potential(
        weights, pattern, at, spikes, neuron.tau_m, neuron.tau_s, neuron.threshold
    )
    assert np.allclose(neuron.potential(weights, pattern, at), expected, rtol=1e-10, atol=1e-10)


@given(strategies.neurons(), strategies.trains, times)
def test_moving_threshold(neuron, resets, at):
    expected = [
        neuron.threshold * (1.0 + sum(np.exp(-(t - r) / neuron.tau_m) for r in resets if r < t))
        for t in at
    ]
    assert np.allclose(neuron.moving_threshold(resets, at), expected, rtol=1e-12)


def test_shapes_follow_the_question():
    neuron = ls.SRM()
    pattern = ls.Pattern([1.0], [0], n_channels=1, duration=50.0)
    assert neuron.potential([0.5], pattern, 4.0).shape == ()
    grid = np.array([[9.0, 4.0], [2.0, 60.0]])
    values = neuron.potential([0.5], pattern, grid)
    assert values.shape == (2, 2)
    assert np.allclose(values, 0.5 * neuron.psp(grid - 1.0), rtol=1e-13)
    assert neuron.moving_threshold([], grid).tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_inputs_long_ago_are_nothing():
    pattern = ls.Pattern([0.0], [0], n_channels=1, duration=1e6)
    assert ls.SRM().design(pattern, [1e6]).tolist() == [[0.0]]


def test_own_reset_is_not_in_the_moving_threshold():
    assert ls.SRM().moving_threshold([5.0], [5.0]).tolist() == [1.0]
