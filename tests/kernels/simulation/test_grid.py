"""The grid simulation against its slow twin, and against exact responses as bins shrink."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support import naive
from tests.support.strategies import neurons, patterns, weights

import linspike as ls
from linspike.deploy import respond_on_grid


def respond(neuron, w, pattern, dt, **options):
    return respond_on_grid(neuron, [w], ls.PatternSet.from_patterns([pattern]), dt, **options)


@given(neurons(), weights, patterns(), st.sampled_from([0.9, 0.5, 0.3, 0.07]))
def test_equal_to_the_slow_twin(neuron, w, pattern, part):
    dt = part * neuron.tau_s
    found = respond(neuron, w, pattern, dt)[0, 0]
    spikes, nearest = naive.grid_response(neuron, w, pattern, dt, int(100.0 / dt + 1e-9))
    assume(nearest > 1e-9)
    assert np.array_equal(found.times, spikes)
    assert found.duration == 100.0


def test_one_input_by_hand():
    # tau_m = 4, tau_s = 2, dt = 1: W = w Vn / 4, I = W (1, 1/2, ...), V = W (1, 5/4, 19/16, ...).
    neuron = ls.SRM(4.0, 2.0, 1.0)
    pattern = ls.Pattern([3.2], [0], 1, 20.0)
    just_enough = 4.0 / neuron.v_norm / 1.25
    assert respond(neuron, [just_enough * 1.0001], pattern, 1.0)[0, 0].times.tolist() == [5.0]
    assert respond(neuron, [just_enough * 0.9999], pattern, 1.0)[0, 0].times.size == 0
    assert respond(neuron, [just_enough * 1.2501], pattern, 1.0)[0, 0].times[0] == 4.0


def test_times_on_the_grid_stay_in_their_bin():
    # 0.3 / 0.1 is a little less than 3.
    neuron, strong = ls.SRM(), [100.0]
    first = [
        respond(neuron, strong, ls.Pattern([k * 0.1], [0], 1, 10.0), 0.1)[0, 0].times[0]
        for k in range(90)
    ]
    assert first == pytest.approx([0.1 * (k + 1) for k in range(90)], abs=1e-12)


def test_at_most_one_spike_in_a_bin_and_none_after_the_horizon():
    pattern = ls.Pattern([0.0] * 50, [0] * 50, 1, 10.0)
    found = respond(ls.SRM(), [1e6], pattern, 1.0)[0, 0].times
    assert found.tolist() == list(range(1, 11))
    assert respond(ls.SRM(), [1e6], pattern, 3.0)[0, 0].times.tolist() == [3.0, 6.0, 9.0]
    assert respond(ls.SRM(), [1e6], pattern, 1.0, until=4.5)[0, 0].times.size == 4


def test_the_cap_of_exact_responses_holds():
    found = respond(ls.SRM(), [1e12], ls.Pattern([0.0], [0], 1, 100.0), 0.01)
    assert found.counts.item() == 1010
    assert found.truncated.item()


def test_inputs_of_a_bin_add_up():
    neuron = ls.SRM()
    twice = ls.Pattern([1.1, 1.4], [0, 0], 1, 60.0)
    once = ls.Pattern([1.1], [0], 1, 60.0)
    doubled = respond(neuron, [2.0], once, 0.5)[0, 0].times
    assert doubled.size
    assert np.array_equal(respond(neuron, [1.0], twice, 0.5)[0, 0].times, doubled)


def test_errors_fall_with_the_time_step():
    rng = np.random.default_rng(0)
    inputs = ls.poisson_patterns(40, n_channels=100, duration=300.0, rate=0.02, rng=rng)
    w = rng.normal(0.02, 0.05, (3, 100))
    neuron = ls.SRM()
    exact = neuron.respond_many(w, inputs)
    assert exact.counts.sum() > 300
    medians, changed = [], []
    for dt in (1.0, 0.1, 0.01):
        found = respond_on_grid(neuron, w, inputs, dt)
        same = found.counts == exact.counts
        changed.append((~same).mean())
        errors = [
            np.abs(found[i, p].times - exact[i, p].times) for i, p in np.argwhere(same).tolist()
        ]
        medians.append(np.median(np.concatenate(errors)))
    assert changed[0] > changed[1] >= changed[2]
    assert changed[2] < 0.01
    assert 5.0 < medians[0] / medians[1] < 20.0
    assert 5.0 < medians[1] / medians[2] < 20.0


def test_threads_and_order_do_not_matter():
    rng = np.random.default_rng(1)
    inputs = ls.poisson_patterns(37, n_channels=20, duration=100.0, rate=0.03, rng=rng)
    w = rng.normal(0.1, 0.3, (5, 20))
    many = respond_on_grid(ls.SRM(), w, inputs, 0.5, threads=3)
    assert np.array_equal(many.times, respond_on_grid(ls.SRM(), w, inputs, 0.5, threads=1).times)
    for i, p in ((0, 0), (4, 36), (2, 17)):
        alone = respond(ls.SRM(), w[i], inputs[p], 0.5)[0, 0]
        assert np.array_equal(many[i, p].times, alone.times)
