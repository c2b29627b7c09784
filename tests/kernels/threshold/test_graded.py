"""Grades of single neurons, beside thresholds found by plain halving."""

import math
import os

import numpy as np
from tests.support import strategies

import linspike as ls
from linspike.kernels.simulation.batch import BatchInput
from linspike.kernels.simulation.event_loop import respond_one
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.graded import TOLERANCE, grade, grade_patterns
from linspike.neuron.decay_tables import events_of, make_presented

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CASES = 16 if UNCOMPILED else 300
NEURON = ls.SRM()
THRESHOLD, MEMBRANE = NEURON._scaled_threshold, NEURON._membrane


def cases():
    rng = np.random.default_rng(0)
    for case in range(CASES):
        size = {"n_channels": 12, "n_inputs": 30, "duration": 60.0}
        weights, pattern = strategies.random_case(rng, **size, mean=0.05 + 0.1 * (case % 4))
        events = events_of(pattern._ragged, MEMBRANE)
        until = 60.0 if case % 2 else 35.0
        count, _ = respond_one(events, 0, until, weights, THRESHOLD, MEMBRANE, np.empty(200))
        yield events, until, weights, count


def critical(events, until, weights, k):
    """Largest threshold with k spikes, by halving from one that gives none."""
    low, high = 0.0, 100.0 * THRESHOLD
    buffer = np.empty(k)
    for _ in range(70):
        middle = 0.5 * (low + high)
        n = respond_one(events, 0, until, weights, middle, MEMBRANE, buffer)[0]
        low, high = (middle, high) if n >= k else (low, middle)
    return low


def test_place_between_two_critical_thresholds():
    seen = set()
    for events, until, weights, count in cases():
        span = span_until(events, 0, until, MEMBRANE)
        buffer = np.empty(count + 1)
        found = grade(events, span, weights, THRESHOLD, MEMBRANE, count, buffer)
        seen.add(min(count, 2))
        if count == 0:
            assert abs(found - critical(events, until, weights, 1) / THRESHOLD) <= 1e-12
            continue
        most = critical(events, until, weights, count)
        wide = math.log(most / critical(events, until, weights, count + 1))
        assert abs(found - math.log(most / THRESHOLD) / wide) <= 4 * TOLERANCE / wide
        assert 0.0 <= found < 1.0
    assert UNCOMPILED or seen == {0, 1, 2}


def test_only_what_is_selected_is_graded():
    patterns = ls.poisson_patterns(4, n_channels=5, duration=40.0, rate=0.05, rng=0)
    weights = np.random.default_rng(1).normal(0.2, 0.2, (3, 5))
    events = events_of(patterns._ragged, MEMBRANE)

    def count(weights, p):
        return respond_one(events, p, 40.0, weights, THRESHOLD, MEMBRANE, np.empty(99))[0]

    counts = np.array([[count(row, p) for p in range(4)] for row in weights])
    selected = np.arange(12).reshape(3, 4) % 3 > 0
    grades, buffer = np.full((3, 4), -1.0), np.empty(counts.max() + 1)
    caps = np.full(4, 99)
    given = BatchInput(events, np.full(4, 40.0), caps, THRESHOLD, MEMBRANE)
    none = np.empty((3, 0)), make_presented(events)
    grade_patterns(given, (1, 3), weights, *none, counts, selected, grades, buffer)
    done = selected & np.array([False, True, True, False])
    assert (grades[~done] == -1.0).all()
    assert (grades[done] >= 0.0).all()
    for neuron, p in np.argwhere(done):
        span = span_until(events, p, 40.0, MEMBRANE)
        alone = (events, span, weights[neuron], THRESHOLD, MEMBRANE, counts[neuron, p], buffer)
        assert grades[neuron, p] == grade(*alone)
