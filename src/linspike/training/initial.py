"""Initial weights: normal, of a fixed size or of one that follows the drive of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike._typing import Floats, Ints
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes

INITIAL = 0.01  # mean and deviation of initial weights, in thresholds
MOST_PAIRS = 256  # of a neuron and a pattern, of which the drive is measured


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


def scale_to_drive(
    neuron: SRM,
    weights: Floats,
    patterns: PatternSet,
    targets: Sequence[SpikeTimes | SpikeCounts],
    *,
    until: float | None = None,
) -> Floats:
    """Return the weights times a factor with which half of the responses have enough spikes.

    Weights times g have the spikes that weights alone have at the threshold over g. So the factor
    is the threshold over the median of critical thresholds, each of the desired count of its
    pattern. It is measured on patterns spread evenly over the set.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float, (neurons, channels)
        Weights of the right shape and any size.
    patterns : PatternSet
        The inputs.
    targets : list of SpikeTimes or SpikeCounts
        One per neuron. Patterns with no desired spike do not matter.
    until : float, optional
        Horizon, as for `SRM.respond`.
    """
    counts = np.array([_count_spikes(target) for target in targets])
    pairs = np.argwhere(counts > 0)
    if not len(pairs):
        return weights
    kept = np.unique(np.linspace(0, len(pairs) - 1, MOST_PAIRS).astype(np.int64))
    thresholds = [
        neuron.critical_threshold(
            weights[g], patterns[int(p)], k=int(counts[g, p]), until=until
        ).value
        for g, p in pairs[kept]
    ]
    median = float(np.median(thresholds))
    # Where the drive is negative or missing for most, no factor gives a spike.
    return weights * (neuron.threshold / median) if median > 0.0 else weights


def _count_spikes(targets: SpikeTimes | SpikeCounts) -> Ints:
    """Return the desired number of spikes of each pattern."""
    if isinstance(targets, SpikeCounts):
        return targets.counts
    return np.diff(targets._offsets)
