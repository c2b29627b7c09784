"""Critical thresholds: counts on both sides, and what V does at t*."""

import os

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linspike as ls
import strategies

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 40 if UNCOMPILED else 1000


def count(neuron, threshold, weights, pattern):
    return len(ls.SRM(neuron.tau_m, neuron.tau_s, threshold).respond(weights, pattern))


def test_counts_on_both_sides():
    rng = np.random.default_rng(0)
    neuron = ls.SRM()
    kinds = set()
    alive = 0
    while alive < CASES:
        weights, pattern = strategies.random_case(rng, n_inputs=100, duration=100.0, mean=0.05)
        k = 1 + alive % 10
        found = neuron.critical_threshold(weights, pattern, k)
        if found.value == 0.0:  # rare: inhibition throughout
            grid = np.linspace(0.0, 100.0, 5001)
            assert neuron.potential(weights, pattern, grid, reset=False).max() <= 0.0
            continue
        alive += 1
        assert count(neuron, found.value * (1.0 - 1e-7), weights, pattern) >= k
        assert count(neuron, found.value, weights, pattern) >= k  # attained: touching counts
        assert count(neuron, found.value * (1.0 + 1e-7), weights, pattern) < k
        kinds.add(found.kind)
    assert UNCOMPILED or kinds == {"smooth", "cusp", "horizon"}


def test_potential_touches_the_threshold_at_its_time():
    rng = np.random.default_rng(1)
    for case in range(3 if UNCOMPILED else 100):
        weights, pattern = strategies.random_case(rng, n_inputs=80, duration=100.0, mean=0.1)
        found = ls.SRM().critical_threshold(weights, pattern, 1 + case % 5)
        critical = ls.SRM(threshold=found.value)
        free = critical.potential(weights, pattern, found.time, reset=False)
        lifted = critical.moving_threshold(found.before, found.time)
        assert free == pytest.approx(float(lifted), rel=1e-9)
        early = found.before.times
        assert (early < found.time).all()
        reached = critical.potential(weights, pattern, early, reset=False)
        assert np.allclose(reached, critical.moving_threshold(early, early), rtol=1e-9, atol=0.0)


def test_one_spike_is_the_maximum_without_resets():
    rng = np.random.default_rng(2)
    neuron = ls.SRM()
    at = np.linspace(0.0, 100.0, 2001)
    for _ in range(2 if UNCOMPILED else 30):
        weights, pattern = strategies.random_case(rng, n_inputs=60, duration=100.0)
        found = neuron.critical_threshold(weights, pattern)
        grid = neuron.potential(weights, pattern, at, reset=False)
        assert grid.max() <= found.value + 1e-12
        assert found.value == pytest.approx(grid.max(), abs=5e-2)
        assert len(found.before) == 0


def test_kinds_by_construction():
    neuron = ls.SRM()
    alone = ls.Pattern([0.0, 3.0], [0, 1], n_channels=2, duration=50.0)
    assert neuron.critical_threshold([1.0, 0.0], alone).kind == "smooth"
    cusp = neuron.critical_threshold([1.0, -1.0], alone)
    assert (cusp.kind, cusp.time) == ("cusp", 3.0)
    horizon = neuron.critical_threshold([1.0, 0.0], alone, until=4.0)
    assert (horizon.kind, horizon.time) == ("horizon", 4.0)
    assert neuron.critical_threshold([1.0, 0.0], alone, until=np.inf).time == pytest.approx(
        neuron.peak_time
    )


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("weights", [[0.0, 0.0], [-1.0, -2.0]])
def test_dead_patterns(weights, k):
    pattern = ls.Pattern([1.0, 2.0], [0, 1], n_channels=2, duration=50.0)
    found = ls.SRM().critical_threshold(weights, pattern, k)
    assert found.value == 0.0
    assert found.kind == "none"
    assert np.isnan(found.time)
    assert len(found.before) == 0


@given(strategies.neurons(), strategies.weights, strategies.patterns(), st.integers(1, 10))
def test_counts_on_both_sides_of_nasty_patterns(neuron, weights, pattern, k):
    found = neuron.critical_threshold(weights, pattern, k)
    assume(found.value > 1e-9)
    assert count(neuron, found.value * (1.0 - 1e-7), weights, pattern) >= k
    assert count(neuron, found.value * (1.0 + 1e-7), weights, pattern) < k


def test_weak_inhibition_on_a_rising_flank_is_no_cusp():
    # Two peaks; the second spike's flank meets a small inhibitory input and goes on rising.
    pattern = ls.Pattern([0.0, 60.0, 62.0], [0, 0, 1], n_channels=2, duration=150.0)
    found = ls.SRM().critical_threshold([1.0, -0.05], pattern, 2)
    assert found.kind == "smooth"
    assert found.time > 62.5


def test_weights_beyond_all_bounds_are_refused():
    pattern = ls.Pattern([1.0, 2.0], [0, 0], n_channels=1, duration=50.0)
    with pytest.raises(ls.ParameterError, match="small enough for the potential to stay finite"):
        ls.SRM().critical_threshold([1.7e308], pattern)
