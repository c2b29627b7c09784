"""A network learns a sequence of patterns, epoch by epoch, as a neuron in `training.chain`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from linspike._typing import Flags, Floats, Ints
from linspike.kernels.jit import borrowing, jitable
from linspike.kernels.network.backward import linearise
from linspike.kernels.network.forward import arrange_arrivals, respond_hidden
from linspike.kernels.network.protocol import (
    HiddenConstants,
    HiddenSpikes,
    LayerWeights,
    NetworkInput,
    NetworkWork,
)
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.training.chain import (
    STOPPED,
    add_change,
)
from linspike.kernels.training.outcomes import SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput
from linspike.kernels.training.state import (
    BAD_OUTCOME,
    CONVERGED,
    NO_OUTCOME,
    NOT_FINITE,
    RAN_AWAY,
    RUNAWAY_EPOCHS,
    RUNNING,
    ChainState,
    Epochs,
    TrainOptions,
    keep_weights,
    record_epoch,
    restore_weights,
    sum_weights,
)
from linspike.kernels.training.step_problem import fill_found_rows
from linspike.kernels.trains.distances import VRD_TAU, times_met, van_rossum_squared

NetworkStep = Callable[[NetworkInput, Floats, LayerWeights, LayerWeights, Floats, NetworkWork], int]


class NetworkTask(NamedTuple):
    """Patterns, targets, constants and options of a network; they stay the same while it learns."""

    events: Events  # input spikes; with delays those of every hidden neuron
    is_delayed: bool
    out_delays: Floats  # (output neurons, hidden neurons), or (output neurons, 0)
    horizons: Floats  # (patterns,)
    times: Floats  # desired times, output neuron by output neuron and pattern by pattern
    offsets: Ints  # (output neurons * patterns + 1,)
    bounds: Floats  # (patterns,), vRD*, or the tolerance of the strict criterion
    step_factors: Floats  # (patterns,)
    hidden: HiddenConstants
    constants: NeuronConstants  # of the output neurons
    options: TrainOptions
    parameters: Floats  # settings of the rule, as its step takes them


class NetworkState(NamedTuple):
    """State that a network carries from epoch to epoch; the chain's weights are flat."""

    chain: ChainState  # of one chain
    weights: LayerWeights  # views of its weights
    memory: Floats  # the rule's own


class NetworkWorkspace(NamedTuple):
    """Scratch arrays of one thread."""

    spikes: HiddenSpikes
    actual: Floats
    flat_change: Floats
    change: LayerWeights  # views of it
    k_desired: Floats  # (most desired times, hidden neurons)
    order: Ints
    outcomes: Ints
    none: Floats  # empty: no bounds of weights
    work: NetworkWork


@borrowing
def desired_of(task: NetworkTask, p: int, k: int) -> tuple[int, int]:
    """Return where the desired times of output neuron k for pattern p begin and end."""
    at = k * task.horizons.size + p
    return task.offsets[at], task.offsets[at + 1]


@borrowing
def respond_network(
    task: NetworkTask, p: int, k: int, weights: LayerWeights, workspace: NetworkWorkspace
) -> tuple[int, bool]:
    """Fill the response of output neuron k; the hidden layer's is in the workspace, in order.

    Returns the number of spikes, and whether neither layer was cut off.
    """
    spikes, constants = workspace.spikes, task.constants
    until = task.horizons[p]
    n, is_whole = respond_hidden(
        task.events, p, task.is_delayed, until, task.hidden, weights.hidden, spikes
    )
    arrange_arrivals(spikes, n, task.out_delays[k], until, constants.m)
    span = span_until(spikes.events, 0, until, constants.m)
    threshold = constants.threshold / constants.v_norm
    out = workspace.actual
    found, _ = simulate(spikes.events, span, weights.out[k], threshold, constants.m, out)
    return found, is_whole and found < out.size


@borrowing
def is_right(
    task: NetworkTask, p: int, k: int, actual: Floats, is_whole: bool, share: float
) -> bool:
    """Return whether a response is within `share` of what the criterion allows."""
    first, stop = desired_of(task, p, k)
    desired = task.times[first:stop]
    return is_whole and times_met(actual, desired, task.bounds[p], task.options.criterion, share)


@borrowing
def evaluate_network(
    task: NetworkTask, weights: LayerWeights, stop: Flags, workspace: NetworkWorkspace
) -> tuple[int, float]:
    """Return the number of patterns with right responses, and the mean distance to the targets.

    Unless the chain is tracked, the first wrong response ends it.
    """
    n_out = weights.out.shape[0]
    right = 0
    distance = 0.0
    for p in range(task.horizons.size):
        wrong = 0
        for k in range(n_out):
            if stop[0]:
                return STOPPED, math.nan
            n, is_whole = respond_network(task, p, k, weights, workspace)
            actual = workspace.actual[:n]
            wrong += not is_right(task, p, k, actual, is_whole, 1.0)
            if task.options.track:
                first, last = desired_of(task, p, k)
                desired = task.times[first:last]
                distance += math.sqrt(van_rossum_squared(actual, desired, VRD_TAU))
        right += wrong == 0
        if wrong > 0 and not task.options.track:
            break
    return right, distance / (n_out * task.horizons.size)


@jitable
def make_network_input(
    task: NetworkTask, p: int, k: int, n: int, progress: float, workspace: NetworkWorkspace
) -> NetworkInput:
    """Return what the rule takes; the responses of both layers are in the workspace."""
    spikes, constants, none = workspace.spikes, task.constants, workspace.none
    first, stop = desired_of(task, p, k)
    desired, rows = task.times[first:stop], workspace.k_desired[: stop - first]
    fill_found_rows(spikes.events, 0, constants, desired, rows, rows)
    out = StepInput(
        events=spikes.events,
        p=0,
        until=task.horizons[p],
        constants=constants,
        desired=desired,
        actual=workspace.actual[:n],
        k_desired=rows,
        z_desired=rows,
        target_count=-1,
        peak_drive_time=0.0,
        weight_low=none,
        weight_high=none,
        delays=none,
        max_delay=0.0,
        progress=progress,
    )
    return NetworkInput(task.events, p, task.is_delayed, task.hidden, spikes, k, out)


@jitable
def take_network_step(
    step: NetworkStep,
    task: NetworkTask,
    p: int,
    k: int,
    n: int,
    epochs: Epochs,
    epoch: int,
    state: NetworkState,
    workspace: NetworkWorkspace,
) -> int:
    """Let the rule change the weights of both layers after a wrong response; return the outcome."""
    weights = state.weights
    linearise(task.events, p, task.is_delayed, weights.hidden, task.hidden, workspace.spikes)
    s = make_network_input(task, p, k, n, epochs.progress[epoch], workspace)
    change = workspace.change
    outcome = step(s, task.parameters, weights, change, state.memory, workspace.work)
    if outcome < SOLVED or outcome > UNCHANGED:
        return NO_OUTCOME
    if outcome != UNCHANGED:
        scale = epochs.factors[epoch] * task.step_factors[p]
        flat, velocity = state.chain.weights[0], state.chain.velocity[0]
        add_change(flat, velocity, workspace.flat_change, scale, task.options.momentum)
    return outcome


@borrowing
def end_network_epoch(
    task: NetworkTask,
    runaway_patterns: int,
    stop: Flags,
    state: NetworkState,
    workspace: NetworkWorkspace,
) -> tuple[int, float]:
    """Count an epoch and set the status; return what `evaluate_network` found."""
    chain, n_patterns = state.chain, task.horizons.size
    if not math.isfinite(sum_weights(chain, 0)):
        chain.epochs[0] += 1
        chain.status[0] = NOT_FINITE
        return 0, math.nan
    right, distance = evaluate_network(task, state.weights, stop, workspace)
    if right == STOPPED:
        restore_weights(chain, 0)
        return right, distance
    chain.epochs[0] += 1
    if 2 * runaway_patterns > n_patterns:
        chain.runaway_epochs[0] += 1
    else:
        chain.runaway_epochs[0] = 0
    if right == n_patterns:
        chain.status[0] = CONVERGED
    elif chain.runaway_epochs[0] == RUNAWAY_EPOCHS:
        chain.status[0] = RAN_AWAY
    return right, distance


def train_network(
    step: NetworkStep,
    task: NetworkTask,
    epochs: Epochs,
    state: NetworkState,
    workspace: NetworkWorkspace,
) -> None:
    """Train a network for a range of epochs, or until it ends; state is changed in place.

    Output neurons learn one after the other: each wrong response is followed by a step. Cost: both
    layers' responses to every pattern for each epoch, those until the first wrong one once more.
    """
    chain, weights, stop = state.chain, state.weights, epochs.stop
    n_patterns, n_out = task.horizons.size, weights.out.shape[0]
    if epochs.begin == 0:
        right, _ = evaluate_network(task, weights, stop, workspace)
        if right == n_patterns:
            chain.status[0] = CONVERGED
    for epoch in range(epochs.begin, epochs.end):
        if chain.status[0] != RUNNING or stop[0]:
            return
        keep_weights(chain, 0)
        shuffle(workspace.order, epochs.seed, epochs.done_before + epoch)
        workspace.outcomes[:] = 0
        runaway_patterns = 0
        for i in range(n_patterns):
            p = workspace.order[i]
            is_runaway = False
            for k in range(n_out):
                if stop[0]:
                    restore_weights(chain, 0)
                    return
                n, is_whole = respond_network(task, p, k, weights, workspace)
                is_runaway |= not is_whole
                actual = workspace.actual[:n]
                if is_right(task, p, k, actual, is_whole, task.options.skip_below):
                    continue
                outcome = take_network_step(step, task, p, k, n, epochs, epoch, state, workspace)
                if outcome == NO_OUTCOME:
                    chain.status[0] = BAD_OUTCOME
                    return
                workspace.outcomes[outcome] += 1
            runaway_patterns += is_runaway
        right, distance = end_network_epoch(task, runaway_patterns, stop, state, workspace)
        if right == STOPPED:
            return
        if task.options.track and chain.status[0] != NOT_FINITE:
            row = chain.history[epoch]
            flat = chain.weights[0]
            record_epoch(row, right, distance, workspace.outcomes, flat, n_patterns)
