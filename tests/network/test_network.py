"""Layers and networks as values: how they respond, with delays too, and what they refuse."""

import numpy as np
import pytest
from tests.support.naive_network import hidden_trains

import linspike as ls

PATTERNS = ls.poisson_patterns(5, n_channels=6, duration=80.0, rate=0.03, rng=3)
LATE = np.random.default_rng(0).uniform(0.0, 9.0, (4, 6))
LATE_OUT = np.random.default_rng(1).uniform(0.0, 12.0, (2, 4))
NEURON = ls.SRM(15.0, 4.0)


def make(late=None, late_out=None):
    return ls.Network([ls.Layer(4, NEURON, late), ls.Layer(2, ls.SRM(), late_out)])


@pytest.mark.parametrize("late", [None, LATE])
@pytest.mark.parametrize("late_out", [None, LATE_OUT])
def test_responses_are_those_of_the_definition(late, late_out):
    network = make(late, late_out)
    weights = network.initial_weights(PATTERNS, 0)
    weights = ls.NetworkWeights(weights.hidden, 0.3 + weights.out)
    found, hidden = network.respond(weights, PATTERNS), network.hidden_patterns(weights, PATTERNS)
    assert found.counts.shape == (2, 5)
    assert found.counts.sum() > 10
    for p, pattern in enumerate(PATTERNS):
        parts = (NEURON.tau_m, NEURON.tau_s, NEURON.threshold)
        trains = hidden_trains(weights.hidden.tolist(), pattern, 80.0, parts, late)
        for h, train in enumerate(trains):
            times = hidden[p].times[hidden[p].channels == h]
            np.testing.assert_allclose(times, [float(t) for t in train], atol=1e-9)
        delays = None if late_out is None else late_out
        outs = hidden_trains(weights.out.tolist(), hidden[p], 80.0, (20.0, 5.0, 1.0), delays)
        for k, train in enumerate(outs):
            np.testing.assert_allclose(found[k, p].times, [float(t) for t in train], atol=1e-9)


def test_delays_of_0_are_none():
    weights = make().initial_weights(PATTERNS, 0)
    plain = make().respond(weights, PATTERNS)
    delayed = make(np.zeros((4, 6)), np.zeros((2, 4))).respond(weights, PATTERNS)
    assert np.array_equal(plain.times, delayed.times)
    assert np.array_equal(plain.counts, delayed.counts)


def test_one_pattern_is_a_set_of_one():
    network = make(LATE)
    weights = network.initial_weights(PATTERNS, 0)
    one, many = network.respond(weights, PATTERNS[2]), network.respond(weights, PATTERNS)
    assert one[0, 0] == many[0, 2]


@pytest.mark.parametrize("late", [None, LATE])
def test_initial_weights_are_calibrated_and_reproducible(late):
    network = make(late)
    weights = network.initial_weights(PATTERNS, np.random.default_rng(4), rate=2.0)
    counts = np.bincount(network.hidden_patterns(weights, PATTERNS).channels, minlength=4)
    assert (np.abs(counts - 10) <= 1).all()
    again = network.initial_weights(PATTERNS, 4, rate=2.0)
    assert np.array_equal(again.flat(), weights.flat())
    assert again.flat().size == 4 * 6 + 2 * 4


def test_values_cannot_be_changed():
    weights = make().initial_weights(PATTERNS, 0)
    with pytest.raises(ValueError, match="read-only"):
        weights.hidden[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        make(LATE).hidden.delays[0, 0] = 1.0
    assert repr(weights) == "NetworkWeights(6 -> 4 -> 2)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ls.Layer(0), "'n_neurons' parameter of Layer .* at least 1. Got 0"),
        (lambda: ls.Layer(2, 20.0), "'neuron' parameter of Layer must be an SRM. Got 20.0"),
        (lambda: ls.Layer(2, delays=[1.0, 2.0]), "'delays' parameter of Layer .* a 2-D array"),
        (
            lambda: ls.Layer(3, delays=LATE),
            r"'delays' .* of shape \(3, channels\), .* Got shape \(4",
        ),
        (
            lambda: ls.Layer(1, delays=[[0.0, -2.0]]),
            "'delays' .* finite and at least 0 ms. Got -2 for neuron 0, channel 1 instead",
        ),
        (lambda: ls.Layer(1, delays=[[np.inf]]), "'delays' .* at least 0 ms. Got inf for neuron 0"),
        (lambda: ls.Network([ls.Layer(2)]), "'layers' parameter of Network .* a list of two Layer"),
        (lambda: ls.Network([ls.Layer(2), 1]), "'layers' .* two Layer"),
        (
            lambda: ls.Network([ls.Layer(3), ls.Layer(2, delays=LATE_OUT)]),
            "'layers' .* delays of 3 hidden neurons. Got 4",
        ),
        (
            lambda: ls.NetworkWeights([[np.nan]], [[1.0]]),
            "'hidden' parameter of NetworkWeights .* fi",
        ),
        (lambda: ls.NetworkWeights([[1.0]], [1.0]), "'out' parameter of NetworkWeights .* a 2-D"),
        (
            lambda: make(LATE).initial_weights(ls.PatternSet([1.0], [0], [0, 1], 2, 9.0)),
            "'patterns' parameter of initial_weights must have 6 channels, as the delays .* Got 2",
        ),
        (
            lambda: make().initial_weights(PATTERNS, rate=0.1),
            "'rate' .* from 0.2, one spike over all patterns, to 1000. Got 0.1",
        ),
        (lambda: make().initial_weights(PATTERNS, rate=1e5), "'rate' .* to 1000. Got 100000.0"),
        (
            lambda: make().initial_weights(PATTERNS, "x"),
            "'rng' parameter of initial_weights must be a numpy.random.Generator or a seed",
        ),
        (
            lambda: make().initial_weights(ls.PatternSet([], [], [0, 0], 2, 9.0), rate=1.0),
            "initial_weights: 4 of 4 neurons stay silent on these patterns",
        ),
        (
            lambda: make().respond([1.0], PATTERNS),
            "'weights' parameter of respond must be NetworkW",
        ),
        (
            lambda: make().respond(ls.NetworkWeights(np.ones((4, 5)), np.ones((2, 4))), PATTERNS),
            r"'weights' .* of shapes \(4, 6\) and \(2, 4\) for these .* Got \(4, 5\) and \(2, 4\)",
        ),
        (
            lambda: make().respond(make().initial_weights(PATTERNS, 0), [1.0]),
            "'patterns' parameter of respond must be a PatternSet",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ls.LinspikeError, match=message):
        call()
