"""What a chain has learned, and how it went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training import chain


@dataclass(frozen=True, eq=False)
class History:
    """One value an epoch.

    Attributes
    ----------
    accuracy : share of right answers at the end of the epoch
    distance : mean van Rossum distance, or mean error of the count
    stepped : share of patterns that needed a step
    fallback, dead : share of those steps that took the second choice, or met a dead pattern
    norm : Euclidean norm of the weights
    """

    accuracy: Floats
    distance: Floats
    stepped: Floats
    fallback: Floats
    dead: Floats
    norm: Floats

    @classmethod
    def of(cls, table: Floats) -> History:
        """From the kernel's table."""
        columns = (
            chain.ACCURACY,
            chain.DISTANCE,
            chain.STEPPED,
            chain.FELL_BACK,
            chain.DIED,
            chain.NORM,
        )
        return cls(*(np.array(table[:, column]) for column in columns))

    def __len__(self) -> int:
        return self.accuracy.size


@dataclass(frozen=True, eq=False)
class FitResult:
    """Outcome of one chain.

    Attributes
    ----------
    weights : what was learned
    converged : whether every answer was right at the end
    epochs : how many were used; 0 if all was right from the start
    reason : why learning ended, in words
    interrupted : whether it was cut short from outside
    stopped : whether an interrupt came while it ran, in time to cut it short or not
    history : per epoch, if asked for
    """

    weights: Floats
    converged: bool
    epochs: int
    reason: str
    interrupted: bool = False
    history: History | None = None
    stopped: bool = False

    def __repr__(self) -> str:
        return f"FitResult(converged={self.converged}, epochs={self.epochs}, {self.reason!r})"


def whole(results: list[FitResult]) -> list[FitResult]:
    """The results as they are; if an interrupt cut one short, it goes on its way from here.

    The trainer hands back what was learned so far. Where only whole chains count, that must not be
    taken for a chain that failed.
    """
    if any(result.interrupted for result in results):
        raise KeyboardInterrupt
    return results
