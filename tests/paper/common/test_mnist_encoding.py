"""Images of MNIST as spikes, under each reading of strong activations, and readings of ties."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.support import large_digits

from linspike.datasets import Filters
from linspike.estimators.classes.readout import CountCode
from linspike.paper.common import mnist, mnist_trials
from linspike.paper.tables import table4

DURATION = 50.0
STRONG = np.array([[0.5, 1.0, 0.0, 4.0], [2.0, 0.25, 1.5, 0.0]], np.float32)
WEAK = np.array([[0.5, 0.25, 0.0, 0.75], [0.125, 0.0, 0.5, 0.25]], np.float32)


def cell(**changes):
    return table4.cells("smoke", [])[1].but(**changes)


@pytest.fixture
def encode(monkeypatch):
    """Time of each channel's spike, nan without one, by pattern; activations are hand-made."""

    def times(train, activation, test=None):
        digits = np.zeros(len(train), np.int64)
        parts = {"train": (train, digits), "test": (train if test is None else test, digits)}
        monkeypatch.setattr(mnist_trials, "load_parts", lambda *_: dict(parts))
        monkeypatch.setattr(mnist_trials._Encoded, "key", ())
        patterns, _ = mnist_trials.encode_parts(cell(activation=activation), 0)["test"]
        found = np.full((len(patterns), patterns.n_channels), np.nan)
        for number, pattern in enumerate(patterns):
            found[number, pattern.channels] = pattern.times
        return found

    return times


def silent_at_0(times, activations):
    return np.where(activations > 0.0, times, np.nan)


def test_activations_are_taken_as_they_are_and_strong_ones_spike_at_once(encode):
    expected = silent_at_0(DURATION * (1.0 - np.minimum(STRONG, 1.0)), STRONG)
    np.testing.assert_allclose(encode(STRONG, 1.0), expected)


def test_the_largest_of_training_is_the_first_spike(encode):
    np.testing.assert_allclose(
        encode(STRONG, None), silent_at_0(DURATION * (1.0 - STRONG / 4.0), STRONG)
    )


def test_the_largest_of_every_image_spikes_at_time_0(encode):
    found = encode(STRONG, "image")
    assert np.nanmin(found, axis=1).tolist() == [0.0, 0.0]
    largest = STRONG.max(axis=1, keepdims=True)
    np.testing.assert_allclose(found, silent_at_0(DURATION * (1.0 - STRONG / largest), STRONG))
    blank = np.zeros((1, 4), np.float32)
    assert np.isnan(encode(STRONG, "image", blank)).all()


def test_unclipped_spikes_are_the_others_shifted_where_nothing_exceeds_1(encode):
    shift = encode(WEAK, "unclipped") - encode(WEAK, 1.0)
    assert np.isfinite(shift).sum() == np.count_nonzero(WEAK)
    np.testing.assert_allclose(shift[np.isfinite(shift)], DURATION * (WEAK.max() - 1.0))


def test_unclipped_strong_activations_spike_before_the_time_of_1(encode):
    found = encode(STRONG, "unclipped")
    np.testing.assert_allclose(found, silent_at_0(DURATION * (4.0 - STRONG), STRONG))
    at_one = found[0, 1]
    assert (found[STRONG > 1.0] < at_one).all()
    assert np.nanmin(found) == 0.0
    assert np.nanmin(encode(STRONG, "unclipped", 2.0 * STRONG)) == 0.0  # cut where training ends


@pytest.mark.parametrize("activation", [1.0, "unclipped"])
def test_neurons_respond_to_the_end_of_the_input_and_as_long_as_the_horizon(
    monkeypatch, activation
):
    large_digits.install(monkeypatch)
    how = cell(activation=activation, images=20, tests=5, horizon=7.0)
    outputs = mnist_trials.SpikingOutputs(how, 0)
    patterns, _ = outputs.spikes["train"]
    assert outputs.trainer.until == patterns.durations.max() + 7.0
    strongest = mnist_trials.load_parts(how, 0)["train"][0].max()
    assert strongest > 1.0
    length = DURATION * (strongest if activation == "unclipped" else 1.0)
    assert outputs.trainer.until == pytest.approx(length + 7.0)


def test_filters_are_those_of_the_network_that_a_cell_names(monkeypatch):
    large_digits.install(monkeypatch)
    plain = mnist_trials.load_parts(cell(images=5), 0)["train"][0]
    asked = []

    def shipped(network="relu"):
        asked.append(network)
        return [Filters(np.zeros((6, 5, 5)), np.full(6, bias)) for bias in (0.1, 0.2, 0.3)]

    monkeypatch.setattr(large_digits.features, "shipped_filters", shipped)
    found = [mnist_trials.load_parts(cell(images=5, filters="tanh"), s)["train"][0] for s in (1, 3)]
    assert set(asked) == {"tanh"}
    np.testing.assert_allclose(found[0], 0.2, rtol=1e-6)
    np.testing.assert_allclose(found[1], 0.1, rtol=1e-6)  # three sets serve all trials
    assert not np.allclose(plain, 0.1)


class KnownCounts(CountCode):
    """Counts that are given, whatever the weights."""

    COUNTS = np.array(
        [
            [3, 3, 0],
            [3, 3, 0],
            [2, 2, 2],
            [0, 0, 0],
            [0, 0, 0],
            [1, 5, 4],
            [0, 2, 1],
        ],
        float,
    )
    DIGITS = np.array([0, 1, 2, 2, 0, 2, 1])

    def _counts(self, reader, patterns, *, contested):
        return self.COUNTS


@pytest.mark.parametrize(
    ("ties", "right"),
    [
        ("", [1, 0, 0, 0, 1, 0, 1]),
        (mnist.AMONG, [1, 1, 1, 1, 1, 0, 1]),
        (mnist.AMONG_SPIKING, [1, 1, 1, 0, 0, 0, 1]),
    ],
)
def test_readings_of_equal_counts(ties, right):
    outputs = mnist_trials.SpikingOutputs.__new__(mnist_trials.SpikingOutputs)
    outputs.weights, outputs._average = np.zeros((3, 4)), False
    outputs.spikes = {"test": (None, KnownCounts.DIGITS)}
    outputs.trainer = SimpleNamespace(neuron=None, until=DURATION)
    outputs._code = KnownCounts(3, 10, at_least=False, graded=False)
    first, *others = outputs.accuracies("test", [ties] if ties else [])
    assert (others or [first])[0] == pytest.approx(np.mean(right))
    assert first == outputs.accuracies("test")[0]


def test_all_silent_is_right_for_every_digit_or_for_none(monkeypatch):
    monkeypatch.setattr(KnownCounts, "COUNTS", np.zeros((4, 3)))
    monkeypatch.setattr(KnownCounts, "DIGITS", np.array([0, 1, 2, 1]))
    for ties, right in (
        ("", [1, 0, 0, 0]),
        (mnist.AMONG, [1] * 4),
        (mnist.AMONG_SPIKING, [0] * 4),
    ):
        test_readings_of_equal_counts(ties, right)
