"""The metric of whitened counts beside its definition."""

import numpy as np
import pytest
from tests.support.naive import metric_of
from tests.support.step_inputs import N_CHANNELS, NEURON, Scene, patterns_of

import linspike as ls
from linspike.kernels.training.whitening import apply_metric
from linspike.training import measures

RULE = ls.DTA(count_target="whitened")


@pytest.mark.parametrize("width", [60, 30, 20])
def test_the_metric_is_the_naive_one(width, monkeypatch):
    monkeypatch.setattr(measures, "MOST_WIDTH", width)
    patterns = patterns_of(1)
    metric = Scene(RULE, patterns, ls.SpikeCounts([1, 2, 3])).constants.metric
    assert metric.shape == (N_CHANNELS, width)
    found = np.empty((N_CHANNELS, N_CHANNELS))
    for c, row in enumerate(np.eye(N_CHANNELS)):
        apply_metric(metric, row, found[c])
    naive = metric_of(patterns, NEURON.tau_m, NEURON.tau_s, width)
    assert np.allclose(found, naive, rtol=1e-4, atol=1e-6)


def test_silent_patterns_have_one():
    patterns = ls.PatternSet(np.empty(0), np.empty(0, int), [0, 0], n_channels=4, duration=20.0)
    metric = Scene(RULE, patterns, ls.SpikeCounts([1])).constants.metric
    assert np.array_equal(metric, np.eye(4))
