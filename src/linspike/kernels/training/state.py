"""Data of chains, grouped by how long they live.

`ChainTask` stays the same while chains learn, `ChainState` goes from epoch to epoch, `Workspace` is
scratch space of one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from linspike._typing import Flags, Floats, Ints
from linspike.kernels.simulation.events import Events
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace

Step = Callable[[StepInput, Floats, Floats, Floats, StepWorkspace], int]
TimeFinder = Callable[[CountSearch, Floats, Floats], int]

# Columns of the history, one row per epoch.
ACCURACY, DISTANCE, STEPPED, FELL_BACK, DIED, NORM = range(6)
N_COLUMNS = 6

# Status of a chain: RUNNING, or how it ended.
RUNNING, CONVERGED, NOT_FINITE, BAD_OUTCOME, RAN_AWAY = range(5)
NO_OUTCOME = -1  # of a step that returned nothing of the protocol


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


class TrainOptions(NamedTuple):
    """Training options of a chain."""

    criterion: int
    skip_below: float  # no step for a response within this share of the criterion
    at_least: bool  # counts: more than desired is right too
    counts_as_times: bool  # the rule needs desired times for a desired count
    momentum: float
    track: bool  # fill the history


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
    seed: int
    stop: Flags  # (1,), looked at before every presentation


class ChainState(NamedTuple):
    """State that chains carry from epoch to epoch; entry g of each array belongs to chain g."""

    weights: Floats  # (chains, channels)
    velocity: Floats  # (chains, channels), last change of the weights
    kept: Floats  # (2, chains, channels), weights and velocity after the last whole epoch
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
