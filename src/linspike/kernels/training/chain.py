"""A whole chain in compiled code: one neuron learns one sequence of patterns, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import kernel
from linspike.kernels.rows.windows import add_row
from linspike.kernels.simulation.events import Events, span_until
from linspike.kernels.simulation.single import simulate
from linspike.kernels.threshold.dynamic import CRITICAL, times_at_critical, times_by_halving
from linspike.kernels.training.protocol import DEAD, SOLVED, UNCHANGED, Cell, Situation, Work
from linspike.kernels.trains.criterion import VRD_TAU, times_met
from linspike.kernels.trains.distances import van_rossum_squared

Step = Callable[[Situation, Floats, Floats, Floats, Work], int]

# Columns of the history, one row an epoch.
ACCURACY, DISTANCE, STEPPED, FELL_BACK, DIED, NORM = range(6)
N_COLUMNS = 6

# How a chain ends.
NOT_CONVERGED, CONVERGED, NOT_FINITE, BAD_OUTCOME, RAN_AWAY = range(5)

# A neuron that answers most patterns with far too many spikes, epoch after epoch, loses one of
# them a step at best; its steps are the largest problems there are. It is given up.
RUNAWAY_EPOCHS = 5

ANNEALING = 0.8  # share of the epochs in which the pace goes from its first to its last value

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


class Lesson(NamedTuple):
    """What one chain is to learn."""

    events: Events
    untils: Floats  # (patterns,)
    times: Floats  # wanted times of all patterns, flat; empty for counts
    offsets: Ints  # (patterns + 1,)
    counts: Ints  # (patterns,), -1 for times
    bounds: Floats  # (patterns,), vRD*
    k_wanted: Floats  # (all wanted times, channels), PSP rows
    z_wanted: Floats  # the same for the rule's window
    loud_times: Floats  # (patterns,), where |X| is largest
    scales: Floats  # (patterns,), factors of the steps


class Plan(NamedTuple):
    """How it is to learn it."""

    first_epoch: int  # epochs done before: the order of presentation goes on from there
    max_epochs: int
    criterion: int
    settle: float
    at_least: bool  # counts: more than wanted is right too
    count_target: int
    own_counts: bool  # the rule learns counts itself, without wanted times
    momentum: float
    first_pace: float  # factor of the steps in the first epoch
    last_pace: float  # and from ANNEALING of max_epochs on
    track: bool  # fill the history


class Desk(NamedTuple):
    """Work arrays of a chain."""

    actual: Floats
    wanted: Floats
    change: Floats
    velocity: Floats
    order: Ints
    rows_k: Floats  # rows of wanted times found by the dynamic threshold
    rows_z: Floats
    work: Work


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits (splitmix64's finaliser)."""
    x = (x ^ (x >> S30)) * MIX_A
    x = (x ^ (x >> S27)) * MIX_B
    return x ^ (x >> S31)


@kernel
def shuffle(order: Ints, seed: int, epoch: int) -> None:
    """Presentation order of an epoch: a pure function of (seed, epoch)."""
    for i in range(order.size):
        order[i] = i
    state = mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(epoch))
    for i in range(order.size - 1, 0, -1):
        state += GOLDEN
        share = np.float64(mix(state) >> S11) * 2.0**-53
        j = int(share * (i + 1))
        order[i], order[j] = order[j], order[i]


@kernel
def pace(plan: Plan, epoch: int) -> float:
    """Factor of the steps in an epoch: on a straight line from the first to the last pace."""
    done = min(1.0, (plan.first_epoch + epoch) / (ANNEALING * plan.max_epochs))
    return plan.first_pace + done * (plan.last_pace - plan.first_pace)


@kernel
def answer(lesson: Lesson, p: int, cell: Cell, weights: Floats, out: Floats) -> int:
    """Response to pattern p, into out; returns its length."""
    span = span_until(lesson.events, p, lesson.untils[p], cell.m)
    n, _ = simulate(lesson.events, span, weights, cell.threshold / cell.v_norm, cell.m, out)
    return n


@kernel
def is_met(lesson: Lesson, p: int, plan: Plan, actual: Floats, share: float, room: int) -> bool:
    """Whether a response is right, or closer still; one that filled its room was cut off."""
    count = lesson.counts[p]
    if plan.at_least and count > 0 and actual.size > count:
        return True
    if actual.size == room:
        return False
    if count >= 0:
        return bool(actual.size == count)
    wanted = lesson.times[lesson.offsets[p] : lesson.offsets[p + 1]]
    return times_met(actual, wanted, lesson.bounds[p], plan.criterion, share)


@kernel
def find_wanted(
    lesson: Lesson, p: int, plan: Plan, cell: Cell, weights: Floats, n_actual: int, out: Floats
) -> int:
    """Wanted times for a wrong count, one spike nearer to it; 0 for a dead pattern."""
    more = n_actual < lesson.counts[p]
    goal = n_actual + 1 if more else n_actual - 1
    if goal == 0:
        return 0
    span = span_until(lesson.events, p, lesson.untils[p], cell.m)
    scaled = cell.threshold / cell.v_norm
    if plan.count_target == CRITICAL:
        return times_at_critical(lesson.events, span, weights, scaled, cell.m, goal, more, out)
    return times_by_halving(lesson.events, span, weights, scaled, cell.m, goal, more, out)


@kernel
def fill_wanted_rows(lesson: Lesson, p: int, cell: Cell, wanted: Floats, desk: Desk) -> None:
    """Rows of wanted times that were found, not given."""
    first, stop = lesson.events.offsets[p], lesson.events.offsets[p + 1]
    for i in range(wanted.size):
        desk.rows_k[i, :] = 0.0
        add_row(lesson.events, first, stop, wanted[i], cell.psp, cell.m, desk.rows_k[i])
        if cell.window == cell.psp:
            desk.rows_z[i, :] = desk.rows_k[i]
        else:
            desk.rows_z[i, :] = 0.0
            add_row(lesson.events, first, stop, wanted[i], cell.window, cell.m, desk.rows_z[i])


@kernel
def situation_of(
    lesson: Lesson, p: int, plan: Plan, cell: Cell, weights: Floats, n_actual: int, desk: Desk
) -> tuple[Situation, bool]:
    """What the rule is handed for pattern p, and whether the pattern is dead."""
    actual = desk.actual[:n_actual]
    count = lesson.counts[p]
    dead = False
    if count < 0:
        lo, hi = lesson.offsets[p], lesson.offsets[p + 1]
        wanted = lesson.times[lo:hi]
        k_wanted, z_wanted = lesson.k_wanted[lo:hi], lesson.z_wanted[lo:hi]
    else:
        n = 0
        if not plan.own_counts:
            n = find_wanted(lesson, p, plan, cell, weights, n_actual, desk.wanted)
            if n == 0 and n_actual < count:
                dead = True
                desk.wanted[0] = lesson.loud_times[p]
                n = 1
        wanted = desk.wanted[:n]
        fill_wanted_rows(lesson, p, cell, wanted, desk)
        k_wanted, z_wanted = desk.rows_k[:n], desk.rows_z[:n]
    return (
        Situation(
            lesson.events,
            p,
            lesson.untils[p],
            cell,
            wanted,
            actual,
            k_wanted,
            z_wanted,
            count,
            lesson.loud_times[p],
        ),
        dead,
    )


@kernel
def evaluate(
    lesson: Lesson, plan: Plan, cell: Cell, weights: Floats, desk: Desk
) -> tuple[int, float]:
    """Number of right answers and mean distance; stops at the first wrong one unless tracking."""
    right = 0
    distance = 0.0
    for p in range(lesson.counts.size):
        n = answer(lesson, p, cell, weights, desk.actual)
        actual = desk.actual[:n]
        met = is_met(lesson, p, plan, actual, 1.0, desk.actual.size)
        right += met
        if not plan.track:
            if not met:
                break
        elif lesson.counts[p] >= 0:
            distance += abs(n - lesson.counts[p])
        else:
            wanted = lesson.times[lesson.offsets[p] : lesson.offsets[p + 1]]
            distance += np.sqrt(van_rossum_squared(actual, wanted, VRD_TAU))
    return right, distance / lesson.counts.size


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
    lesson: Lesson,
    plan: Plan,
    cell: Cell,
    parameters: Floats,
    weights: Floats,
    seed: int,
    stop: npt.NDArray[np.uint8],
    progress: Ints,
    history: Floats,
    desk: Desk,
) -> tuple[int, int]:
    """Learn until all answers are right or the epochs are used up.

    weights are changed in place. stop is looked at and progress written at every epoch. Returns
    the number of epochs and how the chain ended.
    """
    n_patterns = lesson.counts.size
    desk.velocity[:] = 0.0
    right, _ = evaluate(lesson, plan, cell, weights, desk)
    if right == n_patterns:
        return 0, CONVERGED
    loud_epochs = 0
    for epoch in range(plan.max_epochs):
        if stop[0]:
            return epoch, NOT_CONVERGED
        shuffle(desk.order, seed, plan.first_epoch + epoch)
        factor = pace(plan, epoch)
        outcomes = np.zeros(4, np.int64)
        loud = 0
        for i in range(n_patterns):
            p = desk.order[i]
            n = answer(lesson, p, cell, weights, desk.actual)
            loud += 2 * n >= desk.actual.size
            if is_met(lesson, p, plan, desk.actual[:n], plan.settle, desk.actual.size):
                continue
            situation, dead = situation_of(lesson, p, plan, cell, weights, n, desk)
            outcome = step(situation, parameters, weights, desk.change, desk.work)
            if outcome < SOLVED or outcome > UNCHANGED:
                return epoch, BAD_OUTCOME
            outcomes[DEAD if dead else outcome] += 1
            if outcome == UNCHANGED:
                continue
            scale = factor * lesson.scales[p]
            add_change(weights, desk.velocity, desk.change, scale, plan.momentum)
        if not np.isfinite(weights.sum()):
            return epoch + 1, NOT_FINITE
        right, distance = evaluate(lesson, plan, cell, weights, desk)
        progress[0] = epoch + 1
        if plan.track:
            steps = max(1, outcomes.sum())
            history[epoch, ACCURACY] = right / n_patterns
            history[epoch, DISTANCE] = distance
            history[epoch, STEPPED] = outcomes.sum() / n_patterns
            history[epoch, FELL_BACK] = outcomes[1] / steps
            history[epoch, DIED] = outcomes[DEAD] / steps
            history[epoch, NORM] = np.sqrt((weights * weights).sum())
        if right == n_patterns:
            return epoch + 1, CONVERGED
        loud_epochs = loud_epochs + 1 if 2 * loud > n_patterns else 0
        if loud_epochs == RUNAWAY_EPOCHS:
            return epoch + 1, RAN_AWAY
    return plan.max_epochs, NOT_CONVERGED
