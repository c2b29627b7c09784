"""Critical thresholds: counts on both sides, and what V does at t*."""

import os

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support import strategies

import linspike as ls
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold import critical, maxima
from linspike.kernels.threshold.weakest import lowest_peak
from linspike.neuron.decay_tables import events_of

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 40 if UNCOMPILED else 1000

# Compiled code divides by the slope at a touching maximum in silence; NumPy's scalars mention it.
pytestmark = pytest.mark.filterwarnings("ignore:(divide by zero|invalid value):RuntimeWarning")


def count(neuron, threshold, weights, pattern):
    return len(ls.SRM(neuron.tau_m, neuron.tau_s, threshold).respond(weights, pattern))


def halved(events, span, weights, m, k):
    """The slow, obvious twin: halving down to the last bit, counting by simulation."""
    out = np.empty(k)

    def enough(threshold):
        return simulate(events, span, weights, threshold, m, out)[0] == k

    high = 2.0 * maxima.free_maximum(events, span, weights, m)[0]
    low = 0.5 * high
    while low > 0.0 and not enough(low):
        low, high = 0.5 * low, low
    while low > 0.0 and low < 0.5 * (low + high) < high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if enough(middle) else (low, middle)
    if low == 0.0:
        return 0.0, out, (0, np.nan, maxima.SMOOTH)
    simulate(events, span, weights, low, m, out)
    return low, out, lowest_peak(events, span, weights, low, m, out)


def prepared(neuron, pattern, until=None):
    m = neuron._membrane
    events = events_of(pattern._ragged, m)
    return events, span_until(events, 0, pattern.duration if until is None else until, m)


def like_images(rng):
    """Many inputs of one spike each, as images turned into latencies have them."""
    n_inputs = int(rng.integers(60, 80) if UNCOMPILED else rng.integers(400, 500))
    channels = rng.choice(864, n_inputs, replace=False)
    pattern = ls.Pattern.sorted(rng.uniform(0.0, 50.0, n_inputs), channels, 864, 50.0)
    return rng.normal(4.5 / n_inputs, 4.5 / n_inputs, 864), pattern


def test_equals_halving():
    rng = np.random.default_rng(5)
    neuron = ls.SRM()
    m = neuron._membrane
    kinds = set()
    for case in range(6 if UNCOMPILED else 400):
        weights, pattern = strategies.random_case(rng, n_inputs=100, duration=100.0, mean=0.1)
        events, span = prepared(neuron, pattern)
        k = 1 + case % 12
        out = np.empty(k)
        guess = 10.0 ** rng.uniform(-2.0, 2.0)
        value, which, when, kind = critical.critical_near(events, span, weights, guess, m, out)
        expected, spikes, spike = halved(events, span, weights, m, k)
        assert value == pytest.approx(expected, rel=1e-13)
        assert (which, kind) == (spike[0], spike[2])
        assert when == pytest.approx(spike[1], abs=1e-6, nan_ok=True)  # flat maxima
        if k > 1:
            assert np.allclose(out[:which], spikes[:which], rtol=0.0, atol=1e-6)
        kinds.add(kind)
    assert UNCOMPILED or kinds == {maxima.SMOOTH, maxima.CUSP, maxima.HORIZON}


@given(
    strategies.neurons(),
    strategies.weights,
    strategies.patterns(),
    st.integers(2, 40),
    strategies.horizons,
    st.sampled_from([1e-3, 0.5, 0.99, 1.01, 2.0, 1e3]),
)
def test_equals_halving_on_nasty_patterns(neuron, weights, pattern, k, until, factor):
    events, span = prepared(neuron, pattern, until)
    m = neuron._membrane
    expected, _, _ = halved(events, span, weights, m, k)
    out = np.empty(k)
    assert critical.critical_threshold(events, span, weights, m, out)[0] == pytest.approx(
        expected, rel=1e-13
    )
    assume(expected > 1e-9)
    found, probes = critical.find_critical(events, span, weights, factor * expected, m, out)
    assert found.threshold == pytest.approx(expected, rel=1e-13)
    assert probes <= 120
    assert (np.diff(out) >= 0.0).all()
    assert found.spikes == k
    assert out[found.which] - 1e-5 <= found.when <= until  # a touching spike has half the digits
    # Another maximum may hang as low, but none lower: V touches the threshold at this one.
    exactly = ls.SRM(neuron.tau_m, neuron.tau_s, found.threshold * neuron.v_norm)
    free = exactly.potential(weights, pattern, found.when, reset=False)
    lifted = exactly.moving_threshold(out[: found.which], found.when)
    assert free == pytest.approx(float(lifted), rel=1e-7)


def test_few_simulations_from_the_own_threshold():
    rng = np.random.default_rng(6)
    neuron = ls.SRM()
    m = neuron._membrane
    own = neuron.threshold / neuron.v_norm
    probes = []
    for case in range(6 if UNCOMPILED else 300):
        weights, pattern = like_images(rng)
        events, span = prepared(neuron, pattern)
        n, _ = simulate(events, span, weights, own, m, np.empty(100))
        k = max(2, n + case % 2)
        found, taken = critical.find_critical(events, span, weights, own, m, np.empty(k))
        assert found.threshold == pytest.approx(halved(events, span, weights, m, k)[0], rel=1e-14)
        probes.append(taken)
    assert np.mean(probes) < 9.0
    assert max(probes) < 30


def test_slope_of_the_maximum_is_its_derivative():
    rng = np.random.default_rng(7)
    neuron = ls.SRM()
    m = neuron._membrane
    checked = 0
    for case in range(10 if UNCOMPILED else 200):
        weights, pattern = strategies.random_case(rng, n_inputs=100, duration=100.0, mean=0.1)
        events, span = prepared(neuron, pattern)
        out = np.empty(2 + case % 6)
        value = critical.critical_threshold(events, span, weights, m, out)[0]
        if value == 0.0:
            continue
        for side in (0.99, 1.01):
            near = [
                critical.probe(events, span, weights, side * value * shift, np.inf, m, out)
                for shift in (1.0 - 1e-6, 1.0, 1.0 + 1e-6)
            ]
            if any(p.which != near[1].which or p.kind != near[1].kind for p in near):
                continue
            across = (near[2].excess - near[0].excess) / (near[2].threshold - near[0].threshold)
            checked += across == pytest.approx(near[1].slope, rel=1e-3)
            assert near[1].slope <= -1.0
    assert checked > (5 if UNCOMPILED else 300)


def test_dead_patterns_end_the_search_from_a_guess():
    pattern = ls.Pattern([1.0, 2.0], [0, 1], n_channels=2, duration=50.0)
    events, span = prepared(ls.SRM(), pattern)
    found, probes = critical.find_critical(
        events, span, np.array([-1.0, -2.0]), 1.0, ls.SRM()._membrane, np.empty(3)
    )
    assert found.threshold == 0.0
    assert np.isnan(found.when)
    assert probes < 7 * 1100


def test_equal_peaks_far_apart():
    # All of them are lost together: the spikes before have decayed to less than a rounding.
    neuron = ls.SRM(2.0, 0.5)
    m = neuron._membrane
    pattern = ls.Pattern(100.0 * np.arange(4), [0, 0, 0, 0], n_channels=1, duration=400.0)
    events, span = prepared(neuron, pattern)
    height, _, _ = maxima.free_maximum(events, span, np.array([1.0]), m)
    for k in (2, 3, 4):
        out = np.empty(k)
        value, _, _, kind = critical.critical_threshold(events, span, np.array([1.0]), m, out)
        assert value == pytest.approx(height, rel=1e-14)
        assert kind == maxima.SMOOTH
        # A spike that only touches has a time to half the digits.
        assert np.allclose(out, out[0] + 100.0 * np.arange(k), rtol=0.0, atol=1e-6)


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
