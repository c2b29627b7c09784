"""Learning of classes: targets of the neurons, factors of the steps, early stopping."""

from __future__ import annotations

from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.estimators.base import Scores
from linspike.estimators.classes.labels import class_indices
from linspike.estimators.classes.reader import ClassReader
from linspike.estimators.classes.readout import (
    FIRST_TEMPERATURE,
    MOST_SAMPLES,
    Code,
    CountCode,
    TimeCode,
    class_trains,
    fit_temperature,
)
from linspike.estimators.classes.samples import Samples, class_factors, step_factors
from linspike.estimators.monitor import BEST_KEPT, BestWeights, EpochScores, OnScores
from linspike.spikes.pattern_set import PatternSet
from linspike.training.schedule import CONSTANT


class ClassLearner(ClassReader):
    """Neurons that learn to name a class; parameters and their checks are the subclass's."""

    spikes: int
    code: str
    target: str
    ties: str
    schedule: Any
    n_iter_no_change: int
    class_weight: Any

    def _samples(self, values: Any, labels: Any, weights: Floats | None) -> Samples:
        """Return checked samples, without those of weight 0."""
        return Samples(values, class_indices(labels, self.classes_), weights).drop_weightless()

    def _step_factors(self, samples: Samples, weights: Floats | None) -> Floats | None:
        """Return the factor of the steps on each sample; weights are at most 1."""
        by_class = class_factors(self.class_weight, samples.indices, self.classes_)
        return step_factors(by_class, weights)

    def _begin(self, samples: Samples) -> PatternSet:
        """Begin with neurons that have learned nothing yet; return the patterns to learn from."""
        patterns = self._fit_encoder(samples.values)
        self.code_ = self._new_code(patterns)
        self.temperature_ = FIRST_TEMPERATURE * self.code_.margin
        self._start(patterns, self.code_.targets(samples.indices))
        return patterns

    def _new_code(self, patterns: PatternSet) -> Code:
        n_classes, spikes = len(self.classes_), int(self.spikes)
        if self.code == "counts":
            return CountCode(n_classes, spikes, self.target == "at_least", self.ties == "graded")
        end = float(patterns.durations.min()) if self.until is None else float(self.until)
        return TimeCode(class_trains(n_classes, spikes, end))

    def _learn(
        self,
        samples: Samples,
        held_out: Samples | None,
        step_factor: Floats | None,
        *,
        epochs: int,
        on_epoch: OnScores | None,
    ) -> bool:
        """Train for up to so many epochs; with samples held out, keep the best weights.

        Returns whether training was interrupted.
        """
        watched = {"accuracy": samples}
        if held_out is not None:
            held_out = held_out._replace(values=self._encode(held_out.values))
            watched["validation_accuracy"] = held_out
        self.history_ = {name: np.empty(0) for name in watched}
        best = BestWeights(self.n_iter_no_change)

        def score() -> Scores:
            return {name: self._accuracy(part) for name, part in watched.items()}

        def stop_early(epoch: EpochScores) -> bool:
            return best.update(epoch.scores["validation_accuracy"], self.weights_, self.delays_)

        if held_out is not None and self.n_iter_:
            # What was learned before may stay the best.
            best.update(score()["validation_accuracy"], self.weights_, self.delays_)
        interrupted = self._train(
            samples.values,
            self.code_.targets(samples.indices),
            score,
            [on_epoch, None if held_out is None else stop_early],
            epochs=epochs,
            step_factor=step_factor,
            numbers=samples.numbers,
            at_least=self.code_.at_least,
            schedule=CONSTANT if self.schedule is None else self.schedule,
        )
        if best.weights.size and best.weights is not self.weights_:
            self.weights_, self.delays_, self.converged_ = best.weights, best.delays, False
            self.reason_ = [BEST_KEPT] * len(best.weights)
        return interrupted

    def _fit_temperature(self, samples: Samples) -> None:
        """Fit the temperature to encoded samples; after an interrupt it stays as it is."""
        try:
            self.temperature_ = self._find_temperature(samples)
        except KeyboardInterrupt:  # what was learned before must not be lost
            self._warn_interrupted()

    def _find_temperature(self, samples: Samples) -> float:
        """Return the temperature for encoded samples, of which some are enough."""
        n = len(samples.indices)
        if n > MOST_SAMPLES:
            samples = samples.take(np.linspace(0, n - 1, MOST_SAMPLES).astype(np.int64))
        scores = self._read(self.code_.scores, samples.values)
        margin = self.code_.margin
        return fit_temperature(scores, samples.indices, samples.weights, margin)
