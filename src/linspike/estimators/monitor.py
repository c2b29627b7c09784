"""Monitoring of a fit: scores after every epoch, and when to stop by them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from linspike._typing import Floats
from linspike.training.result import Ending, FitResult

INTERRUPTED = "interrupted: the weights are those of the last whole epoch"
BEST_KEPT = "stopped early: the weights are those of the epoch with the best validation accuracy"


class InterruptWarning(ConvergenceWarning):  # type: ignore[misc]
    """Says that Ctrl-C cut a fit short, and that its last whole epoch was kept."""


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt if a fit in the block is interrupted.

    For studies and commands, where a fit that was cut short must not count as a whole one.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", InterruptWarning)
        try:
            yield
        except InterruptWarning:
            raise KeyboardInterrupt from None


class EpochScores(NamedTuple):
    """Scores of an estimator after an epoch, as `on_epoch` of its `fit` is called with them.

    Attributes
    ----------
    epoch : int
        Number of epochs done, those of earlier fits included.
    last : int
        Number of epochs after which this fit ends at the latest.
    scores : dict of float
        What `history_` holds, of this epoch.
    """

    epoch: int
    last: int
    scores: dict[str, float]

    @property
    def text(self) -> str:
        """The scores as text."""
        values = (f"{name.replace('_', ' ')} {score:.3f}" for name, score in self.scores.items())
        return ", ".join(values)

    def __str__(self) -> str:
        return f"epoch {self.epoch} of {self.last}: {self.text}"


OnScores = Callable[[EpochScores], bool | None]


class BestWeights:
    """Keep the weights with the best score, with their delays, and count the epochs since.

    Parameters
    ----------
    patience : int
        Number of epochs without a better score that are enough.
    """

    def __init__(self, patience: int) -> None:
        self.patience, self.waited = patience, 0
        self.score, self.weights = -np.inf, np.empty((0, 0))
        self.delays: Floats | None = None

    def update(self, score: float, weights: Floats, delays: Floats | None = None) -> bool:
        """Take the score of an epoch; return whether it is time to stop."""
        if score > self.score:
            self.score, self.weights, self.waited = score, weights, 0
            self.delays = delays
        else:
            self.waited += 1
        return self.waited >= self.patience


def name_reasons(results: list[FitResult], epochs: int, whole: int) -> list[str]:
    """Return why each neuron ended, where `epochs` were the most there could be in this call.

    `whole` of them have their scores: an interrupt may have come before those of the last one.
    """
    stopped = Ending.STOPPED.value.format(epochs=epochs)
    in_words = Ending.NOT_CONVERGED.value.format(max_epochs=epochs)
    cut_short = Ending.INTERRUPTED.value.format(epochs=whole)
    return [
        cut_short if result.interrupted else in_words if result.reason == stopped else result.reason
        for result in results
    ]
