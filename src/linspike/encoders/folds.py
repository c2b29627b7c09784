"""Folds: stretches of a recording that are presented at once, each on channels of its own."""

from __future__ import annotations

from typing import Any

from linspike._typing import Floats, Ints
from linspike.spikes.pattern_set import PatternSet


def fold_spikes(
    patterns: PatternSet, fold: Ints, times: Floats, folds: int, stretch: Any
) -> PatternSet:
    """Return the patterns with spike i at times[i] of stretch fold[i].

    Stretch f of channel c comes on channel ``f * n_channels + c``; a pattern lasts `stretch`.
    """
    width = patterns.n_channels
    channels = fold * width + patterns.channels
    return PatternSet.sorted(times, channels, patterns.offsets, folds * width, stretch)
