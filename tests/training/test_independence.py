"""How near patterns are to independent ones, and what DTA chooses by it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from tests.support.estimator_kinds import numbers

import linspike as ls
from linspike.study.tasks import decoding
from linspike.training.measures import MOST_PATTERNS
from linspike.training.measures import independence_of as measure
from linspike.training.prepare import horizons_of, max_drives

NEURON = ls.SRM()
CONSTANTS = ls.Trainer(NEURON)._constants


def independence_of(patterns, constants, until):
    horizons = horizons_of(patterns._ragged, until)
    return measure(patterns, constants, max_drives(patterns._ragged, constants, horizons)[1])


def random_patterns(n, *, rate=0.02, n_channels=80, duration=60.0, seed=0):
    shape = {"n_channels": n_channels, "duration": duration, "rate": rate}
    return ls.poisson_patterns(n, **shape, rng=np.random.default_rng(seed))


def clouds(seed=0):
    data, labels = numbers(3, spread=0.2, seed=seed)
    return ls.PopulationEncoder().fit(data).transform(data), ls.SpikeCounts(labels)


def naive_independence(patterns):
    """The definition, by eigenvalues."""
    peaks = []
    for pattern in patterns:
        at = np.linspace(0.0, pattern.duration, 6001)
        rows = NEURON.design(pattern, at)
        peaks.append(rows[np.argmax((rows**2).sum(axis=1))])
    rows = np.array(peaks)
    eigenvalues = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    ratio = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
    return ratio * (1.0 / (len(patterns) - 1) + 1.0 / np.count_nonzero(rows.any(axis=0)))


@pytest.mark.parametrize("rate", [0.002, 0.02, 0.2])
@pytest.mark.parametrize("n", [10, 40])
def test_it_is_as_defined(rate, n):
    patterns = random_patterns(n, rate=rate)
    found = independence_of(patterns, CONSTANTS, None)
    assert found == pytest.approx(naive_independence(patterns), rel=1e-3)


@pytest.mark.parametrize("rate", [0.005, 0.02, 0.2])
@pytest.mark.parametrize(("n", "n_channels"), [(10, 500), (60, 200), (300, 100), (300, 20)])
def test_random_patterns_are_independent(rate, n, n_channels):
    patterns = random_patterns(n, rate=rate, n_channels=n_channels)
    assert 0.9 < independence_of(patterns, CONSTANTS, None) < 1.1


def test_patterns_of_classes_are_not():
    assert independence_of(clouds()[0], CONSTANTS, None) < 0.8
    data, _ = load_iris(return_X_y=True)
    iris = ls.PopulationEncoder().fit(data).transform(data)
    assert independence_of(iris, CONSTANTS, None) < 0.3


@pytest.mark.parametrize(
    "patterns",
    [
        random_patterns(1)[[0] * 12],
        ls.PatternSet([], [], [0] * 13, n_channels=3, duration=10.0),
    ],
)
def test_equal_and_silent_patterns_count_as_alike(patterns):
    assert independence_of(patterns, CONSTANTS, None) < 0.2


def test_a_large_set_is_judged_by_some_of_its_patterns():
    patterns = random_patterns(3 * MOST_PATTERNS)
    chosen = np.linspace(0, len(patterns) - 1, MOST_PATTERNS).astype(int)
    parts = independence_of(patterns[chosen], CONSTANTS, None)
    assert independence_of(patterns, CONSTANTS, None) == parts


def learn(count_target, patterns, targets, **options):
    trainer = ls.Trainer(NEURON, ls.DTA(count_target=count_target), max_epochs=8)
    weights = np.random.default_rng(1).normal(0.01, 0.01, patterns.n_channels)
    return trainer.fit(weights, patterns, targets, **options).weights


def test_independent_patterns_are_learned_in_their_metric():
    _, patterns, targets = decoding(3, 60, n_channels=100)
    assert np.array_equal(*(learn(name, patterns, targets) for name in ("auto", "whitened")))


def test_alike_patterns_and_times_are_learned_by_halving():
    assert np.array_equal(*(learn(name, *clouds()) for name in ("auto", "halving")))
    few = random_patterns(9), ls.SpikeCounts(np.arange(9) % 3)
    assert np.array_equal(*(learn(name, *few) for name in ("auto", "halving")))
    patterns = random_patterns(12)
    times = ls.SpikeTimes([[20.0, 50.0]] * 12)
    assert np.array_equal(*(learn(name, patterns, times) for name in ("auto", "halving")))


def test_each_chain_chooses_for_its_own_patterns():
    alike, targets = clouds()
    sets = [alike, random_patterns(30, n_channels=alike.n_channels), alike]
    weights = np.full((3, alike.n_channels), 0.1)
    trainer = ls.Trainer(NEURON, max_epochs=5)
    together = trainer.fit_many(weights, sets, targets, seeds=[1, 2, 3])
    for one, row, patterns, seed in zip(together, weights, sets, (1, 2, 3), strict=True):
        alone = trainer.fit(row, patterns, targets, seed=seed)
        assert np.array_equal(one.weights, alone.weights)


def test_chains_in_a_batch_choose_as_one():
    _, patterns, _ = decoding(5, 40, n_channels=60)
    weights = np.random.default_rng(2).normal(0.02, 0.01, (8, 60))
    targets = [ls.SpikeCounts((np.arange(40) + i) % 3) for i in range(8)]
    results = [
        ls.Trainer(NEURON, ls.DTA(count_target=name), max_epochs=4).fit_many(
            weights, patterns, targets, seeds=[7] * 8
        )
        for name in ("auto", "whitened")
    ]
    for one, other in zip(*results, strict=True):
        assert np.array_equal(one.weights, other.weights)


def test_a_trajectory_takes_the_steps_of_a_fit():
    _, patterns, targets = decoding(3, 30, n_channels=50)
    weights = np.full(50, 0.1)
    paths = [
        ls.Trainer(NEURON, ls.DTA(count_target=name)).trajectory(
            weights, patterns, targets, steps=9
        )
        for name in ("auto", "whitened")
    ]
    assert np.array_equal(*paths)
