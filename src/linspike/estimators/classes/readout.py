"""Codes: how neurons name a class, by the number of their spikes or by their times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_flag, check_integer
from linspike.kernels.trains.distances import VRD_TAU, van_rossum_squared
from linspike.neuron.graded import graded_counts
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.prepare import Targets

# Temperatures of the softmax in units of the margin: where none was fitted, and those to choose
# from. Samples that were learned without an error would ask for 0; of others the smallest is about
# the best on Iris, Wine, Digits and simulated recordings.
FIRST_TEMPERATURE = 0.2
TEMPERATURES = 2.0 ** np.arange(-3.0, 3.25, 0.25)
MOST_SAMPLES = 1000  # to fit a temperature to

ONSET = 0.2  # of the duration: before it hardly any input has arrived


@dataclass(frozen=True)
class Reader:
    """Neurons whose responses a code reads."""

    neuron: SRM
    weights: Floats
    until: float | None
    threads: int
    delays: Floats | None = None


class Code(ABC):
    """From class indices to targets, and from responses back to class indices."""

    n_neurons: int
    at_least: bool

    @property
    @abstractmethod
    def margin(self) -> float:
        """How much the score of the right class is to exceed those of the others."""

    @abstractmethod
    def targets(self, labels: Ints) -> list[Targets]:
        """Return the targets of each neuron for patterns of these classes."""

    @abstractmethod
    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """Return a score for each class, (patterns, classes)."""

    def decide(self, reader: Reader, patterns: PatternSet) -> Ints:
        """Return the class with the largest score."""
        return np.asarray(self.scores(reader, patterns).argmax(axis=1), np.int64)

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Return what a file holds, for `restore_code`."""


@dataclass(frozen=True)
class CountCode(Code):
    """One neuron per class, with spikes for its own class and none for all others."""

    n_neurons: int
    spikes: int
    at_least: bool
    graded: bool

    @property
    def margin(self) -> float:
        """Number of spikes for the own class."""
        return float(self.spikes)

    def targets(self, labels: Ints) -> list[Targets]:
        """Return `spikes` for a neuron's own class, 0 for others."""
        own = [labels == neuron for neuron in range(self.n_neurons)]
        return [SpikeCounts(np.where(mine, self.spikes, 0)) for mine in own]

    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """Return graded counts, or the counts themselves."""
        return self._counts(reader, patterns, contested=False)

    def decide(self, reader: Reader, patterns: PatternSet) -> Ints:
        """Return the neuron with most spikes; only shared first places need grades."""
        counts = self._counts(reader, patterns, contested=True)
        return np.asarray(counts.argmax(axis=1), np.int64)

    def settings(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)

    def _counts(self, reader: Reader, patterns: PatternSet, *, contested: bool) -> Floats:
        neuron, weights = reader.neuron, reader.weights
        how = {"until": reader.until, "threads": reader.threads, "delays": reader.delays}
        if self.graded:
            return graded_counts(neuron, weights, patterns, contested=contested, **how).T  # type: ignore[arg-type]
        return neuron.respond_many(weights, patterns, **how).counts.T.astype(float)  # type: ignore[arg-type]


@dataclass(frozen=True)
class TimeCode(Code):
    """One neuron per class, with a given train for its own class and no spikes for all others.

    The neuron whose response is nearest to its train, by van Rossum's distance, names the class.
    """

    trains: tuple[SpikeTrain, ...]
    at_least: bool = False

    @property
    def n_neurons(self) -> int:  # type: ignore[override]
        """Number of trains."""
        return len(self.trains)

    @property
    def margin(self) -> float:
        """Mean distance of the trains from silence."""
        silence = np.empty(0)
        squared = [van_rossum_squared(np.array(t.times), silence, VRD_TAU) for t in self.trains]
        return float(np.sqrt(squared).mean())

    def targets(self, labels: Ints) -> list[Targets]:
        """Return a neuron's train for its own class, silence for others."""
        silence = SpikeTrain([])
        return [
            SpikeTimes([train if label == neuron else silence for label in labels])
            for neuron, train in enumerate(self.trains)
        ]

    def scores(self, reader: Reader, patterns: PatternSet) -> Floats:
        """Return minus the distance of each neuron's response to its train."""
        responses = reader.neuron.respond_many(
            reader.weights,
            patterns,
            delays=reader.delays,
            until=reader.until,
            threads=reader.threads,
        )
        squared = [
            [
                van_rossum_squared(np.array(response.times), desired, VRD_TAU)
                for response in responses[neuron]
            ]
            for neuron, desired in enumerate(np.array(train.times) for train in self.trains)
        ]
        return -np.sqrt(squared).T

    def settings(self) -> dict[str, Any]:
        """Return the times and ends of all trains."""
        return {"trains": [[train.times.tolist(), train.duration] for train in self.trains]}


def log_probabilities(scores: Floats, temperature: float) -> Floats:
    """Return the logarithm of the softmax of scores, (patterns, classes), at a temperature."""
    logits = scores / temperature
    logits -= logits.max(axis=1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))


def fit_temperature(scores: Floats, labels: Ints, weights: Floats | None, margin: float) -> float:
    """Return the temperature with the least log loss for these labels, an eighth of the margin on.

    Parameters
    ----------
    scores : array of float, (patterns, classes)
        Scores of patterns that were learned.
    labels : array of int
        Their classes.
    weights : array of float or None
        Their weights in the loss.
    margin : float
        Unit of the temperatures, `Code.margin`.
    """
    rows = np.arange(len(labels))
    losses = [
        -np.average(log_probabilities(scores, each * margin)[rows, labels], weights=weights)
        for each in TEMPERATURES
    ]
    return float(TEMPERATURES[np.argmin(losses)] * margin)


def restore_code(stored: dict[str, Any]) -> Code:
    """Return the code whose settings a file holds."""
    if "trains" in stored:
        return TimeCode(tuple(SpikeTrain(times, end) for times, end in stored["trains"]))
    code = CountCode(**stored)
    check_integer(code.spikes, "spikes", "load_model", least=1)
    for name in ("at_least", "graded"):
        check_flag(stored[name], name, "load_model")
    return code


def class_trains(n_classes: int, spikes: int, duration: float) -> tuple[SpikeTrain, ...]:
    """Return one train per class: evenly spaced spikes, as far out of phase as they can be."""
    gap = (1.0 - ONSET) * duration / spikes
    beats = ONSET * duration + gap * np.arange(spikes)
    phases = gap * (np.arange(n_classes) + 0.5) / n_classes
    return tuple(SpikeTrain(beats + phase, duration) for phase in phases)
