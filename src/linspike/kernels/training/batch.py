"""Chains that learn counts for the same patterns in the same order, side by side.

One pass over a pattern gives the responses of all of them: its events are fetched and its decays
applied once, the states are vectorised. Most responses of most neurons are right, so that pass is
what an epoch mostly costs. Only a neuron whose response is wrong is simulated by itself, and then
all is as in `chain`, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.batch import Block, Spikes, run_block
from linspike.kernels.simulation.events import Events, present, span_until
from linspike.kernels.training.chain import (
    begin_chain,
    end_epoch,
    is_met,
    respond,
    take_step,
)
from linspike.kernels.training.state import (
    BAD_OUTCOME,
    NO_OUTCOME,
    RAN_AWAY,
    RUNAWAY_RESPONSES,
    RUNNING,
    ChainState,
    ChainTask,
    Epochs,
    Step,
    TimeFinder,
    Workspace,
    keep_weights,
    runs_away,
    sum_weights,
)


class ChainBatch(NamedTuple):
    """Scratch arrays of a batch of chains."""

    block: Block  # the weights, a row per channel, and the states of a pass
    found: Spikes  # buffer for all spikes of a pass
    runaway_patterns: Ints  # (chains,), patterns with far too many spikes in this epoch
    full_in_row: Ints  # (chains,), wrong responses, all cut off, since one that was not
    sums_before: Floats  # (chains,), sums of the weights when the first of them came


@borrowing
def respond_all(task: ChainTask, events: Events, p: int, batch: ChainBatch, capacity: int) -> None:
    """Count the spikes of all chains for pattern p, into the block; each up to capacity."""
    data, constants, block = task.data, task.constants, batch.block
    block.a[:] = 0.0
    block.b[:] = 0.0
    block.counts[:] = 0
    span = span_until(events, p, data.horizons[p], constants.m)
    threshold = constants.threshold / constants.v_norm
    run_block(events, span, block, threshold, constants.m, batch.found, capacity)


@borrowing
def copy_weights(state: ChainState, g: int, block: Block) -> None:
    """Copy the weights of chain g to its column of the block."""
    for c in range(block.weights.shape[0]):
        block.weights[c, g] = state.weights[g, c]


@borrowing
def any_running(status: Ints) -> bool:
    """Return whether a chain has not ended."""
    found = False
    for one in status:
        found |= one == RUNNING
    return found


def train_batch(
    step: Step,
    find_times: TimeFinder,
    task: ChainTask,
    epochs: Epochs,
    state: ChainState,
    workspace: Workspace,
    batch: ChainBatch,
) -> None:
    """Train all chains of a batch for a range of epochs, each until it ends.

    The same as `train_chain` for every chain; the history is not filled.
    """
    data, options, stop = task.data, task.options, epochs.stop
    events = workspace.presented.events
    n_chains, capacity = state.epochs.size, workspace.actual.size
    for g in range(n_chains):
        copy_weights(state, g, batch.block)
        if epochs.begin == 0:
            begin_chain(task, g, stop, state, workspace)
    for epoch in range(epochs.begin, epochs.end):
        if stop[0] or not any_running(state.status):
            return
        for g in range(n_chains):
            keep_weights(state, g)
        shuffle(workspace.order, epochs.seed, epochs.done_before + epoch)
        batch.runaway_patterns[:] = 0
        batch.full_in_row[:] = 0
        for i in range(data.horizons.size):
            if stop[0]:
                break
            p = workspace.order[i]
            present(data.events, p, state.delays[0], task.constants.m, workspace.presented)
            respond_all(task, events, p, batch, capacity)
            for g in range(n_chains):
                if state.status[g] != RUNNING:
                    continue
                n = batch.block.counts[g]
                batch.runaway_patterns[g] += 2 * n >= capacity
                if n < capacity:
                    batch.full_in_row[g] = 0
                # Of counts only the number of spikes matters, not what the buffer holds.
                if is_met(data, g, p, options, workspace.actual[:n], options.skip_below, capacity):
                    continue
                if batch.full_in_row[g] == 0 or batch.full_in_row[g] == RUNAWAY_RESPONSES:
                    batch.full_in_row[g], batch.sums_before[g] = 0, sum_weights(state, g)
                batch.full_in_row[g] += n == capacity
                if runs_away(batch.full_in_row[g], batch.sums_before[g], state, g):
                    state.status[g] = RAN_AWAY
                    continue
                weights = state.weights[g]
                n = respond(data, events, p, task.constants, weights, workspace.actual)
                outcome = take_step(
                    step, find_times, task, g, p, n, epochs, epoch, state, workspace
                )
                if outcome == NO_OUTCOME:
                    state.status[g] = BAD_OUTCOME
                copy_weights(state, g, batch.block)
        for g in range(n_chains):
            ends_now = state.status[g] == RAN_AWAY and batch.full_in_row[g] == RUNAWAY_RESPONSES
            if state.status[g] == RUNNING or ends_now:
                # Stopped, it undoes the steps of an epoch that is not whole.
                end_epoch(task, g, batch.runaway_patterns[g], stop, state, workspace)
