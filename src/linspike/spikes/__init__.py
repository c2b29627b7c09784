"""Spikes in and out: patterns, trains, targets, generators, distances."""

from linspike.spikes.distances import (
    Alignment,
    SpikeMatch,
    match_spikes,
    van_rossum,
    victor_purpura,
    vrd_bound,
)
from linspike.spikes.generators import jitter, poisson_patterns, poisson_trains
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.targets import SpikeCounts, SpikeTimes

__all__ = [
    "Alignment",
    "Pattern",
    "PatternSet",
    "SpikeCounts",
    "SpikeMatch",
    "SpikeTimes",
    "SpikeTrain",
    "jitter",
    "match_spikes",
    "poisson_patterns",
    "poisson_trains",
    "van_rossum",
    "victor_purpura",
    "vrd_bound",
]
