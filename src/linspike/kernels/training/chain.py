"""A whole chain in compiled code: one neuron learns one sequence of patterns, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import kernel
from linspike.kernels.rng import shuffle
from linspike.kernels.rows.windows import add_row
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.simulation.single import simulate
from linspike.kernels.threshold.dynamic import CRITICAL, times_at_critical, times_by_halving
from linspike.kernels.training.protocol import (
    DEAD,
    SOLVED,
    UNCHANGED,
    NeuronConstants,
    StepInput,
    StepWorkspace,
)
from linspike.kernels.trains.criterion import VRD_TAU, times_met
from linspike.kernels.trains.distances import van_rossum_squared

Step = Callable[[StepInput, Floats, Floats, Floats, StepWorkspace], int]

# Columns of the history, one row an epoch.
ACCURACY, DISTANCE, STEPPED, FELL_BACK, DIED, NORM = range(6)
N_COLUMNS = 6

# How a chain ends.
NOT_CONVERGED, CONVERGED, NOT_FINITE, BAD_OUTCOME, RAN_AWAY = range(5)

# A neuron that answers most patterns with far too many spikes, epoch after epoch, loses one of
# them a step at best; its steps are the largest problems there are. It is given up.
RUNAWAY_EPOCHS = 5

ANNEALING = 0.8  # share of the epochs in which the pace goes from its first to its last value


class ChainData(NamedTuple):
    """What one chain is to learn."""

    events: Events
    untils: Floats  # (patterns,)
    times: Floats  # desired times of all patterns, flat; empty for counts
    offsets: Ints  # (patterns + 1,)
    counts: Ints  # (patterns,), -1 for times
    bounds: Floats  # (patterns,), vRD*
    k_desired: Floats  # (all desired times, channels), PSP rows
    z_desired: Floats  # the same for the rule's window
    peak_drive_times: Floats  # (patterns,), where |X| is largest
    scales: Floats  # (patterns,), factors of the steps


class TrainOptions(NamedTuple):
    """How it is to learn it."""

    first_epoch: int  # epochs done before: the order of presentation goes on from there
    max_epochs: int
    criterion: int
    settle: float
    at_least: bool  # counts: more than desired is right too
    count_target: int
    own_counts: bool  # the rule learns counts itself, without desired times
    momentum: float
    first_pace: float  # factor of the steps in the first epoch
    last_pace: float  # and from ANNEALING of max_epochs on
    track: bool  # fill the history


class Workspace(NamedTuple):
    """Work arrays of a chain."""

    actual: Floats
    desired: Floats
    change: Floats
    velocity: Floats
    order: Ints
    rows_k: Floats  # rows of desired times found by the dynamic threshold
    rows_z: Floats
    work: StepWorkspace


@kernel
def pace(options: TrainOptions, epoch: int) -> float:
    """Factor of the steps in an epoch: on a straight line from the first to the last pace."""
    done = min(1.0, (options.first_epoch + epoch) / (ANNEALING * options.max_epochs))
    return options.first_pace + done * (options.last_pace - options.first_pace)


@kernel
def respond(
    data: ChainData, p: int, constants: NeuronConstants, weights: Floats, out: Floats
) -> int:
    """Response to pattern p, into out; returns its length."""
    span = span_until(data.events, p, data.untils[p], constants.m)
    n, _ = simulate(
        data.events, span, weights, constants.threshold / constants.v_norm, constants.m, out
    )
    return n


@kernel
def is_met(
    data: ChainData, p: int, options: TrainOptions, actual: Floats, share: float, room: int
) -> bool:
    """Whether a response is right, or closer still; one that filled its room was cut off."""
    count = data.counts[p]
    if options.at_least and count > 0 and actual.size > count:
        return True
    if actual.size == room:
        return False
    if count >= 0:
        return bool(actual.size == count)
    desired = data.times[data.offsets[p] : data.offsets[p + 1]]
    return times_met(actual, desired, data.bounds[p], options.criterion, share)


@kernel
def find_desired_times(
    data: ChainData,
    p: int,
    options: TrainOptions,
    constants: NeuronConstants,
    weights: Floats,
    n_actual: int,
    out: Floats,
) -> int:
    """Desired times for a wrong count, one spike nearer to it; 0 for a dead pattern."""
    more = n_actual < data.counts[p]
    goal = n_actual + 1 if more else n_actual - 1
    if goal == 0:
        return 0
    span = span_until(data.events, p, data.untils[p], constants.m)
    scaled = constants.threshold / constants.v_norm
    if options.count_target == CRITICAL:
        return times_at_critical(data.events, span, weights, scaled, constants.m, goal, more, out)
    return times_by_halving(data.events, span, weights, scaled, constants.m, goal, more, out)


@kernel
def fill_found_rows(
    data: ChainData, p: int, constants: NeuronConstants, desired: Floats, workspace: Workspace
) -> None:
    """Rows of desired times that were found, not given."""
    first, stop = data.events.offsets[p], data.events.offsets[p + 1]
    for i in range(desired.size):
        workspace.rows_k[i, :] = 0.0
        add_row(
            data.events, first, stop, desired[i], constants.psp, constants.m, workspace.rows_k[i]
        )
        if constants.window == constants.psp:
            workspace.rows_z[i, :] = workspace.rows_k[i]
        else:
            workspace.rows_z[i, :] = 0.0
            add_row(
                data.events,
                first,
                stop,
                desired[i],
                constants.window,
                constants.m,
                workspace.rows_z[i],
            )


@kernel
def make_step_input(
    data: ChainData,
    p: int,
    options: TrainOptions,
    constants: NeuronConstants,
    weights: Floats,
    n_actual: int,
    workspace: Workspace,
) -> tuple[StepInput, bool]:
    """What the rule is handed for pattern p, and whether the pattern is dead."""
    actual = workspace.actual[:n_actual]
    count = data.counts[p]
    dead = False
    if count < 0:
        lo, hi = data.offsets[p], data.offsets[p + 1]
        desired = data.times[lo:hi]
        k_desired, z_desired = data.k_desired[lo:hi], data.z_desired[lo:hi]
    else:
        n = 0
        if not options.own_counts:
            n = find_desired_times(
                data, p, options, constants, weights, n_actual, workspace.desired
            )
            if n == 0 and n_actual < count:
                dead = True
                workspace.desired[0] = data.peak_drive_times[p]
                n = 1
        desired = workspace.desired[:n]
        fill_found_rows(data, p, constants, desired, workspace)
        k_desired, z_desired = workspace.rows_k[:n], workspace.rows_z[:n]
    return (
        StepInput(
            data.events,
            p,
            data.untils[p],
            constants,
            desired,
            actual,
            k_desired,
            z_desired,
            count,
            data.peak_drive_times[p],
        ),
        dead,
    )


@kernel
def evaluate(
    data: ChainData,
    options: TrainOptions,
    constants: NeuronConstants,
    weights: Floats,
    workspace: Workspace,
) -> tuple[int, float]:
    """Number of right answers and mean distance; stops at the first wrong one unless tracking."""
    right = 0
    distance = 0.0
    for p in range(data.counts.size):
        n = respond(data, p, constants, weights, workspace.actual)
        actual = workspace.actual[:n]
        met = is_met(data, p, options, actual, 1.0, workspace.actual.size)
        right += met
        if not options.track:
            if not met:
                break
        elif data.counts[p] >= 0:
            distance += abs(n - data.counts[p])
        else:
            desired = data.times[data.offsets[p] : data.offsets[p + 1]]
            distance += np.sqrt(van_rossum_squared(actual, desired, VRD_TAU))
    return right, distance / data.counts.size


@kernel
def add_change(
    weights: Floats, velocity: Floats, change: Floats, scale: float, momentum: float
) -> None:
    """Add a scaled change and a share of the last move to the weights."""
    for c in range(weights.size):
        moved = scale * change[c] + momentum * velocity[c]
        velocity[c] = moved
        weights[c] += moved


def chain(
    step: Step,
    data: ChainData,
    options: TrainOptions,
    constants: NeuronConstants,
    parameters: Floats,
    weights: Floats,
    seed: int,
    stop: npt.NDArray[np.uint8],
    progress: Ints,
    history: Floats,
    workspace: Workspace,
) -> tuple[int, int]:
    """Learn until all answers are right or the epochs are used up.

    weights are changed in place. stop is looked at and progress written at every epoch. Returns
    the number of epochs and how the chain ended.
    """
    n_patterns = data.counts.size
    workspace.velocity[:] = 0.0
    right, _ = evaluate(data, options, constants, weights, workspace)
    if right == n_patterns:
        return 0, CONVERGED
    runaway_epochs = 0
    for epoch in range(options.max_epochs):
        if stop[0]:
            return epoch, NOT_CONVERGED
        shuffle(workspace.order, seed, options.first_epoch + epoch)
        factor = pace(options, epoch)
        outcomes = np.zeros(4, np.int64)
        runaway_patterns = 0
        for i in range(n_patterns):
            p = workspace.order[i]
            n = respond(data, p, constants, weights, workspace.actual)
            runaway_patterns += 2 * n >= workspace.actual.size
            if is_met(
                data, p, options, workspace.actual[:n], options.settle, workspace.actual.size
            ):
                continue
            step_input, dead = make_step_input(data, p, options, constants, weights, n, workspace)
            outcome = step(step_input, parameters, weights, workspace.change, workspace.work)
            if outcome < SOLVED or outcome > UNCHANGED:
                return epoch, BAD_OUTCOME
            outcomes[DEAD if dead else outcome] += 1
            if outcome == UNCHANGED:
                continue
            scale = factor * data.scales[p]
            add_change(weights, workspace.velocity, workspace.change, scale, options.momentum)
        if not np.isfinite(weights.sum()):
            return epoch + 1, NOT_FINITE
        right, distance = evaluate(data, options, constants, weights, workspace)
        progress[0] = epoch + 1
        if options.track:
            steps = max(1, outcomes.sum())
            history[epoch, ACCURACY] = right / n_patterns
            history[epoch, DISTANCE] = distance
            history[epoch, STEPPED] = outcomes.sum() / n_patterns
            history[epoch, FELL_BACK] = outcomes[1] / steps
            history[epoch, DIED] = outcomes[DEAD] / steps
            history[epoch, NORM] = np.sqrt((weights * weights).sum())
        if right == n_patterns:
            return epoch + 1, CONVERGED
        runaway_epochs = runaway_epochs + 1 if 2 * runaway_patterns > n_patterns else 0
        if runaway_epochs == RUNAWAY_EPOCHS:
            return epoch + 1, RAN_AWAY
    return options.max_epochs, NOT_CONVERGED
