"""How classes are named: targets, and scores from answers."""

import itertools

import numpy as np
import pytest

import linspike as ls
from linspike.estimators.classes.readout import CountCode, Reader, TimeCode, class_trains

LABELS = np.array([0, 2, 1, 2])


@pytest.fixture
def reader():
    weights = np.random.default_rng(0).normal(0.1, 0.2, (3, 20))
    return Reader(ls.SRM(), weights, None, 1)


@pytest.fixture
def patterns():
    return ls.poisson_patterns(9, n_channels=20, duration=80.0, rate=0.02, rng=1)


@pytest.mark.parametrize(("n_classes", "spikes"), [(2, 2), (3, 10), (10, 1)])
def test_trains_of_classes_are_apart(n_classes, spikes):
    trains = class_trains(n_classes, spikes, 50.0)
    assert [len(train) for train in trains] == [spikes] * n_classes
    together = np.sort(np.concatenate([train.times for train in trains]))
    assert together[0] > 10.0
    assert together[-1] < 50.0
    assert np.allclose(np.diff(together), 40.0 / (n_classes * spikes))
    assert all(ls.van_rossum(a, b) > 0.0 for a, b in itertools.combinations(trains, 2))


def test_targets_of_counts():
    targets = CountCode(3, 4, at_least=True, graded=True).targets(LABELS)
    assert [target.counts.tolist() for target in targets] == [
        [4, 0, 0, 0],
        [0, 0, 4, 0],
        [0, 4, 0, 4],
    ]


def test_targets_of_times():
    trains = class_trains(3, 2, 50.0)
    targets = TimeCode(trains).targets(LABELS)
    assert [target.counts.tolist() for target in targets] == [
        [2, 0, 0, 0],
        [0, 0, 2, 0],
        [0, 2, 0, 2],
    ]
    assert targets[2][1] == targets[2][3] == trains[2]
    assert not TimeCode(trains).at_least


def test_scores_of_counts(reader, patterns):
    counts = reader.neuron.respond_many(reader.weights, patterns).counts.T
    bare = CountCode(3, 4, at_least=True, graded=False)
    assert np.array_equal(bare.scores(reader, patterns), counts)
    assert np.array_equal(bare.decide(reader, patterns), counts.argmax(axis=1))
    graded = CountCode(3, 4, at_least=True, graded=True)
    scores = graded.scores(reader, patterns)
    assert np.array_equal(scores, ls.graded_counts(reader.neuron, reader.weights, patterns).T)
    assert np.array_equal(graded.decide(reader, patterns), scores.argmax(axis=1))
    assert not np.array_equal(scores.argmax(axis=1), counts.argmax(axis=1))  # ties there were


def test_scores_of_times(reader, patterns):
    trains = class_trains(3, 3, 80.0)
    code = TimeCode(trains)
    responses = reader.neuron.respond_many(reader.weights, patterns)
    expected = [
        [-ls.van_rossum(responses[neuron, p], trains[neuron]) for neuron in range(3)]
        for p in range(len(patterns))
    ]
    assert np.allclose(code.scores(reader, patterns), expected, rtol=1e-12, atol=0.0)
    assert np.array_equal(code.decide(reader, patterns), np.argmax(expected, axis=1))


def test_the_horizon_holds_for_both_codes(reader, patterns):
    early = Reader(reader.neuron, reader.weights, 20.0, 1)
    counts = reader.neuron.respond_many(reader.weights, patterns, until=20.0).counts.T
    for graded in (True, False):
        scores = CountCode(3, 4, at_least=True, graded=graded).scores(early, patterns)
        assert np.array_equal(np.floor(scores), counts)
    silent = TimeCode(class_trains(3, 2, 80.0))
    alone = -ls.van_rossum(ls.SpikeTrain([]), silent.trains[0])
    assert (
        silent.scores(Reader(reader.neuron, 0.0 * reader.weights, 20.0, 1), patterns) == alone
    ).all()
