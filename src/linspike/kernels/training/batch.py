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
from linspike.kernels.simulation.batch import Block, Spikes, run_block
from linspike.kernels.simulation.events import span_until
from linspike.kernels.training.chain import (
    BAD_OUTCOME,
    CONVERGED,
    NOT_CONVERGED,
    NOT_FINITE,
    RAN_AWAY,
    RUNAWAY_EPOCHS,
    Desk,
    Lesson,
    Plan,
    Step,
    add_change,
    answer,
    evaluate,
    is_met,
    pace,
    shuffle,
    situation_of,
)
from linspike.kernels.training.protocol import SOLVED, UNCHANGED, Cell


class Members(NamedTuple):
    """The neurons of a team."""

    wanted: Ints  # (neurons, patterns), counts
    weights: Floats  # (neurons, channels), changed in place
    velocity: Floats  # (neurons, channels)
    block: Block  # the same weights, a row per channel, and the states of a pass
    found: Spikes  # room for all spikes of a pass
    loud: Ints  # (neurons,), patterns answered with far too many spikes
    loud_epochs: Ints  # (neurons,), epochs on end with mostly such patterns
    epochs: Ints  # (neurons,), done
    endings: Ints  # (neurons,), NOT_CONVERGED while it learns
    learning: npt.NDArray[np.bool_]  # (neurons,)


@kernel
def own_lesson(lesson: Lesson, wanted: Ints) -> Lesson:
    """The shared lesson with one neuron's counts."""
    return Lesson(
        lesson.events,
        lesson.untils,
        lesson.times,
        lesson.offsets,
        wanted,
        lesson.bounds,
        lesson.k_wanted,
        lesson.z_wanted,
        lesson.loud_times,
        lesson.scales,
    )


@kernel
def answer_all(lesson: Lesson, p: int, cell: Cell, members: Members, room: int) -> None:
    """Counts of all neurons for pattern p, into the block; each up to `room`, as `answer` has."""
    block = members.block
    block.a[:] = 0.0
    block.b[:] = 0.0
    block.counts[:] = 0
    span = span_until(lesson.events, p, lesson.untils[p], cell.m)
    threshold = cell.threshold / cell.v_norm
    run_block(lesson.events, span, block, threshold, cell.m, members.found, room)


@kernel
def close_epoch(
    lesson: Lesson, plan: Plan, cell: Cell, members: Members, desk: Desk, g: int, epochs: int
) -> None:
    """Whether a neuron goes on after so many epochs, and if not, why."""
    n_patterns = lesson.untils.size
    members.epochs[g] = epochs
    if not np.isfinite(members.weights[g].sum()):
        members.endings[g] = NOT_FINITE
        members.learning[g] = False
        return
    mine = own_lesson(lesson, members.wanted[g])
    right, _ = evaluate(mine, plan, cell, members.weights[g], desk)
    loud = 2 * members.loud[g] > n_patterns
    members.loud_epochs[g] = members.loud_epochs[g] + 1 if loud else 0
    if right == n_patterns:
        members.endings[g] = CONVERGED
        members.learning[g] = False
    elif members.loud_epochs[g] == RUNAWAY_EPOCHS:
        members.endings[g] = RAN_AWAY
        members.learning[g] = False


def team(
    step: Step,
    lesson: Lesson,
    plan: Plan,
    cell: Cell,
    parameters: Floats,
    seed: int,
    stop: npt.NDArray[np.uint8],
    desk: Desk,
    members: Members,
) -> None:
    """What `chain` does for one neuron, for all members at once; each ends by itself."""
    n_patterns = lesson.untils.size
    n_neurons = members.epochs.size
    room = desk.actual.size
    members.velocity[:] = 0.0
    members.loud[:] = 0
    members.loud_epochs[:] = 0
    members.endings[:] = NOT_CONVERGED
    members.learning[:] = True
    for g in range(n_neurons):
        members.block.weights[:, g] = members.weights[g]
        close_epoch(lesson, plan, cell, members, desk, g, 0)
    for epoch in range(plan.max_epochs):
        if stop[0] or not members.learning.any():
            return
        shuffle(desk.order, seed, plan.first_epoch + epoch)
        factor = pace(plan, epoch)
        members.loud[:] = 0
        for i in range(n_patterns):
            p = desk.order[i]
            answer_all(lesson, p, cell, members, room)
            for g in range(n_neurons):
                if not members.learning[g]:
                    continue
                n = members.block.counts[g]
                members.loud[g] += 2 * n >= room
                mine = own_lesson(lesson, members.wanted[g])
                if is_met(mine, p, plan, desk.actual[:n], plan.settle, room):
                    continue
                weights = members.weights[g]
                n = answer(mine, p, cell, weights, desk.actual)
                situation, _ = situation_of(mine, p, plan, cell, weights, n, desk)
                outcome = step(situation, parameters, weights, desk.change, desk.work)
                if outcome < SOLVED or outcome > UNCHANGED:
                    members.endings[g] = BAD_OUTCOME
                    members.learning[g] = False
                elif outcome != UNCHANGED:
                    velocity = members.velocity[g]
                    scale = factor * lesson.scales[p]
                    add_change(weights, velocity, desk.change, scale, plan.momentum)
                    members.block.weights[:, g] = weights
        for g in range(n_neurons):
            if members.learning[g]:
                close_epoch(lesson, plan, cell, members, desk, g, epoch + 1)
