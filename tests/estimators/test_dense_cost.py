"""What an epoch costs for each input spike: dense events against sparse patterns."""

import time

import numpy as np
import pytest

import linspike as ls
from linspike.datasets import moving_sensor_events

SAMPLES = 60
EPOCHS = 4


LABELS = np.random.default_rng(1).permutation(np.arange(SAMPLES) % 10)  # learned by heart


def draw_bars():
    """Images with a bar each, at ten angles."""
    rows, columns = np.mgrid[-14:14, -14:14] + 0.5
    angles = (np.pi * np.arange(SAMPLES) / 10)[:, np.newaxis, np.newaxis]
    distance = np.abs(rows * np.cos(angles) - columns * np.sin(angles))
    return 255 * ((distance < 2.0) & (np.hypot(rows, columns) < 11))


def epoch_per_spike(patterns):
    """Seconds of an epoch for an input spike: the difference of long and short fits."""

    def fit(epochs):
        begun = time.process_time()
        clf = ls.SpikeClassifier(spikes=3, max_iter=epochs, random_state=0, n_jobs=1)
        assert clf.fit(patterns, LABELS).n_iter_ == epochs
        return time.process_time() - begun

    fit(1)  # decays are prepared, code is loaded
    shortest = [min(fit(epochs) for _ in range(5)) for epochs in (1, 1 + EPOCHS)]
    return (shortest[1] - shortest[0]) / EPOCHS / len(patterns.times)


@pytest.mark.parametrize("pool", [2, 4])
def test_dense_events_cost_no_more_for_a_spike_than_sparse_ones(pool):
    events = moving_sensor_events(draw_bars().astype(np.uint8), rng=0)
    dense = ls.PoolEvents((34, 34, 2), pool).fit_transform(events)
    rng = np.random.default_rng(0)
    sparse = ls.poisson_patterns(SAMPLES, n_channels=500, duration=300.0, rate=0.005, rng=rng)
    assert len(dense.times) > 2 * len(sparse.times)
    assert epoch_per_spike(dense) < 2.0 * epoch_per_spike(sparse)
