"""Data of chains, grouped by how long they live.

`ChainTask` stays the same while chains learn, `ChainState` goes from epoch to epoch, `Workspace` is
scratch space of one thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from linspike._typing import Flags, Floats, Ints
from linspike.kernels.jit import borrowing
from linspike.kernels.simulation.events import Events, Presented
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.outcomes import DEAD, FALLBACK
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace

Step = Callable[[StepInput, Floats, Floats, Floats, StepWorkspace], int]
TimeFinder = Callable[[CountSearch, Floats, Floats], int]

# Columns of the history, one row per epoch.
ACCURACY, DISTANCE, STEPPED, FELL_BACK, DIED, NORM = range(6)
N_COLUMNS = 6

# Status of a chain: RUNNING, or how it ended.
RUNNING, CONVERGED, NOT_FINITE, BAD_OUTCOME, RAN_AWAY = range(5)
NO_OUTCOME = -1  # of a step that returned nothing of the protocol

# A neuron with far too many spikes for most patterns, epoch after epoch, loses one of them a step
# at best, and its steps are the largest problems there are. It is given up.
RUNAWAY_EPOCHS = 5
# The same within an epoch of many patterns: so many wrong responses, all of them cut off, while the
# sum of the weights has not fallen by this share. A neuron whose weights fall may recover.
RUNAWAY_RESPONSES, RECOVERY = 100, 1e-3


class ChainData(NamedTuple):
    """Patterns and targets of chains, and what follows from them before any weight is known."""

    events: Events
    horizons: Floats  # (patterns,)
    times: Floats  # desired times of all patterns, flat; empty for counts
    offsets: Ints  # (patterns + 1,)
    counts: Ints  # (chains, patterns), -1 for times
    bounds: Floats  # (patterns,), vRD*, or the tolerance of the strict criterion
    k_desired: Floats  # (all desired times, channels), PSP rows X(t_d)
    z_desired: Floats  # the same for the rule's window
    peak_drive_times: Floats  # (patterns,), where |X(t)| is largest
    step_factors: Floats  # (patterns,)
    weight_low: Floats  # (channels,), bounds of the weights; both empty if there are none
    weight_high: Floats


class TrainOptions(NamedTuple):
    """Training options of a chain."""

    criterion: int
    skip_below: float  # no step for a response within this share of the criterion
    at_least: bool  # counts: more than desired is right too
    counts_as_times: bool  # the rule needs desired times for a desired count
    momentum: float
    track: bool  # fill the history
    max_delay: float  # longest delay; 0 if delays are not learned
    delay_step: float  # how far a step moves a delay at most


class ChainTask(NamedTuple):
    """Data, constants and options of chains; they stay the same while these learn."""

    data: ChainData
    constants: NeuronConstants
    options: TrainOptions
    parameters: Floats  # settings of the rule, as its step takes them


class Epochs(NamedTuple):
    """A range of epochs to run, [begin, end), counted from the beginning of the chain."""

    begin: int
    end: int
    done_before: int  # epochs of earlier chains: the order of presentation goes on from there
    factors: Floats  # (all epochs,), factors of the steps
    progress: Floats  # (all epochs,), from 0 to 1, see `StepInput`
    seed: int
    stop: Flags  # (1,), looked at before every presentation


class ChainState(NamedTuple):
    """State that chains carry from epoch to epoch; entry g of each array belongs to chain g."""

    weights: Floats  # (chains, channels)
    velocity: Floats  # (chains, channels), last change of the weights
    kept: Floats  # (2, chains, channels), weights and velocity after the last whole epoch
    delays: Floats  # (chains, channels) if they are learned, else (chains, 0)
    kept_delays: Floats  # the same, after the last whole epoch
    runaway_epochs: Ints  # (chains,), epochs in a row with far too many spikes
    epochs: Ints  # (chains,), done
    status: Ints  # (chains,)
    history: Floats  # (epochs, columns) of a single chain; filled if it is tracked


class Workspace(NamedTuple):
    """Scratch arrays of one thread."""

    actual: Floats  # a response; one that fills it was cut off
    desired: Floats
    change: Floats
    order: Ints
    outcomes: Ints  # (outcomes,), steps of an epoch by outcome
    rows_k: Floats  # rows of desired times found by the dynamic threshold
    rows_z: Floats
    work: StepWorkspace
    presented: Presented


@borrowing
def sum_weights(state: ChainState, g: int) -> float:
    """Return the sum of the weights of chain g."""
    total = 0.0
    for weight in state.weights[g]:
        total += weight
    return total


@borrowing
def runs_away(full_in_row: int, sum_before: float, state: ChainState, g: int) -> bool:
    """Return whether enough responses in a row were cut off and the weights have not fallen."""
    if full_in_row < RUNAWAY_RESPONSES:
        return False
    return sum_weights(state, g) > sum_before - RECOVERY * abs(sum_before)


@borrowing
def keep_weights(state: ChainState, g: int) -> None:
    """Keep weights, velocity and delays of chain g, for `restore_weights`."""
    for c in range(state.weights.shape[1]):
        state.kept[0, g, c] = state.weights[g, c]
        state.kept[1, g, c] = state.velocity[g, c]
    for c in range(state.delays.shape[1]):
        state.kept_delays[g, c] = state.delays[g, c]


@borrowing
def restore_weights(state: ChainState, g: int) -> None:
    """Return chain g to where it was after its last whole epoch."""
    for c in range(state.weights.shape[1]):
        state.weights[g, c] = state.kept[0, g, c]
        state.velocity[g, c] = state.kept[1, g, c]
    for c in range(state.delays.shape[1]):
        state.delays[g, c] = state.kept_delays[g, c]


@borrowing
def record_epoch(
    row: Floats, right: int, distance: float, outcomes: Ints, weights: Floats, n_patterns: int
) -> None:
    """Fill one row of the history; outcomes counts the steps of the epoch by outcome."""
    taken = 0
    for number in outcomes:
        taken += number
    steps = max(1, taken)
    squares = 0.0
    for weight in weights:
        squares += weight * weight
    row[ACCURACY] = right / n_patterns
    row[DISTANCE] = distance
    row[STEPPED] = taken / n_patterns
    row[FELL_BACK] = outcomes[FALLBACK] / steps
    row[DIED] = outcomes[DEAD] / steps
    row[NORM] = math.sqrt(squares)
