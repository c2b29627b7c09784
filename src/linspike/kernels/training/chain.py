"""One chain in compiled code: a neuron learns a sequence of patterns, epoch by epoch.

A range of epochs may be one epoch or all of them: what is learned is the same.
"""

from __future__ import annotations

import math

from linspike._typing import Flags, Floats
from linspike.kernels.jit import borrowing, jitable, passed
from linspike.kernels.rng import shuffle
from linspike.kernels.rows.drive import find_peak
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import Events, forget, present, span_until
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.held_delays import move_delays
from linspike.kernels.training.held_weights import hold_weights
from linspike.kernels.training.outcomes import DEAD, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.state import (
    BAD_OUTCOME,
    CONVERGED,
    NO_OUTCOME,
    NOT_FINITE,
    RAN_AWAY,
    RUNAWAY_EPOCHS,
    RUNAWAY_RESPONSES,
    RUNNING,
    ChainData,
    ChainState,
    ChainTask,
    Epochs,
    Step,
    TimeFinder,
    TrainOptions,
    Workspace,
    keep_weights,
    record_epoch,
    restore_weights,
    runs_away,
    sum_weights,
)
from linspike.kernels.training.step_problem import fill_found_rows
from linspike.kernels.trains.distances import VRD_TAU, times_met, van_rossum_squared

STOPPED = -1  # right responses, if the evaluation of them was stopped


@borrowing
def respond(
    data: ChainData,
    events: Events,
    p: int,
    constants: NeuronConstants,
    weights: Floats,
    out: Floats,
) -> int:
    """Write the response to pattern p of events to out; return its number of spikes."""
    span = span_until(events, p, data.horizons[p], constants.m)
    n, _ = simulate(events, span, weights, constants.threshold / constants.v_norm, constants.m, out)
    return n


@borrowing
def is_met(
    data: ChainData,
    g: int,
    p: int,
    options: TrainOptions,
    actual: Floats,
    share: float,
    capacity: int,
) -> bool:
    """Return whether a response is within `share` of what chain g's criterion allows.

    A response that filled its buffer was cut off and is never right, unless more spikes than
    desired are right too.
    """
    count = data.counts[g, p]
    if options.at_least and count > 0 and actual.size > count:
        return True
    if actual.size == capacity:
        return False
    if count >= 0:
        return bool(actual.size == count)
    desired = data.times[data.offsets[p] : data.offsets[p + 1]]
    return times_met(actual, desired, data.bounds[p], options.criterion, share)


@passed
def find_no_times(search: CountSearch, weights: Floats, out: Floats) -> int:
    """Find nothing: the time finder where no desired times are to be found."""
    return 0


@jitable
def find_desired_times(
    find_times: TimeFinder,
    task: ChainTask,
    events: Events,
    p: int,
    weights: Floats,
    n_actual: int,
    count: int,
    out: Floats,
) -> int:
    """Write desired times for a wrong count to out; return how many, 0 for a dead pattern.

    They are the spikes at another threshold, one that gives one spike more, or fewer: the spikes
    that the neuron is nearest to on the way to its count.
    """
    data, constants = task.data, task.constants
    more = n_actual < count
    target_count = n_actual + 1 if more else n_actual - 1
    if target_count == 0:
        return 0
    span = span_until(events, p, data.horizons[p], constants.m)
    scaled = constants.threshold / constants.v_norm
    search = CountSearch(events, span, scaled, constants.m, target_count, more)
    return find_times(search, weights, out)


@jitable
def make_step_input(
    find_times: TimeFinder,
    task: ChainTask,
    g: int,
    p: int,
    weights: Floats,
    delays: Floats,
    n_actual: int,
    workspace: Workspace,
    progress: float = 0.0,
) -> tuple[StepInput, bool]:
    """Return what the rule takes for pattern p of chain g, and whether the pattern is dead.

    The pattern is the one that is presented.
    """
    data, constants = task.data, task.constants
    events = workspace.presented.events
    count = data.counts[g, p]
    dead = False
    peak_drive_time = data.peak_drive_times[p]
    if count < 0:
        lo, hi = data.offsets[p], data.offsets[p + 1]
        desired = data.times[lo:hi]
        k_desired, z_desired = data.k_desired[lo:hi], data.z_desired[lo:hi]
    else:
        n = 0
        if task.options.counts_as_times:
            out = workspace.desired
            n = find_desired_times(find_times, task, events, p, weights, n_actual, count, out)
            # No threshold above 0 gives a spike: V is raised where the input drives it most.
            if n == 0 and n_actual < count:
                dead = True
                if delays.size > 0:
                    horizon, spare = data.horizons[p], workspace.rows_k[:3]
                    peak_drive_time = find_peak(events, p, horizon, constants.m, spare)
                workspace.desired[0] = peak_drive_time
                n = 1
        desired = workspace.desired[:n]
        rows = n if delays.size == 0 else 0  # with delays the step fills them, those it needs
        k_desired, z_desired = workspace.rows_k[:rows], workspace.rows_z[:rows]
        if rows > 0:
            fill_found_rows(events, p, constants, desired, k_desired, z_desired)
    step_input = StepInput(
        events=events,
        p=p,
        until=data.horizons[p],
        constants=constants,
        desired=desired,
        actual=workspace.actual[:n_actual],
        k_desired=k_desired,
        z_desired=z_desired,
        target_count=count,
        peak_drive_time=peak_drive_time,
        weight_low=data.weight_low,
        weight_high=data.weight_high,
        progress=progress,
        delays=delays,
        max_delay=task.options.max_delay,
    )
    return step_input, dead


@borrowing
def evaluate(
    task: ChainTask, g: int, state: ChainState, stop: Flags, workspace: Workspace
) -> tuple[int, float]:
    """Return the number of right responses of chain g and the mean distance to its targets.

    The distance is van Rossum's, or the error of the count. Unless the chain is tracked, the
    first wrong response ends it: all that matters then is whether all are right.
    """
    data, options, constants = task.data, task.options, task.constants
    capacity, events = workspace.actual.size, workspace.presented.events
    weights, delays = state.weights[g], state.delays[g]
    right = 0
    distance = 0.0
    for p in range(data.horizons.size):
        if stop[0]:
            return STOPPED, math.nan
        present(data.events, p, delays, constants.m, workspace.presented)
        n = respond(data, events, p, constants, weights, workspace.actual)
        actual = workspace.actual[:n]
        met = is_met(data, g, p, options, actual, 1.0, capacity)
        right += met
        if not options.track:
            if not met:
                break
        elif data.counts[g, p] >= 0:
            distance += abs(n - data.counts[g, p])
        else:
            desired = data.times[data.offsets[p] : data.offsets[p + 1]]
            distance += math.sqrt(van_rossum_squared(actual, desired, VRD_TAU))
    return right, distance / data.horizons.size


@borrowing
def add_change(
    weights: Floats, velocity: Floats, change: Floats, scale: float, momentum: float
) -> None:
    """Move the weights: v <- scale Delta w + momentum v, w <- w + v."""
    for c in range(weights.size):
        moved = scale * change[c] + momentum * velocity[c]
        velocity[c] = moved
        weights[c] += moved


@jitable
def take_step(
    step: Step,
    find_times: TimeFinder,
    task: ChainTask,
    g: int,
    p: int,
    n_actual: int,
    epochs: Epochs,
    epoch: int,
    state: ChainState,
    workspace: Workspace,
) -> int:
    """Let the rule change the weights of chain g after its response to pattern p.

    The response is in the workspace. Returns the outcome of the step, DEAD for a dead pattern
    whatever the rule made of it, or NO_OUTCOME.
    """
    weights, delays, options = state.weights[g], state.delays[g], task.options
    step_input, dead = make_step_input(
        find_times, task, g, p, weights, delays, n_actual, workspace, epochs.progress[epoch]
    )
    outcome = step(step_input, task.parameters, weights, workspace.change, workspace.work)
    if outcome < SOLVED or outcome > UNCHANGED:
        return NO_OUTCOME
    if outcome != UNCHANGED:
        scale = epochs.factors[epoch] * task.data.step_factors[p]
        velocity = state.velocity[g]
        add_change(weights, velocity, workspace.change, scale, options.momentum)
        if task.data.weight_low.size > 0:
            hold_weights(weights, velocity, task.data.weight_low, task.data.weight_high)
        if delays.size > 0:
            move_delays(delays, workspace.change, scale, options.delay_step, options.max_delay)
            forget(workspace.presented)
    return DEAD if dead else outcome


@borrowing
def begin_chain(
    task: ChainTask, g: int, stop: Flags, state: ChainState, workspace: Workspace
) -> None:
    """End chain g before its first epoch if all its responses are right already."""
    right, _ = evaluate(task, g, state, stop, workspace)
    if right == task.data.horizons.size:
        state.status[g] = CONVERGED


@borrowing
def end_epoch(
    task: ChainTask,
    g: int,
    runaway_patterns: int,
    stop: Flags,
    state: ChainState,
    workspace: Workspace,
) -> tuple[int, float]:
    """Count an epoch of chain g and set its status; return what `evaluate` found.

    runaway_patterns is the number of patterns that had far too many spikes in this epoch. If the
    evaluation is stopped, the epoch is not whole: its steps are undone.
    """
    n_patterns = task.data.horizons.size
    if not math.isfinite(sum_weights(state, g)):
        state.epochs[g] += 1
        state.status[g] = NOT_FINITE
        return 0, math.nan
    right, distance = evaluate(task, g, state, stop, workspace)
    if right == STOPPED:
        restore_weights(state, g)
        return right, distance
    state.epochs[g] += 1
    if 2 * runaway_patterns > n_patterns:
        state.runaway_epochs[g] += 1
    else:
        state.runaway_epochs[g] = 0
    if right == n_patterns:
        state.status[g] = CONVERGED
    elif state.runaway_epochs[g] == RUNAWAY_EPOCHS:
        state.status[g] = RAN_AWAY
    return right, distance


def train_chain(
    step: Step,
    find_times: TimeFinder,
    task: ChainTask,
    epochs: Epochs,
    state: ChainState,
    workspace: Workspace,
) -> None:
    """Train a single chain for a range of epochs, or until it ends.

    state is changed in place; find_times finds desired times for desired counts. Cost: a
    simulation of every pattern for each epoch, a second one until the first wrong response, and a
    step for each response that is not near enough.
    """
    data, options, constants = task.data, task.options, task.constants
    weights, stop, events = state.weights[0], epochs.stop, workspace.presented.events
    n_patterns, capacity = data.horizons.size, workspace.actual.size
    if epochs.begin == 0:
        begin_chain(task, 0, stop, state, workspace)
    for epoch in range(epochs.begin, epochs.end):
        if state.status[0] != RUNNING or stop[0]:
            return
        keep_weights(state, 0)
        shuffle(workspace.order, epochs.seed, epochs.done_before + epoch)
        workspace.outcomes[:] = 0
        runaway_patterns = full_in_row = 0
        sum_before = 0.0
        for i in range(n_patterns):
            if stop[0]:
                restore_weights(state, 0)
                return
            p = workspace.order[i]
            present(data.events, p, state.delays[0], constants.m, workspace.presented)
            n = respond(data, events, p, constants, weights, workspace.actual)
            runaway_patterns += 2 * n >= capacity
            if n < capacity:
                full_in_row = 0
            actual = workspace.actual[:n]
            # Responses well inside the criterion are left alone: steps on them would undo others.
            if is_met(data, 0, p, options, actual, options.skip_below, capacity):
                continue
            if full_in_row == 0 or full_in_row == RUNAWAY_RESPONSES:
                full_in_row, sum_before = 0, sum_weights(state, 0)
            full_in_row += n == capacity
            if runs_away(full_in_row, sum_before, state, 0):
                state.status[0] = RAN_AWAY
                break
            outcome = take_step(step, find_times, task, 0, p, n, epochs, epoch, state, workspace)
            if outcome == NO_OUTCOME:
                state.status[0] = BAD_OUTCOME
                return
            workspace.outcomes[outcome] += 1
        right, distance = end_epoch(task, 0, runaway_patterns, stop, state, workspace)
        if right == STOPPED:
            return
        if options.track and state.status[0] != NOT_FINITE:
            row = state.history[epoch]
            record_epoch(row, right, distance, workspace.outcomes, weights, n_patterns)
