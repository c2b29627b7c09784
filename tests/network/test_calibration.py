"""Scales of random weights: counts against a scan, signs, and neurons that nothing drives."""

import numpy as np
import pytest

import linspike as ls
from linspike.network.calibration import calibrate

PATTERNS = ls.poisson_patterns(20, n_channels=6, duration=100.0, rate=0.03, rng=1)


def spikes_of(neuron, weights, patterns):
    return neuron.respond_many(weights, patterns).counts.sum(axis=1)


@pytest.mark.parametrize("rate", [0.05, 1.0, 3.0, 12.5])
@pytest.mark.parametrize("neuron", [ls.SRM(), ls.SRM(8.0, 3.0, 250.0), ls.SRM(15.0, 1.0, 1e-3)])
def test_the_number_of_spikes_is_the_desired_one(rate, neuron):
    weights = np.random.default_rng(0).normal(size=(40, 6))
    scaled = calibrate(neuron, weights, PATTERNS, rate, "test")
    counts = spikes_of(neuron, scaled, PATTERNS)
    far = np.abs(counts - 20.0 * rate) > max(0.5, 0.01 * 20.0 * rate)
    assert far.mean() < 0.1
    if not far.any():
        return
    # There two spikes come at once: just below it are too few, just above it too many.
    fewer, more = (spikes_of(neuron, f * scaled[far], PATTERNS) for f in (1 - 1e-6, 1 + 1e-6))
    assert ((fewer < 20.0 * rate) & (more > 20.0 * rate) & (more - fewer > 1)).all()
    # Each row is scaled, and nothing else; those that nothing made fire have changed their sign.
    scales = scaled / weights
    np.testing.assert_allclose(scales, scales[:, :1] * np.ones(6), rtol=1e-12)


def test_every_scale_is_one_that_a_scan_finds():
    weights = np.random.default_rng(1).normal(size=(5, 6))
    scaled = calibrate(ls.SRM(), weights, PATTERNS, 2.0, "test")
    found = np.abs(scaled[:, 0] / weights[:, 0])
    for row, scale in zip(weights * np.sign(scaled[:, :1] * weights[:, :1]), found, strict=True):
        scan = np.linspace(0.5, 2.0, 400) * scale
        right = spikes_of(ls.SRM(), scan[:, np.newaxis] * row, PATTERNS) == 40
        inside = scan[right]
        assert inside.min() <= scale <= inside.max()


def test_inhibition_alone_changes_its_sign():
    weights = -np.ones((2, 6))
    scaled = calibrate(ls.SRM(), weights, PATTERNS, 3.0, "test")
    assert (scaled > 0.0).all()
    assert spikes_of(ls.SRM(), scaled, PATTERNS).tolist() == [60, 60]


def test_where_two_spikes_come_at_once_the_nearer_number_is_taken():
    # Two equal patterns: their spikes appear together, so that only even numbers are possible.
    twice = ls.PatternSet.from_patterns([PATTERNS[0], PATTERNS[0]])
    scaled = calibrate(ls.SRM(), np.ones((1, 6)), twice, 1.5, "test")
    assert spikes_of(ls.SRM(), scaled, twice)[0] in (2, 4)


def test_neurons_that_nothing_drives():
    late = ls.PatternSet([50.0, 50.0], [0, 1], [0, 2], 2, 50.0)
    message = "test: 3 of 3 neurons stay silent on these patterns, however large .* before their e"
    with pytest.raises(ls.SpikeDataError, match=message):
        calibrate(ls.SRM(), np.ones((3, 2)), late, 3.0, "test")
    one = ls.PatternSet([5.0], [0], [0, 1], 2, 50.0)
    with pytest.raises(ls.SpikeDataError, match="test: 1 of 2 neurons stay silent"):
        calibrate(ls.SRM(), np.array([[0.0, 1.0], [1.0, 0.0]]), one, 3.0, "test")
