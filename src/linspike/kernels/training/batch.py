"""Chains that learn counts for the same patterns in the same order, side by side.

One pass over a pattern answers for all of them: its events are fetched and its decays applied
once, the states are vectorised. Most patterns are answered rightly by most neurons, so that pass
is what an epoch mostly costs. Only a neuron that is wrong is looked at by itself, and then all is
as in `chain`, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import kernel
from linspike.kernels.rng import shuffle
from linspike.kernels.simulation.batch import Block, Spikes, run_block
from linspike.kernels.simulation.events import span_until
from linspike.kernels.training.chain import (
    BAD_OUTCOME,
    CONVERGED,
    NOT_CONVERGED,
    NOT_FINITE,
    RAN_AWAY,
    RUNAWAY_EPOCHS,
    ChainData,
    Step,
    TrainOptions,
    Workspace,
    add_change,
    evaluate,
    is_met,
    make_step_input,
    pace,
    respond,
)
from linspike.kernels.training.protocol import SOLVED, UNCHANGED, NeuronConstants


class Members(NamedTuple):
    """The neurons of a team."""

    desired: Ints  # (neurons, patterns), counts
    weights: Floats  # (neurons, channels), changed in place
    velocity: Floats  # (neurons, channels)
    block: Block  # the same weights, a row per channel, and the states of a pass
    found: Spikes  # room for all spikes of a pass
    runaway_patterns: Ints  # (neurons,), patterns answered with far too many spikes
    runaway_epochs: Ints  # (neurons,), epochs on end with mostly such patterns
    epochs: Ints  # (neurons,), done
    endings: Ints  # (neurons,), NOT_CONVERGED while it learns
    learning: npt.NDArray[np.bool_]  # (neurons,)


@kernel
def own_data(data: ChainData, desired: Ints) -> ChainData:
    """The shared lesson with one neuron's counts."""
    return ChainData(
        data.events,
        data.untils,
        data.times,
        data.offsets,
        desired,
        data.bounds,
        data.k_desired,
        data.z_desired,
        data.peak_drive_times,
        data.scales,
    )


@kernel
def respond_all(
    data: ChainData, p: int, constants: NeuronConstants, members: Members, room: int
) -> None:
    """Counts of all neurons for pattern p, into the block; each up to `room`, as `answer` has."""
    block = members.block
    block.a[:] = 0.0
    block.b[:] = 0.0
    block.counts[:] = 0
    span = span_until(data.events, p, data.untils[p], constants.m)
    threshold = constants.threshold / constants.v_norm
    run_block(data.events, span, block, threshold, constants.m, members.found, room)


@kernel
def close_epoch(
    data: ChainData,
    options: TrainOptions,
    constants: NeuronConstants,
    members: Members,
    workspace: Workspace,
    g: int,
    epochs: int,
) -> None:
    """Whether a neuron goes on after so many epochs, and if not, why."""
    n_patterns = data.untils.size
    members.epochs[g] = epochs
    if not np.isfinite(members.weights[g].sum()):
        members.endings[g] = NOT_FINITE
        members.learning[g] = False
        return
    mine = own_data(data, members.desired[g])
    right, _ = evaluate(mine, options, constants, members.weights[g], workspace)
    runaway_patterns = 2 * members.runaway_patterns[g] > n_patterns
    members.runaway_epochs[g] = members.runaway_epochs[g] + 1 if runaway_patterns else 0
    if right == n_patterns:
        members.endings[g] = CONVERGED
        members.learning[g] = False
    elif members.runaway_epochs[g] == RUNAWAY_EPOCHS:
        members.endings[g] = RAN_AWAY
        members.learning[g] = False


def team(
    step: Step,
    data: ChainData,
    options: TrainOptions,
    constants: NeuronConstants,
    parameters: Floats,
    seed: int,
    stop: npt.NDArray[np.uint8],
    workspace: Workspace,
    members: Members,
) -> None:
    """What `chain` does for one neuron, for all members at once; each ends by itself."""
    n_patterns = data.untils.size
    n_neurons = members.epochs.size
    room = workspace.actual.size
    members.velocity[:] = 0.0
    members.runaway_patterns[:] = 0
    members.runaway_epochs[:] = 0
    members.endings[:] = NOT_CONVERGED
    members.learning[:] = True
    for g in range(n_neurons):
        members.block.weights[:, g] = members.weights[g]
        close_epoch(data, options, constants, members, workspace, g, 0)
    for epoch in range(options.max_epochs):
        if stop[0] or not members.learning.any():
            return
        shuffle(workspace.order, seed, options.first_epoch + epoch)
        factor = pace(options, epoch)
        members.runaway_patterns[:] = 0
        for i in range(n_patterns):
            p = workspace.order[i]
            respond_all(data, p, constants, members, room)
            for g in range(n_neurons):
                if not members.learning[g]:
                    continue
                n = members.block.counts[g]
                members.runaway_patterns[g] += 2 * n >= room
                mine = own_data(data, members.desired[g])
                if is_met(mine, p, options, workspace.actual[:n], options.settle, room):
                    continue
                weights = members.weights[g]
                n = respond(mine, p, constants, weights, workspace.actual)
                step_input, _ = make_step_input(mine, p, options, constants, weights, n, workspace)
                outcome = step(step_input, parameters, weights, workspace.change, workspace.work)
                if outcome < SOLVED or outcome > UNCHANGED:
                    members.endings[g] = BAD_OUTCOME
                    members.learning[g] = False
                elif outcome != UNCHANGED:
                    velocity = members.velocity[g]
                    scale = factor * data.scales[p]
                    add_change(weights, velocity, workspace.change, scale, options.momentum)
                    members.block.weights[:, g] = weights
        for g in range(n_neurons):
            if members.learning[g]:
                close_epoch(data, options, constants, members, workspace, g, epoch + 1)
