"""Small sets of samples that belong to classes, as numbers and as spikes."""

import numpy as np

import linspike as ls


def spikes(n_classes=3, n_samples=24, n_channels=30, seed=0):
    """Poisson templates, one a class, with jittered copies; labels 0, 1, ..."""
    rng = np.random.default_rng(seed)
    shape = {"n_channels": n_channels, "duration": 60.0, "rate": 0.02}
    templates = ls.poisson_patterns(n_classes, **shape, rng=rng)
    labels = np.arange(n_samples) % n_classes
    return ls.jitter(templates[labels], 2.0, rng=rng), labels


def numbers(n_classes=3, n_samples=30, spread=0.6, seed=0):
    """Clouds around corners, three features; labels 0, 1, ..."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_samples) % n_classes
    centres = 2.0 * np.eye(4)[:, :3]
    return centres[labels] + rng.normal(0.0, spread, (n_samples, 3)), labels


def noise(n_samples=40, seed=0):
    """Spikes whose labels nothing tells: no epoch is the last."""
    rng = np.random.default_rng(seed)
    shape = {"n_channels": 8, "duration": 60.0, "rate": 0.02}
    return ls.poisson_patterns(n_samples, **shape, rng=rng), np.arange(n_samples) % 2


X, Y = numbers()
QUICK = {"max_iter": 3, "random_state": 0}


def made(**settings):
    """A classifier that learns for a moment only."""
    return ls.SpikeClassifier(**{**QUICK, **settings})


def same(one, other):
    """Whether two fitted classifiers cannot be told apart."""
    assert one.weights_.tobytes() == other.weights_.tobytes()
    assert (one.n_iter_, one.seed_, one.converged_) == (
        other.n_iter_,
        other.seed_,
        other.converged_,
    )
    return True
