"""Initial weights: normal, of a fixed size or of one that follows the drive of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike._typing import Floats, Ints
from linspike.neuron.decay_tables import pick_pattern
from linspike.neuron.srm import SRM
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes

INITIAL = 0.01  # mean and deviation of initial weights, in thresholds
MOST_PATTERNS = 32  # of each neuron, spread over all, of which the drive is measured
MOST_ROUNDS = 5  # in which the mean is enlarged
NEAR_ENOUGH = 1.1  # a factor for all weights, mean and differences
ROUNDING = 1e-12  # so that the response of the median has its spikes in spite of rounding


def initial_weights(
    neuron: SRM,
    n_neurons: int,
    n_channels: int,
    seed: int,
    *,
    mean: float = INITIAL,
    deviation: float = INITIAL,
) -> Floats:
    """Return weights of neurons that have learned nothing yet, (neurons, channels).

    They are normal; mean and deviation are in thresholds.
    """
    rng, unit = np.random.default_rng(seed), neuron.threshold
    return rng.normal(mean * unit, deviation * unit, (n_neurons, n_channels))


def driven_weights(
    neuron: SRM,
    patterns: PatternSet,
    targets: Sequence[SpikeTimes | SpikeCounts],
    seed: int,
    *,
    until: float | None = None,
) -> Floats:
    """Return initial weights with which about half of the responses have enough spikes.

    Weights times g have the spikes that the weights have at the threshold over g. So the weights of
    a neuron are multiplied by the threshold over the median of critical thresholds, each for the
    desired count of its pattern. Where that would enlarge them, their mean alone is enlarged:
    larger differences would only have to be unlearned. A neuron of which no spike is desired starts
    as if every pattern should have as many as are desired of any. One that most patterns cannot
    drive has weights of `initial_weights`.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    patterns : PatternSet
        The inputs.
    targets : list of SpikeTimes or SpikeCounts
        One per neuron. Patterns of which no spike is desired do not matter, if others are.
    seed : int
        Seed of the weights.
    until : float, optional
        Horizon, as for `SRM.respond`.
    """
    weights = initial_weights(neuron, len(targets), patterns.n_channels, seed)
    desired = [_count_spikes(target) for target in targets]
    most = max(1, *(int(counts.max()) for counts in desired))
    for row, own in zip(weights, desired, strict=True):
        counts = own if own.any() else np.full(own.size, most)
        driving = np.flatnonzero(counts)
        places = np.linspace(0, driving.size - 1, min(MOST_PATTERNS, driving.size))
        chosen = driving[places.astype(np.int64)]
        cases = [(pick_pattern(patterns, int(p), neuron._membrane), int(counts[p])) for p in chosen]
        row[:] = _follow_drive(neuron, row, cases, until)
    return weights


def _follow_drive(
    neuron: SRM, start: Floats, cases: list[tuple[Pattern, int]], until: float | None
) -> Floats:
    """Return the weights of a neuron, enlarged or reduced to its drive."""
    weights, mean = start, INITIAL * neuron.threshold
    for last in [False] * MOST_ROUNDS + [True]:
        found = [neuron.critical_threshold(weights, p, k=k, until=until).value for p, k in cases]
        median = float(np.median(found))
        if median == 0.0:
            return start
        factor = neuron.threshold / median
        if last or factor < NEAR_ENOUGH:
            break
        mean *= factor
        weights = start - INITIAL * neuron.threshold + mean
    return weights * (factor * (1.0 + ROUNDING))


def _count_spikes(targets: SpikeTimes | SpikeCounts) -> Ints:
    """Return the desired number of spikes of each pattern."""
    if isinstance(targets, SpikeCounts):
        return targets.counts
    return np.diff(targets._offsets)
