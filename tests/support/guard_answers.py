"""Estimators whose answers are frozen in tests/golden/guards.json."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.datasets import load_digits, load_iris
from tests.support.guard_values import digest, digest_text, rounded, shown

import linspike as ls

X, Y = load_iris(return_X_y=True)
HALF, REST = slice(None, 120, 2), slice(1, None, 2)  # of the last class fewer to learn from
# Name: settings of the classifier.
CLASSIFIERS = {
    "default": {},
    "times": {"code": "times", "spikes": 3},
    "exact, ties as in the paper": {"target": "exact", "ties": "paper", "spikes": 3},
    "population of 6": {"encoder": ls.PopulationEncoder(n_fields=6, silent_below=0.1)},
    "population, beta 2, 80 ms": {"encoder": ls.PopulationEncoder(beta=2.0, duration=80.0)},
    "latency": {"encoder": ls.LatencyEncoder(), "spikes": 3},
    "decay, until 70": {"schedule": ls.training.Inverse(0.2), "until": 70.0},
    "early stopping": {"early_stopping": True, "validation_fraction": 0.2, "n_iter_no_change": 2},
    "balanced": {"class_weight": "balanced"},
    "class_weight": {"class_weight": {0: 1.0, 1: 2.0, 2: 0.5}},
    "gradient": {"rule": ls.DTA(count_target="gradient")},
    "critical": {"rule": ls.DTA(count_target="critical"), "spikes": 2},
    "paper": {"rule": ls.DTA.paper(), "max_iter": 4},
    "emlc": {"rule": "emlc"},
    "mst": {"rule": "mst"},
    "neuron": {"neuron": ls.SRM(tau_m=15.0, tau_s=3.0)},
}
MAPPERS = {"paper": {}, "strict": {"criterion": "strict"}, "psd": {"rule": "psd"}}
PATTERNS = ls.poisson_patterns(3, n_channels=100, duration=200.0, rate=0.01, rng=0)
DESIRED = (
    ls.SpikeTimes([[50.0, 120.0], [80.0], [60.0, 150.0]]),
    ls.SpikeTimes([[], [40.0, 90.0, 170.0], [100.0]]),
)


def new(threads, **settings):
    """A classifier of few epochs."""
    start = {"init": (0.01, 0.01), "random_state": 0}
    return ls.SpikeClassifier(**{**start, "max_iter": 6, "n_jobs": threads, **settings})


def described(model, values, labels):
    """Predictions, decision values and history of a classifier."""
    decisions = model.decision_function(values)
    return {
        "weights": digest(model.weights_),
        "predictions": digest_text(*map(str, model.predict(values))),
        "decisions": digest(decisions),
        "history": digest(*(model.history_[name] for name in sorted(model.history_))),
        "epochs": int(model.n_iter_),
        "converged": bool(model.converged_),
        "score": rounded(model.score(values, labels)),
        "shown": shown(decisions),
    }


def classify(threads, settings):
    """Learn from one part of Iris, answer the other."""
    return described(new(threads, **settings).fit(X[HALF], Y[HALF]), X[REST], Y[REST])


def classify_parts(threads):
    """Learn Iris in three parts, twice."""
    model = new(threads, class_weight={0: 1.0, 1: 2.0, 2: 0.5})
    for part in (0, 1, 2, 0, 1, 2):
        model.partial_fit(X[part::3], Y[part::3], classes=[0, 1, 2])
    return described(model, X, Y)


def classify_on(threads):
    """Learn two classes of Iris, then go on with a warm start."""
    two = Y < 2
    model = new(threads, warm_start=True, max_iter=1, spikes=3)
    return described(model.fit(X[two], Y[two]).fit(X[two], Y[two]), X[two], Y[two])


def classify_rasters(threads):
    """Learn digits as rasters on delay lines."""
    images, labels = load_digits(n_class=3, return_X_y=True)
    rasters = (images.reshape(-1, 8, 8) > 8.0).astype(float)
    encoder = ls.RasterEncoder(dt=4.0, folds=2)
    model = new(threads, encoder=encoder, max_iter=3, spikes=3)
    return described(model.fit(rasters[::4], labels[::4]), rasters[1::4], labels[1::4])


def map_trains(threads, settings):
    """Learn trains of two neurons; return digests of the answers."""
    start = {"init": (0.01, 0.01), "random_state": 0}
    made = {**start, "max_iter": 40, "n_jobs": threads, **settings}
    model = ls.SpikeMapper(**made).fit(PATTERNS, list(DESIRED))
    trains = [np.asarray(train.times) for trains in model.predict(PATTERNS) for train in trains]
    return {
        "weights": digest(model.weights_),
        "trains": digest(np.concatenate(trains), [train.size for train in trains]),
        "history": digest(*(model.history_[name] for name in sorted(model.history_))),
        "epochs": int(model.n_iter_),
        "converged": bool(model.converged_),
        "score": rounded(model.score(PATTERNS, list(DESIRED))),
        "shown": shown(model.weights_),
    }


def responses(threads):
    """Name and maker of every guarded estimator, as {name: () -> what it answers}."""
    made = {
        f"classifier: {name}": lambda settings=settings: classify(threads, settings)
        for name, settings in CLASSIFIERS.items()
    }
    made["classifier: partial_fit"] = lambda: classify_parts(threads)
    made["classifier: warm start, two classes"] = lambda: classify_on(threads)
    made["classifier: rasters"] = lambda: classify_rasters(threads)
    for name, settings in MAPPERS.items():
        made[f"mapper: {name}"] = lambda settings=settings: map_trains(threads, settings)
    return {name: lambda make=make: quietly(make) for name, make in made.items()}


def quietly(make):
    """Call without the warning that few epochs were too few."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make()
