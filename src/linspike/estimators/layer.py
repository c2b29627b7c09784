"""Neurons that learn side by side, an epoch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.spikes.pattern_set import PatternSet
from linspike.training.prepare import Targets
from linspike.training.trainer import Trainer

INITIAL = 0.01  # mean and deviation of initial weights, in thresholds


@dataclass
class Layer:
    """A row of neurons, each with targets of its own for the same patterns in the same order.

    Attributes
    ----------
    trainer : what teaches each of them, one epoch at a time
    weights : (neurons, channels)
    seed : decides the order of presentation, together with the epoch
    epochs : how many are done
    decay : steps of epoch e, counted from 0, are 1/(1 + decay e) of the rule's
    """

    trainer: Trainer
    weights: Floats
    seed: int
    epochs: int = 0
    decay: float = 0.0

    @classmethod
    def new(cls, trainer: Trainer, n_neurons: int, n_channels: int, seed: int) -> Layer:
        """Untrained neurons; their weights depend on the seed alone."""
        rng = np.random.default_rng(seed)
        scale = INITIAL * trainer.neuron.threshold
        return cls(trainer, rng.normal(scale, scale, (n_neurons, n_channels)), seed)

    def learn_epoch(
        self, patterns: PatternSet, targets: Sequence[Targets], scales: Floats | None, threads: int
    ) -> bool:
        """Present every pattern once; says whether all answers were right before or after.

        An interrupt leaves weights and epochs as they were.
        """
        if self.decay:
            whole_steps = np.ones(len(patterns)) if scales is None else scales
            scales = whole_steps / (1.0 + self.decay * self.epochs)
        results = self.trainer.fit_many(
            self.weights,
            patterns,
            targets,
            seeds=[self.seed] * len(self.weights),
            step_scale=scales,
            first_epoch=self.epochs,
            threads=threads,
        )
        # The trainer ends a chain at its next epoch, and these have only one: whether it was cut
        # short or not, the interrupt goes on its way.
        if any(result.stopped for result in results):
            raise KeyboardInterrupt
        self.weights = np.stack([result.weights for result in results])
        self.epochs += any(result.epochs > 0 for result in results)
        return all(result.converged for result in results)


class BestSoFar:
    """Keeps the weights with the best score and notices when it no longer improves."""

    def __init__(self, patience: int) -> None:
        self.patience, self.waited = patience, 0
        self.score, self.weights = -np.inf, np.empty((0, 0))

    def __call__(self, score: float, weights: Floats) -> bool:
        """Whether to stop."""
        if score > self.score:
            self.score, self.weights, self.waited = score, weights, 0
        else:
            self.waited += 1
        return self.waited >= self.patience
