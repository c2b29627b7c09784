"""Noisy copies in training: what they are, what they change, what they leave alone."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import linspike as ls
from linspike.estimators.robust import COPIES, add_copies

X, Y = load_iris(return_X_y=True)
PATTERNS = ls.poisson_patterns(10, n_channels=200, duration=200.0, rate=0.01, rng=0)


def test_copies_repeat_targets_and_factors():
    rng = np.random.default_rng(0)
    trains = [np.sort(rng.uniform(20.0, 180.0, 2)) for _ in PATTERNS]
    targets = [ls.SpikeCounts(np.arange(10)), ls.SpikeTimes(trains)]
    factors = np.linspace(0.1, 1.0, 10)
    found, repeated, scaled = add_copies(PATTERNS, targets, factors, 1.0, (3, 0))
    times = (COPIES + 1) * 10
    assert len(found) == times
    assert found[:10] == PATTERNS
    moved = np.abs(found[10:20].times - PATTERNS.times)
    assert 0.3 < np.median(moved) < 1.0  # sorted anew, so a little less than the noise
    assert repeated[0].counts.tolist() == list(range(10)) * (COPIES + 1)
    assert np.array_equal(repeated[1][23].times, trains[3])
    assert scaled.tolist() == factors.tolist() * (COPIES + 1)
    again = add_copies(PATTERNS, targets, None, 1.0, (3, 0))
    assert again[0] == found
    assert again[2] is None
    assert add_copies(PATTERNS, targets, None, 1.0, (3, 1))[0] != found


def test_without_noise_nothing_is_copied():
    targets = [ls.SpikeCounts(np.arange(10))]
    found, repeated, factors = add_copies(PATTERNS, targets, None, 0.0, (0, 0))
    assert found is PATTERNS
    assert repeated == targets
    assert factors is None


def test_spike_times_survive_a_grid_better():
    rng = np.random.default_rng(1)
    slots = np.arange(20.0, 195.0, 15.0)
    desired = [
        ls.SpikeTimes([np.sort(rng.choice(slots, 2, replace=False)) for _ in PATTERNS])
        for _ in range(6)
    ]
    rows = []
    for jitter in (0.0, 1.0):
        mapper = ls.SpikeMapper(
            criterion="strict", max_iter=500, jitter=jitter, random_state=0
        ).fit(PATTERNS, desired)
        assert mapper.score(PATTERNS, desired) == 1.0
        rows.append(ls.deploy_check(mapper, PATTERNS, dts=[1.0]).rows[0])
    plain, robust = rows
    assert robust.count_changed < plain.count_changed
    assert robust.median_error < 0.75 * plain.median_error


def test_classifiers_too():
    encoder = ls.PopulationEncoder(duration=100.0)
    changed = []
    for jitter in (0.0, 1.0):
        clf = ls.SpikeClassifier(encoder, spikes=5, jitter=jitter, random_state=0).fit(X, Y)
        assert clf.score(X, Y) > 0.9
        changed.append(ls.deploy_check(clf, X, dts=[1.0]).rows[0].count_changed)
    assert changed[1] < changed[0]


def test_partial_fit_class_weights_and_files(tmp_path):
    clf = ls.SpikeClassifier(jitter=0.5, class_weight={0: 1, 1: 2, 2: 1}, random_state=0)
    clf.partial_fit(X, Y, classes=[0, 1, 2]).partial_fit(X, Y)
    clf.save(tmp_path / "m.npz")
    again = ls.load_model(tmp_path / "m.npz")
    assert again.jitter == 0.5
    assert np.array_equal(again.predict(X), clf.predict(X))


@pytest.mark.parametrize("jitter", [-1.0, np.nan, np.inf, "1", None])
def test_bad_noise(jitter):
    for estimator in (ls.SpikeClassifier, ls.SpikeMapper):
        message = f"'jitter' parameter of {estimator.__name__} must be finite and at least 0"
        with pytest.raises(ls.ParameterError, match=message):
            estimator(jitter=jitter).fit(PATTERNS, [[50.0]] * 10)
