"""Many neurons agree with one neuron, to the last bit, in every block width."""

import multiprocessing
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import strategies

import linspike as ls

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
WIDTHS = [1, 3, 4, 64, 67] if UNCOMPILED else [1, 2, 3, 4, 10, 63, 64, 65, 130]


def small_set(rng, n_patterns=4):
    return ls.poisson_patterns(n_patterns, n_channels=20, duration=60.0, rate=0.03, rng=rng)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("until", [None, 25.0, np.inf])
def test_agrees_with_one_neuron(width, until):
    rng = np.random.default_rng(width)
    patterns = small_set(rng)
    weights = rng.normal(0.2, 0.4, (width, 20))
    neuron = ls.SRM()
    many = neuron.respond_many(weights, patterns, until=until)
    assert many.shape == (width, 4)
    assert many.counts.sum() > 0
    for i in range(width):
        for p, pattern in enumerate(patterns):
            assert many[i, p] == neuron.respond(weights[i], pattern, until=until)


@given(
    strategies.neurons(),
    st.lists(strategies.weights, min_size=4, max_size=6),
    st.lists(strategies.patterns(), min_size=1, max_size=3),
    strategies.horizons,
)
def test_agrees_with_one_neuron_on_nasty_patterns(neuron, rows, listed, until):
    patterns = ls.PatternSet.from_patterns(listed)
    many = neuron.respond_many(np.array(rows), patterns, until=until)
    for i, weights in enumerate(rows):
        for p, pattern in enumerate(listed):
            assert many[i, p] == neuron.respond(weights, pattern, until=until)


@pytest.mark.parametrize("width", [2, 10, 64])
def test_runaway_neurons_are_flagged_and_leave_the_others_alone(width):
    rng = np.random.default_rng(0)
    patterns = small_set(rng)
    weights = rng.normal(0.2, 0.4, (width, 20))
    calm = ls.SRM().respond_many(weights, patterns)
    weights[1] = 1e7
    with pytest.warns(ls.RunawayWarning, match="cut 4 responses off"):
        many = ls.SRM().respond_many(weights, patterns)
    assert many.truncated[1].all()
    assert many.truncated.sum() == 4
    assert (many.counts[1] == 1000 + 10 * np.diff(patterns.offsets)).all()
    assert many[0, 2] == calm[0, 2]
    assert "4 truncated" in repr(many)


@pytest.mark.parametrize("width", [2, 5])
def test_a_given_cap_is_kept(width):
    patterns = small_set(np.random.default_rng(1))
    weights = np.full((width, 20), 3.0)
    with pytest.warns(ls.RunawayWarning):
        many = ls.SRM().respond_many(weights, patterns, max_spikes=7)
    assert (many.counts == 7).all()


@pytest.mark.skipif(UNCOMPILED, reason="large enough for several threads")
def test_one_and_two_threads_give_the_same_bits():
    rng = np.random.default_rng(2)
    patterns = ls.poisson_patterns(300, n_channels=100, duration=100.0, rate=0.05, rng=rng)
    weights = rng.normal(0.05, 0.2, (70, 100))
    one = ls.SRM().respond_many(weights, patterns, threads=1)
    two = ls.SRM().respond_many(weights, patterns, threads=2)
    assert one.times.tobytes() == two.times.tobytes()
    assert (one.counts == two.counts).all()
    assert one.counts.sum() > 10_000


def test_patterns_without_inputs():
    patterns = ls.PatternSet([], [], [0, 0, 0], n_channels=2, duration=10.0)
    assert (ls.SRM().respond_many(np.ones((5, 2)), patterns).counts == 0).all()


def respond_in_child(queue, weights, patterns):
    queue.put(ls.SRM().respond_many(weights, patterns, threads=2).counts.tolist())


@pytest.mark.skipif(UNCOMPILED or not hasattr(os, "fork"), reason="needs fork and a fast engine")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_work_in_a_forked_child():
    patterns = ls.poisson_patterns(300, n_channels=100, duration=100.0, rate=0.05, rng=0)
    weights = np.random.default_rng(0).normal(0.05, 0.2, (70, 100))
    here = ls.SRM().respond_many(weights, patterns, threads=2).counts.tolist()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=respond_in_child, args=(queue, weights, patterns))
    child.start()
    assert queue.get(timeout=60) == here
    child.join()
