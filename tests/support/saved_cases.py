"""Classifiers of many kinds, to be saved."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from tests.support.estimator_kinds import numbers, spikes
from tests.support.samples import RASTERS

import linspike as ls

X, Y = numbers()
PATTERNS, LABELS = spikes()
BINARY = np.arange(5) % 2
NAMES = np.array(["low", "middle", "high"])
POPULATION = ls.PopulationEncoder(n_fields=4, beta=2.0, outside="error", silent_below=0.05)
RULE = ls.DTA(bound=np.float32(0.25))
# What is to be saved, and what it learned from.
CASES = {
    "plain": ({}, X, Y),
    "population": ({"encoder": POPULATION, "rule": RULE, "until": 30.0}, X, NAMES[Y]),
    "latency": ({"encoder": ls.LatencyEncoder(20.0), "ties": "paper"}, np.abs(X), Y == 1),
    "raster": ({"encoder": ls.RasterEncoder(5.0, folds=7)}, RASTERS, BINARY),
    "flat raster": (
        {"encoder": ls.RasterEncoder(5.0, "channel_time", 4)},
        RASTERS.reshape(5, 28),
        BINARY,
    ),
    "spikes": ({"neuron": ls.SRM(12.0, 3.0, 0.7), "target": "exact"}, PATTERNS, NAMES[LABELS]),
    "objects": ({"class_weight": {"low": 2.0}}, PATTERNS, NAMES[LABELS].astype(object)),
    "times": ({"code": "times", "spikes": 2, "until": 50.0}, PATTERNS, LABELS - 5),
    "stopped": (
        {
            "early_stopping": True,
            "validation_fraction": 0.25,
            "class_weight": {-1: 2, 0: np.int64(3)},
        },
        PATTERNS,
        LABELS - 1,
    ),
    "endless": ({"until": np.inf, "verbose": np.False_}, PATTERNS, LABELS),
    "schedule": ({"schedule": ls.training.Inverse(0.5)}, PATTERNS, LABELS),
    "pair": ({"schedule": (1.5, np.float32(0.5))}, PATTERNS, LABELS),
}


def fitted(case, **more):
    settings, data, labels = CASES[case]
    how = {"max_iter": 3, "random_state": 0, **settings, **more}
    return ls.SpikeClassifier(**how).fit(data, labels)


@cache
def whole(case):
    """The bytes of a saved classifier."""
    with tempfile.TemporaryDirectory() as folder:
        fitted(case).save(Path(folder) / "m.npz")
        return (Path(folder) / "m.npz").read_bytes()
