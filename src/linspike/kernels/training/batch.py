"""Chains that learn counts for the same patterns in the same order, side by side.

One pass over a pattern gives the responses of all of them: its events are fetched and its decays
applied once, the states are vectorised. Most responses of most neurons are right, so that pass is
what an epoch mostly costs. Only a neuron whose response is wrong is simulated by itself, and then
all is as in `chain`, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Ints
from linspike.kernels.jit import kernel
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.batch import Block, Spikes, run_block
from linspike.kernels.simulation.events import span_until
from linspike.kernels.training.chain import begin_chain, end_epoch, is_met, respond, take_step
from linspike.kernels.training.state import (
    BAD_OUTCOME,
    NO_OUTCOME,
    RUNNING,
    ChainState,
    ChainTask,
    Epochs,
    Step,
    Workspace,
)


class ChainBatch(NamedTuple):
    """Scratch arrays of a batch of chains."""

    block: Block  # the weights, a row per channel, and the states of a pass
    found: Spikes  # buffer for all spikes of a pass
    runaway_patterns: Ints  # (chains,), patterns with far too many spikes in this epoch


@kernel
def respond_all(task: ChainTask, p: int, batch: ChainBatch, capacity: int) -> None:
    """Count the spikes of all chains for pattern p, into the block; each up to capacity."""
    data, constants, block = task.data, task.constants, batch.block
    block.a[:] = 0.0
    block.b[:] = 0.0
    block.counts[:] = 0
    span = span_until(data.events, p, data.horizons[p], constants.m)
    threshold = constants.threshold / constants.v_norm
    run_block(data.events, span, block, threshold, constants.m, batch.found, capacity)


def train_batch(
    step: Step,
    task: ChainTask,
    epochs: Epochs,
    state: ChainState,
    workspace: Workspace,
    batch: ChainBatch,
) -> None:
    """Train all chains of a batch for a range of epochs, each until it ends.

    The same as `train_chain` for every chain; the history is not filled.
    """
    data, options = task.data, task.options
    n_chains, capacity = state.epochs.size, workspace.actual.size
    for g in range(n_chains):
        batch.block.weights[:, g] = state.weights[g]
        if epochs.begin == 0:
            begin_chain(task, g, state, workspace)
    for epoch in range(epochs.begin, epochs.end):
        if epochs.stop[0] or not (state.status == RUNNING).any():
            return
        shuffle(workspace.order, epochs.seed, epochs.done_before + epoch)
        batch.runaway_patterns[:] = 0
        for i in range(data.horizons.size):
            p = workspace.order[i]
            respond_all(task, p, batch, capacity)
            for g in range(n_chains):
                if state.status[g] != RUNNING:
                    continue
                n = batch.block.counts[g]
                batch.runaway_patterns[g] += 2 * n >= capacity
                # Of counts only the number of spikes matters, not what the buffer holds.
                if is_met(data, g, p, options, workspace.actual[:n], options.skip_below, capacity):
                    continue
                n = respond(data, p, task.constants, state.weights[g], workspace.actual)
                outcome = take_step(step, task, g, p, n, epochs.factors[epoch], state, workspace)
                if outcome == NO_OUTCOME:
                    state.status[g] = BAD_OUTCOME
                batch.block.weights[:, g] = state.weights[g]
        for g in range(n_chains):
            if state.status[g] == RUNNING:
                end_epoch(task, g, batch.runaway_patterns[g], state, workspace)
