"""Tasks are pure functions of their seed, and larger ones contain smaller ones."""

import numpy as np
import pytest

from linspike.study import decoding, encoding
from linspike.study.tasks import latency_encoding


@pytest.mark.parametrize("make", [encoding, decoding, latency_encoding])
def test_a_seed_decides_everything(make):
    one, same, other = make(3, 4), make(3, 4), make(4, 4)
    assert (one.weights == same.weights).all()
    assert one.patterns == same.patterns
    assert one.targets == same.targets
    assert (one.weights != other.weights).any()
    assert one.patterns != other.patterns


@pytest.mark.parametrize("make", [encoding, decoding, latency_encoding])
def test_a_larger_load_contains_the_smaller(make):
    few, many = make(3, 4), make(3, 9)
    assert few.patterns == many.patterns[:4]
    assert few.targets.counts.tolist() == many.targets.counts[:4].tolist()
    assert (few.weights == many.weights).all()


def test_what_the_tasks_ask_for():
    _, patterns, targets = encoding(0, 200)
    rate = np.mean([len(train) for train in targets]) / 400.0
    assert rate == pytest.approx(0.005, rel=0.15)
    gaps = np.concatenate([np.diff(train.times) for train in targets])
    assert gaps.min() >= 5.0
    assert min(train.times[0] for train in targets if len(train)) >= 10.0
    assert patterns.times.size / (200 * 400.0 * 500) == pytest.approx(0.005, rel=0.05)
    weights, _, counts = decoding(0, 12, n_classes=4)
    assert counts.counts.tolist() == [1, 2, 3, 4] * 3
    assert weights.mean() == pytest.approx(0.01, abs=0.002)


def test_latencies_and_spikes_keep_their_gaps():
    weights, patterns, targets = latency_encoding(0, 30, n_channels=20, n_spikes=3)
    assert weights.size == 20
    assert all(sorted(pattern.channels) == list(range(20)) for pattern in patterns)
    times = np.array([train.times for train in targets])
    assert times.shape == (30, 3)
    assert np.diff(times, axis=1).min() >= 5.0
    assert times.min() >= 10.0
    assert max(times.max(), patterns.times.max()) <= 100.0
    assert np.quantile(patterns.times, [0.25, 0.75]) == pytest.approx([25.0, 75.0], abs=4.0)
    _, _, single = latency_encoding(0, 5, n_spikes=1)
    assert single.counts.tolist() == [1] * 5


def test_plain_poisson_trains_on_request():
    _, _, targets = encoding(0, 400, min_gap=0.0, min_onset=0.0)
    gaps = np.concatenate([np.diff(train.times) for train in targets])
    assert gaps.min() < 1.0
