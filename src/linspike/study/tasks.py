"""The synthetic tasks of the capacity studies, as pure functions of a seed.

Every pattern and every desired train has a random stream of its own, so a task with more patterns
contains the one with fewer: loads, like rules, are compared on the same random numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.spikes.generators import poisson_patterns, poisson_trains
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes

WEIGHTS, PATTERNS, TRAINS = range(3)  # kinds of random streams
RATE = 0.005
MIN_GAP, MIN_ONSET = 5.0, 10.0


class Task(NamedTuple):
    """One chain's data: `trainer.fit(*task, seed=...)`."""

    weights: Floats
    patterns: PatternSet
    targets: SpikeTimes | SpikeCounts


def encoding(
    seed: int,
    n_patterns: int,
    *,
    duration: float = 400.0,
    n_channels: int = 500,
    rate: float = RATE,
    min_gap: float = MIN_GAP,
    min_onset: float = MIN_ONSET,
) -> Task:
    """Return random patterns with desired spike times.

    Parameters
    ----------
    seed : int
        Seed of weights, patterns and trains.
    n_patterns : int
        The load.
    duration : float
        Length of each pattern.
    n_channels : int
        Number of inputs.
    rate : float
        Spikes per millisecond, of each input and of the desired trains.
    min_gap, min_onset : float
        Least distance of desired spikes from each other and from the beginning; 0 for neither.
    """
    streams = [_make_stream(seed, TRAINS, index) for index in range(n_patterns)]
    trains = [
        poisson_trains(
            1, duration=duration, rate=rate, min_gap=min_gap, min_onset=min_onset, rng=rng
        )[0]
        for rng in streams
    ]
    patterns = _make_patterns(seed, n_patterns, duration, n_channels, rate)
    return Task(initial_weights(seed, n_channels), patterns, SpikeTimes(trains))


def latency_encoding(
    seed: int,
    n_patterns: int,
    *,
    n_channels: int = 50,
    duration: float = 100.0,
    n_spikes: int = 2,
    min_gap: float = MIN_GAP,
    min_onset: float = MIN_ONSET,
) -> Task:
    """Return patterns of one spike per channel, each with so many desired times; see `encoding`.

    Spikes and desired times are uniform, these drawn again until they keep the gap.
    """
    streams = [_make_stream(seed, PATTERNS, index) for index in range(n_patterns)]
    times = np.array([rng.uniform(0.0, duration, n_channels) for rng in streams])
    patterns = PatternSet.from_latencies(times, duration)
    trains = [
        _draw_train(_make_stream(seed, TRAINS, index), n_spikes, min_onset, duration, min_gap)
        for index in range(n_patterns)
    ]
    return Task(initial_weights(seed, n_channels), patterns, SpikeTimes(trains))


def _draw_train(
    rng: np.random.Generator, n_spikes: int, begin: float, end: float, min_gap: float
) -> Floats:
    while True:
        train = np.sort(rng.uniform(begin, end, n_spikes))
        if n_spikes < 2 or np.diff(train).min() >= min_gap:
            return train


def decoding(
    seed: int,
    n_patterns: int,
    *,
    duration: float = 50.0,
    n_classes: int = 5,
    n_channels: int = 500,
    rate: float = RATE,
) -> Task:
    """Return random patterns with desired counts 1 to n_classes, in turn; see `encoding`."""
    patterns = _make_patterns(seed, n_patterns, duration, n_channels, rate)
    counts = SpikeCounts(np.arange(n_patterns) % n_classes + 1)
    return Task(initial_weights(seed, n_channels), patterns, counts)


def initial_weights(seed: int, n_channels: int) -> Floats:
    """Return the weights that every rule starts from: N(0.01, 0.01)."""
    return _make_stream(seed, WEIGHTS, 0).normal(0.01, 0.01, n_channels)


def _make_patterns(
    seed: int, n_patterns: int, duration: float, n_channels: int, rate: float
) -> PatternSet:
    streams = [_make_stream(seed, PATTERNS, index) for index in range(n_patterns)]
    return PatternSet.concatenate(
        [
            poisson_patterns(1, n_channels=n_channels, duration=duration, rate=rate, rng=rng)
            for rng in streams
        ]
    )


def _make_stream(seed: int, kind: int, index: int) -> np.random.Generator:
    return np.random.default_rng([seed, kind, index])
