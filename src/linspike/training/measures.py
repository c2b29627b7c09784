"""Measures of a set of patterns that rules for counts go by: how alike they are, and in what."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rows.windows import fill_desired_rows
from linspike.kernels.training.protocol import NeuronConstants
from linspike.kernels.training.whitening import fill_metric, mean_square
from linspike.neuron.decay_tables import events_of, remember
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.ragged import Ragged

MOST_PATTERNS = 256  # spread over the set; time and memory grow with their square
MOST_WIDTH = 512  # channels of a block of the metric: memory and time grow with its square
SAMPLES_PER_PATTERN, MOST_SAMPLES = 8, 8192  # rows that the metric is the mean of


def independence_of(patterns: PatternSet, constants: NeuronConstants, times: Floats) -> float:
    """Return about 1 for independent patterns, less where they differ along few directions only.

    Of the rows X(t) at each pattern's peak drive, without their mean, it is the participation
    ratio as a share of what it is for independent rows.
    """
    ragged = patterns._ragged
    key = ("independence", constants.m, times.tobytes())
    kept = ragged.tables.get(key)
    if kept is not None:
        return kept  # type: ignore[no-any-return]
    n = min(MOST_PATTERNS, len(patterns))
    chosen = np.linspace(0, len(patterns) - 1, n).astype(np.int64)
    times = times[chosen]
    sample = patterns[chosen]._ragged
    rows = np.empty((n, ragged.n_channels))
    events = events_of(sample, constants.m)
    fill_desired_rows(events, times, np.arange(n + 1), constants.psp, constants.m, rows)
    n_driven = int(rows.any(axis=0).sum())
    rows -= rows.mean(axis=0)
    gram = rows @ rows.T
    squares = float(np.sum(gram * gram))
    value = 0.0
    if squares > 0.0:
        ratio = float(np.trace(gram)) ** 2 / squares
        value = ratio * (1.0 / (n - 1) + 1.0 / n_driven)
    remember(ragged, key, value)
    return value


def metric_of(
    ragged: Ragged, constants: NeuronConstants, horizons: Floats, times: Floats
) -> Floats:
    """Return the metric M of (66) for these patterns with these peak times; it is kept."""
    key = ("metric", constants.m, horizons.tobytes())
    kept = ragged.tables.get(key)
    if kept is not None:
        return kept  # type: ignore[no-any-return]
    n = ragged.n_channels
    width = -(-n // -(-n // MOST_WIDTH))  # blocks of one size, as few as can be
    metric, rows = np.empty((n, width)), np.empty((2, n))
    n_samples = min(SAMPLES_PER_PATTERN * horizons.size, MOST_SAMPLES)
    if horizons.size > n_samples:  # of a large set, those patterns that have a sample
        chosen = np.arange(n_samples) * horizons.size // n_samples
        ragged_of_samples = PatternSet._view(ragged)[chosen]._ragged
        horizons, times = horizons[chosen], times[chosen]
    else:
        ragged_of_samples = ragged
    events, psp, m = events_of(ragged_of_samples, constants.m), constants.psp, constants.m
    fill_metric(events, horizons, psp, m, n_samples, rows, np.empty((width, width)), metric)
    # In the mean, rows at the peak drive are as long as without the metric: so are steps.
    square = mean_square(events, times, psp, m, metric, rows)
    if square > 0.0:
        metric *= constants.mean_max_drive / square
    remember(ragged, key, metric)
    return metric
