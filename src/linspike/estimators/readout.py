"""How neurons name a class: by the number of their spikes, or by when they come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.trains.criterion import VRD_TAU
from linspike.kernels.trains.distances import van_rossum_squared
from linspike.neuron.graded import graded_counts
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.prepare import Targets

ONSET = 0.2  # of the duration: before it hardly any input has arrived


@dataclass(frozen=True)
class Reader:
    """Neurons as they answer: what every code reads from."""

    neuron: SRM
    weights: Floats
    until: float | None
    threads: int


class Code(ABC):
    """From class numbers to targets, and from answers back to class numbers."""

    n_neurons: int
    at_least: bool

    @abstractmethod
    def targets(self, labels: Ints) -> list[Targets]:
        """What each neuron is to answer to patterns of these classes."""

    @abstractmethod
    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """How much speaks for each class, (patterns, classes)."""

    def decide(self, reader: Reader, patterns: PatternSet) -> Ints:
        """The class with the largest score."""
        return np.asarray(self.scores(reader, patterns).argmax(axis=1), np.int64)


@dataclass(frozen=True)
class CountCode(Code):
    """One neuron per class, which answers its own class with spikes and all others with none."""

    n_neurons: int
    spikes: int
    at_least: bool
    graded: bool

    def targets(self, labels: Ints) -> list[Targets]:
        """Spikes for its own class, 0 for others."""
        own = [labels == neuron for neuron in range(self.n_neurons)]
        return [SpikeCounts(np.where(mine, self.spikes, 0)) for mine in own]

    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """Graded counts, or the counts themselves."""
        return self._counts(reader, patterns, contested=False)

    def decide(self, reader: Reader, patterns: PatternSet) -> Ints:
        """The neuron with most spikes; only shared first places need grades."""
        counts = self._counts(reader, patterns, contested=True)
        return np.asarray(counts.argmax(axis=1), np.int64)

    def _counts(self, reader: Reader, patterns: PatternSet, *, contested: bool) -> Floats:
        neuron, weights = reader.neuron, reader.weights
        how = {"until": reader.until, "threads": reader.threads}
        if self.graded:
            return graded_counts(neuron, weights, patterns, contested=contested, **how).T  # type: ignore[arg-type]
        return neuron.respond_many(weights, patterns, **how).counts.T.astype(float)  # type: ignore[arg-type]


@dataclass(frozen=True)
class TimeCode(Code):
    """One neuron per class, which answers its own class with a given train, others with nothing.

    The neuron whose answer is nearest to its train, by van Rossum's distance, names the class.
    """

    trains: tuple[SpikeTrain, ...]
    at_least: bool = False

    @property
    def n_neurons(self) -> int:  # type: ignore[override]
        """One for each train."""
        return len(self.trains)

    def targets(self, labels: Ints) -> list[Targets]:
        """Its train for its own class, silence for others."""
        silence = SpikeTrain([])
        return [
            SpikeTimes([train if label == neuron else silence for label in labels])
            for neuron, train in enumerate(self.trains)
        ]

    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """Minus the distance of each neuron's answer to its train."""
        responses = reader.neuron.respond_many(
            reader.weights, patterns, until=reader.until, threads=reader.threads
        )
        squared = [
            [
                van_rossum_squared(np.array(response.times), desired, VRD_TAU)
                for response in responses[neuron]
            ]
            for neuron, desired in enumerate(np.array(train.times) for train in self.trains)
        ]
        return -np.sqrt(squared).T


def class_trains(n_classes: int, spikes: int, duration: float) -> tuple[SpikeTrain, ...]:
    """Trains as different as they can be with as many spikes each: evenly spaced, out of phase."""
    gap = (1.0 - ONSET) * duration / spikes
    beats = ONSET * duration + gap * np.arange(spikes)
    phases = gap * (np.arange(n_classes) + 0.5) / n_classes
    return tuple(SpikeTrain(beats + phase, duration) for phase in phases)
