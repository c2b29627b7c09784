"""One chain in compiled code: a neuron learns a sequence of patterns, epoch by epoch.

A range of epochs may be one epoch or all of them: what is learned is the same.
"""

from __future__ import annotations

import math

from linspike._typing import Flags, Floats, Ints
from linspike.kernels.jit import borrowing, jitable, passed
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.dynamic import CountSearch
from linspike.kernels.training.outcomes import DEAD, FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.state import (
    ACCURACY,
    BAD_OUTCOME,
    CONVERGED,
    DIED,
    DISTANCE,
    FELL_BACK,
    NO_OUTCOME,
    NORM,
    NOT_FINITE,
    RAN_AWAY,
    RUNNING,
    STEPPED,
    ChainData,
    ChainState,
    ChainTask,
    Epochs,
    Step,
    TimeFinder,
    TrainOptions,
    Workspace,
)
from linspike.kernels.training.step_problem import fill_found_rows
from linspike.kernels.trains.distances import VRD_TAU, times_met, van_rossum_squared

# A neuron with far too many spikes for most patterns, epoch after epoch, loses one of them a step
# at best, and its steps are the largest problems there are. It is given up.
RUNAWAY_EPOCHS = 5
# The same within an epoch of many patterns: so many wrong responses, all of them cut off, while the
# sum of the weights has not fallen by this share. A neuron whose weights fall may recover.
RUNAWAY_RESPONSES, RECOVERY = 100, 1e-3
STOPPED = -1  # right responses, if the evaluation of them was stopped


@borrowing
def respond(
    data: ChainData, p: int, constants: NeuronConstants, weights: Floats, out: Floats
) -> int:
    """Write the response to pattern p to out; return its number of spikes."""
    span = span_until(data.events, p, data.horizons[p], constants.m)
    n, _ = simulate(
        data.events, span, weights, constants.threshold / constants.v_norm, constants.m, out
    )
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
    span = span_until(data.events, p, data.horizons[p], constants.m)
    scaled = constants.threshold / constants.v_norm
    search = CountSearch(data.events, span, scaled, constants.m, target_count, more)
    return find_times(search, weights, out)


@jitable
def make_step_input(
    find_times: TimeFinder,
    task: ChainTask,
    g: int,
    p: int,
    weights: Floats,
    n_actual: int,
    workspace: Workspace,
) -> tuple[StepInput, bool]:
    """Return what the rule takes for pattern p of chain g, and whether the pattern is dead."""
    data, constants = task.data, task.constants
    count = data.counts[g, p]
    dead = False
    if count < 0:
        lo, hi = data.offsets[p], data.offsets[p + 1]
        desired = data.times[lo:hi]
        k_desired, z_desired = data.k_desired[lo:hi], data.z_desired[lo:hi]
    else:
        n = 0
        if task.options.counts_as_times:
            out = workspace.desired
            n = find_desired_times(find_times, task, p, weights, n_actual, count, out)
            # No threshold above 0 gives a spike: V is raised where the input drives it most.
            if n == 0 and n_actual < count:
                dead = True
                workspace.desired[0] = data.peak_drive_times[p]
                n = 1
        desired = workspace.desired[:n]
        k_desired, z_desired = workspace.rows_k[:n], workspace.rows_z[:n]
        fill_found_rows(data.events, p, constants, desired, k_desired, z_desired)
    step_input = StepInput(
        events=data.events,
        p=p,
        until=data.horizons[p],
        constants=constants,
        desired=desired,
        actual=workspace.actual[:n_actual],
        k_desired=k_desired,
        z_desired=z_desired,
        target_count=count,
        peak_drive_time=data.peak_drive_times[p],
    )
    return step_input, dead


@borrowing
def evaluate(
    task: ChainTask, g: int, weights: Floats, stop: Flags, workspace: Workspace
) -> tuple[int, float]:
    """Return the number of right responses of chain g and the mean distance to its targets.

    The distance is van Rossum's, or the error of the count. Unless the chain is tracked, the
    first wrong response ends it: all that matters then is whether all are right.
    """
    data, options, constants = task.data, task.options, task.constants
    capacity = workspace.actual.size
    right = 0
    distance = 0.0
    for p in range(data.horizons.size):
        if stop[0]:
            return STOPPED, math.nan
        n = respond(data, p, constants, weights, workspace.actual)
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
    factor: float,
    state: ChainState,
    workspace: Workspace,
) -> int:
    """Let the rule change the weights of chain g after its response to pattern p.

    The response is in the workspace. Returns the outcome of the step, DEAD for a dead pattern
    whatever the rule made of it, or NO_OUTCOME.
    """
    weights = state.weights[g]
    step_input, dead = make_step_input(find_times, task, g, p, weights, n_actual, workspace)
    outcome = step(step_input, task.parameters, weights, workspace.change, workspace.work)
    if outcome < SOLVED or outcome > UNCHANGED:
        return NO_OUTCOME
    if outcome != UNCHANGED:
        scale = factor * task.data.step_factors[p]
        add_change(weights, state.velocity[g], workspace.change, scale, task.options.momentum)
    return DEAD if dead else outcome


@borrowing
def begin_chain(
    task: ChainTask, g: int, stop: Flags, state: ChainState, workspace: Workspace
) -> None:
    """End chain g before its first epoch if all its responses are right already."""
    right, _ = evaluate(task, g, state.weights[g], stop, workspace)
    if right == task.data.horizons.size:
        state.status[g] = CONVERGED


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
    """Keep weights and velocity of chain g, for `restore_weights`."""
    for c in range(state.weights.shape[1]):
        state.kept[0, g, c] = state.weights[g, c]
        state.kept[1, g, c] = state.velocity[g, c]


@borrowing
def restore_weights(state: ChainState, g: int) -> None:
    """Return chain g to where it was after its last whole epoch."""
    for c in range(state.weights.shape[1]):
        state.weights[g, c] = state.kept[0, g, c]
        state.velocity[g, c] = state.kept[1, g, c]


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
    right, distance = evaluate(task, g, state.weights[g], stop, workspace)
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
    weights, stop = state.weights[0], epochs.stop
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
            n = respond(data, p, constants, weights, workspace.actual)
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
            outcome = take_step(
                step, find_times, task, 0, p, n, epochs.factors[epoch], state, workspace
            )
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
