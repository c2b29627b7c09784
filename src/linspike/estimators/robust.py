"""Training on disturbed copies of the patterns, for responses that survive deployment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike._typing import Floats
from linspike.spikes.generators import jitter
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts
from linspike.training.prepare import Targets

COPIES = 4  # of each pattern, beside the pattern itself


def add_copies(
    patterns: PatternSet,
    targets: Sequence[Targets],
    step_factor: Floats | None,
    sd: float,
    seed: Sequence[int],
) -> tuple[PatternSet, list[Targets], Floats | None]:
    """Return the samples and `COPIES` copies of each, whose spikes are moved by Gaussian noise.

    A response that is right for all of them is right with a margin: spikes are moved by a grid
    too, and a change of weights moves the potential as a change of spikes does. With sd = 0 all
    stays as it is.

    Parameters
    ----------
    patterns : PatternSet
        What to learn from.
    targets : list of SpikeTimes or SpikeCounts
        Targets of each neuron; those of a copy are those of its pattern.
    step_factor : array of float, optional
        Factor of the steps on each pattern.
    sd : float
        Standard deviation of the noise in milliseconds.
    seed : list of int
        Decides the noise.
    """
    if sd == 0.0:
        return patterns, list(targets), step_factor
    random = np.random.default_rng(seed)
    copies = [jitter(patterns, sd, rng=random) for _ in range(COPIES)]
    factors = None if step_factor is None else np.tile(step_factor, COPIES + 1)
    repeated = [_repeat(target) for target in targets]
    return PatternSet.concatenate([patterns, *copies]), repeated, factors


def _repeat(target: Targets) -> Targets:
    if isinstance(target, SpikeCounts):
        return SpikeCounts(np.tile(target.counts, COPIES + 1))
    return type(target)(list(target) * (COPIES + 1))
