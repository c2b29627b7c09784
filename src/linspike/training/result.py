"""Results of training: what a chain learned, how it ended, how it went."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Bools, Floats
from linspike.kernels.training import state


class Ending(Enum):
    """Ways in which a chain can end; the values are the sentences shown as `FitResult.reason`.

    What stands in braces is filled in.
    """

    #: Every response met the criterion.
    CONVERGED = "all responses right"
    #: `max_epochs` are over and some responses are still wrong.
    NOT_CONVERGED = "not converged within {max_epochs} epochs"
    #: A weight became infinite or NaN.
    NOT_FINITE = "weights no longer finite after {epochs} epochs"
    #: Most patterns had far too many spikes for five epochs in a row, or a hundred wrong responses
    #: of one epoch were cut off, one after the other, while the weights did not fall.
    RAN_AWAY = "ran away in epoch {epochs}: far too many spikes for one pattern after the other"
    #: Ctrl-C.
    INTERRUPTED = "interrupted after {epochs} epochs"
    #: `on_epoch` returned True.
    STOPPED = "stopped by on_epoch after {epochs} epochs"
    #: Looked for if the chain has not converged.
    NO_INPUT = "impossible: pattern {pattern} has no input before its end, but spikes are desired"
    #: Looked for if the chain has not converged.
    TOO_EARLY = (
        "impossible: pattern {pattern} has a desired spike at {desired} ms, before its first input "
        "comes at {first_input} ms"
    )
    #: Looked for if a network has not converged: delays count.
    BEFORE_ARRIVAL = (
        "impossible: pattern {pattern} has a desired spike at {desired} ms, but no input can reach "
        "an output neuron before {arrival} ms"
    )
    #: Looked for if the chain has not converged. At its peak a single input needs a weight of one
    #: threshold.
    FADED = (
        "nearly impossible: pattern {pattern} has a desired spike at {desired} ms, long after its "
        "input: it would take weights of about {weight:.2g} thresholds"
    )
    #: Looked for if the chain has not converged.
    TWICE = "impossible: pattern {pattern} has two desired spikes at the same time, {desired} ms"
    #: Looked for if the chain has not converged.
    SAME_INPUT = (
        "impossible: patterns {pattern} and {other} have the same input, but different targets: "
        "{desired} and {other_desired}"
    )
    #: Looked for if the chain has not converged. The neuron would need weights many times as
    #: large as for a single spike, to get from the reset to the threshold again.
    TOO_CLOSE = (
        "nearly impossible: pattern {pattern} has desired spikes at {desired} and {following} ms, "
        "closer than the neuron can fire: it would take weights about {factor:.0f} times as large "
        "as one spike does"
    )


class EpochEnd(NamedTuple):
    """State of all chains after an epoch, as `on_epoch` is called with it.

    Attributes
    ----------
    epochs : int
        Number of epochs done in this call.
    weights : array of float, (chains, channels)
        Weights of all chains; a copy. Those of a network are one row, as `NetworkWeights.flat`.
    converged : array of bool, (chains,)
        Which chains have met the criterion. They learn no longer.
    runaway : array of bool, (chains,)
        Which chains responded to most patterns with far too many spikes.
    delays : array of float, (chains, channels), or None
        Delays of all chains, if they have any; a copy.
    """

    epochs: int
    weights: Floats
    converged: Bools
    runaway: Bools
    delays: Floats | None = None


@dataclass(frozen=True, eq=False)
class History:
    """Course of a chain, one value per epoch.

    Attributes
    ----------
    accuracy : array of float
        Share of right responses at the end of the epoch.
    distance : array of float
        Mean van Rossum distance, or mean error of the count.
    stepped : array of float
        Share of the patterns that needed a step.
    fallback : array of float
        Share of those steps that were the rule's fallback step.
    dead : array of float
        Share of those steps that met a dead pattern.
    norm : array of float
        Euclidean norm of the weights.
    """

    accuracy: Floats
    distance: Floats
    stepped: Floats
    fallback: Floats
    dead: Floats
    norm: Floats

    @classmethod
    def of(cls, table: Floats) -> History:
        """Return the history that the kernel wrote to a table."""
        columns = (
            state.ACCURACY,
            state.DISTANCE,
            state.STEPPED,
            state.FELL_BACK,
            state.DIED,
            state.NORM,
        )
        return cls(*(np.array(table[:, column]) for column in columns))

    def __len__(self) -> int:
        return self.accuracy.size


@dataclass(frozen=True, eq=False)
class FitResult:
    """Result of `Trainer.fit`: weights, whether the criterion was met, and the history.

    Attributes
    ----------
    weights : array of float or NetworkWeights
        The learned weights.
    converged : bool
        Whether every response met the criterion at the end.
    epochs : int
        Number of epochs used; 0 if every response was right from the start.
    reason : str
        Why training ended, in words; see `linspike.training.Ending`.
    interrupted : bool
        Whether an interrupt (Ctrl-C) cut it short.
    history : History or None
        One value per epoch, if asked for.
    delays : array of float or None
        One delay per channel, learned or given; None without any.
    """

    weights: Any
    converged: bool
    epochs: int
    reason: str
    interrupted: bool = False
    history: History | None = None
    delays: Floats | None = None

    def __repr__(self) -> str:
        return f"FitResult(converged={self.converged}, epochs={self.epochs}, {self.reason!r})"


def raise_if_interrupted(results: list[FitResult]) -> list[FitResult]:
    """Return the results, or raise KeyboardInterrupt if any chain was interrupted.

    For studies, where a chain that was cut short must not count as one that failed.
    """
    if any(result.interrupted for result in results):
        raise KeyboardInterrupt
    return results
