"""Gradients through hidden spikes: against differences in 50 digits, and products against rows."""

import numpy as np
import pytest
from tests.support.naive import window_sums
from tests.support.naive_network import delayed, difference, free_potential, hidden_trains

import linspike as ls
from linspike.kernels.network.backward import (
    fill_arriving,
    fill_hidden_change,
    fill_hidden_gram,
    fill_shares,
    fill_shifts,
    linearise,
)
from linspike.kernels.network.forward import (
    MOST_SPIKES,
    arrange_arrivals,
    respond_hidden,
    sort_stably,
)
from linspike.kernels.network.protocol import HiddenConstants, make_spikes
from linspike.network.delays import delay_inputs
from linspike.neuron.decay_tables import events_of
from linspike.neuron.windows import window_of

DURATION, AT = 60.0, 41.0
CHANNELS, HIDDEN = 5, 3


def constants_of(neuron):
    psp = window_of("psp", neuron.tau_m, neuron.tau_s, neuron.v_norm, "SRM")
    return HiddenConstants(neuron._membrane, neuron.v_norm, neuron.threshold, psp)


def forward(weights, pattern, neuron, delays=None, out_delays=None, out_neuron=None, most=600):
    """Hidden spikes of a pattern as the kernels find them, with all that follows from them."""
    patterns = ls.PatternSet.from_patterns([pattern])
    seen = patterns if delays is None else delay_inputs(patterns, delays)
    events = events_of(seen._ragged, neuron._membrane)
    spikes = make_spikes(most, len(weights), pattern.n_channels, 64 * most)
    constants, until = constants_of(neuron), pattern.duration
    n, is_whole = respond_hidden(events, 0, delays is not None, until, constants, weights, spikes)
    assert is_whole
    late = np.empty(0) if out_delays is None else np.asarray(out_delays)
    arrange_arrivals(spikes, n, late, until, (out_neuron or neuron)._membrane)
    linearise(events, 0, delays is not None, weights, constants, spikes)
    return spikes, n


def shares_at(spikes, n, at, out, neuron, out_neuron, least=0.0):
    arriving, shares = np.empty((2, spikes.times.size))
    psp = constants_of(out_neuron).psp
    fill_arriving(spikes, at, out, psp, out_neuron._membrane, arriving)
    fill_shares(spikes, arriving, constants_of(neuron), least, shares)
    return shares


def random_case(rng):
    """A case with inhibition, bursts or a crossing that only just happens; some with delays."""
    neuron = ls.SRM(*[(20.0, 5.0), (10.0, 2.0), (15.0, 9.0)][rng.integers(3)], 1.0)
    n_inputs = int(rng.integers(4, 14))
    pattern = ls.Pattern.sorted(
        rng.uniform(0.0, 40.0, n_inputs), rng.integers(0, CHANNELS, n_inputs), CHANNELS, DURATION
    )
    size = [0.4, 0.8, 1.3][rng.integers(3)]  # the last one bursts
    weights = rng.normal(0.3 * size, size, (HIDDEN, CHANNELS))
    if rng.random() < 0.5:  # a spike of the first neuron that only just happens
        k = int(rng.integers(1, 4))
        critical = neuron.critical_threshold(weights[0], pattern, k).value
        if critical > 0.4:
            weights[0] *= neuron.threshold / critical * (1.0 + 10.0 ** rng.uniform(-8.0, -3.0))
    out = rng.normal(0.0, 1.0, HIDDEN)
    is_delayed = rng.random() < 0.3
    delays = rng.uniform(0.0, 10.0, (HIDDEN, CHANNELS)) if is_delayed else None
    out_delays = rng.uniform(0.0, 8.0, HIDDEN) if rng.random() < 0.3 else None
    return neuron, ls.SRM(18.0, 4.0), pattern, weights, out, delays, out_delays


def test_gradients_are_difference_quotients():
    rng = np.random.default_rng(1)
    compared = changed = silent = bursts = 0
    worst = 0.0
    while compared < 1000:
        neuron, out_neuron, pattern, weights, out, delays, out_delays = random_case(rng)
        spikes, n = forward(weights, pattern, neuron, delays, out_delays, out_neuron)
        if n == 0 or spikes.events.times[0] >= AT:
            silent += 1
            continue
        shares = shares_at(spikes, n, AT, out, neuron, out_neuron)
        gradient = np.empty_like(weights)
        fill_hidden_change(spikes, shares, 1.0, gradient)
        direction = rng.normal(size=weights.shape)

        def value(moved, case=(neuron, out_neuron, pattern, out, delays, out_delays)):
            neuron, out_neuron, pattern, out, delays, out_delays = case
            parts = (neuron.tau_m, neuron.tau_s, neuron.threshold)
            trains = hidden_trains(moved, pattern, DURATION, parts, delays)
            parts = (out_neuron.tau_m, out_neuron.tau_s, out_neuron.threshold)
            return free_potential(out, trains, AT, parts, out_delays), [len(t) for t in trains]

        expected = difference(weights, direction, "1e-14", value)
        if expected is None:
            changed += 1
            continue
        scale = max(abs(expected), 0.01 * np.linalg.norm(gradient) * np.linalg.norm(direction))
        if scale == 0.0:
            continue
        compared += 1
        bursts += n > 6 * HIDDEN
        error = abs(float((gradient * direction).sum()) - expected) / scale
        worst = max(worst, error)
    print(f"compared {compared}, changed {changed}, silent {silent}, bursts {bursts}, {worst:.2g}")
    assert worst < 1e-7
    assert changed <= 10
    assert bursts > 50


def test_shifts_are_difference_quotients():
    rng = np.random.default_rng(2)
    for _ in range(60):
        neuron, _, pattern, weights, _, delays, _ = random_case(rng)
        spikes, n = forward(weights, pattern, neuron, delays)
        step = 1e-7 * rng.normal(size=weights.shape)
        moved = (spikes.rows[:n] * step[spikes.neuron[:n]]).sum(axis=1)
        shifts = np.empty(n)
        fill_shifts(spikes, moved, constants_of(neuron), 0.0, shifts)
        ahead, n_ahead = forward(weights + step, pattern, neuron, delays)
        behind, n_behind = forward(weights - step, pattern, neuron, delays)
        if n_ahead == n_behind == n and (n == 0 or spikes.slopes[:n].min() > 1e-2):
            found = 0.5 * (ahead.times[:n] - behind.times[:n])
            np.testing.assert_allclose(shifts, found, rtol=1e-4, atol=1e-12)


def test_products_are_those_of_rows():
    rng = np.random.default_rng(3)
    for _ in range(30):
        neuron, out_neuron, pattern, weights, out, delays, out_delays = random_case(rng)
        spikes, n = forward(weights, pattern, neuron, delays, out_delays, out_neuron)
        for j in range(n):
            h = spikes.neuron[j]
            seen = pattern if delays is None else delayed(pattern, delays[h], DURATION)
            row = window_sums(seen, [spikes.times[j]], "psp", neuron.tau_m, neuron.tau_s)[0]
            np.testing.assert_allclose(spikes.rows[j], row, rtol=1e-12, atol=1e-14)
        times = (20.0, 33.0, 50.0)
        parts = [shares_at(spikes, n, at, out, neuron, out_neuron) for at in times]
        rows = np.empty((3, *weights.shape))
        for row, shares in zip(rows, parts, strict=True):
            fill_hidden_change(spikes, shares, 1.0, row)
        mixed, gram = np.empty((3, spikes.times.size)), np.empty((3, 3))
        fill_hidden_gram(spikes, np.array(parts), mixed, gram)
        flat = rows.reshape(3, -1)
        np.testing.assert_allclose(gram, flat @ flat.T, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("is_delayed", [False, True])
def test_arrivals_are_in_order(is_delayed):
    rng = np.random.default_rng(4)
    for _ in range(30):
        neuron, _, pattern, weights, *_ = random_case(rng)
        late = rng.uniform(0.0, 20.0, HIDDEN) if is_delayed else None
        spikes, n = forward(weights, pattern, neuron, out_delays=late)
        expected = spikes.times[:n] + (late[spikes.neuron[:n]] if is_delayed else 0.0)
        order = np.argsort(expected, kind="stable")
        assert np.array_equal(spikes.spike_of[:n], order)
        assert np.array_equal(spikes.events.times[:n], expected[order])
        assert np.array_equal(spikes.events.channels[:n], spikes.neuron[:n][order])
        trains = neuron.respond_many(weights, ls.PatternSet.from_patterns([pattern]))
        assert np.array_equal(spikes.times[:n], trains.times)


def test_sorting_keeps_the_order_of_equal_keys():
    rng = np.random.default_rng(5)
    for n in (0, 1, 2, 3, 17, 64, 100):
        keys = rng.integers(0, 7, n).astype(float)
        order, scratch = np.zeros((2, n + 3), np.int64)
        sort_stably(keys, n, order, scratch)
        assert np.array_equal(order[:n], np.argsort(keys, kind="stable"))


def test_more_spikes_than_there_is_room_for():
    pattern = ls.Pattern(np.arange(40.0), np.zeros(40, int), CHANNELS, DURATION)
    events = events_of(pattern._ragged, ls.SRM()._membrane)
    weights = np.full((HIDDEN, CHANNELS), 30.0)
    for most, found in ((1000, 3 * MOST_SPIKES), (100, 100)):
        spikes = make_spikes(most, HIDDEN, CHANNELS, MOST_SPIKES * most)
        given = (events, 0, False, DURATION, constants_of(ls.SRM()), weights, spikes)
        assert respond_hidden(*given) == (found, False)
        linearise(events, 0, False, weights, constants_of(ls.SRM()), spikes)
