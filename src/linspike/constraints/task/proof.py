"""The proof that a task cannot be solved: multipliers whose sum of constraints reads 0 < 0.

Any weights that solve the task meet, with multipliers y of any sign at desired times and y >= 0 at
points where V stays below the threshold and at bounds of weights,

    (y' rows) w <= y' right-hand sides.

If y' rows is 0 and the right side negative, there are none (Farkas' lemma, (70)). Rounding leaves a
little of y' rows, so the proof holds for all weights up to some size, which is made sure to be far
beyond any that could matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.constraints.task.equalities import WeightBounds, equality_multipliers
from linspike.constraints.task.rows import Points, TaskRows
from linspike.constraints.task.solution import Constraint

FAR = 1e6  # thresholds per weight; the proof must hold for all smaller weights
NOTHING = 1e-9  # a multiplier this small, relative to the largest, is none
ROUNDING = 1e-13  # the same for a fixed weight, whose multiplier has no other error
LEAST_REST = 1e-100  # of a proof's gap: so that its size is a number
MOST_BALANCES = 5
SMALL_CONFLICT = 300  # inequalities; fewer are reduced to a set of which each is needed


class Proof(NamedTuple):
    """Multipliers of the desired times, points and bounds, and how far they prove something."""

    desired: Floats
    points: Points
    multipliers: Floats
    bounds: Floats  # by channel, negative for the lower bound; any sign where a weight is fixed
    size: float  # no weights smaller than this solve the task

    @property
    def holds(self) -> bool:
        """Whether there is no solution of any sensible size."""
        return self.size > FAR


class _Sides(NamedTuple):
    """Inequalities rows @ w <= tops: points first, then bounds of weights."""

    rows: Floats
    tops: Floats
    y: Floats


def make_proof(
    rows: TaskRows,
    bounds: WeightBounds,
    points: Points,
    multipliers: Floats,
    walls: Floats,
    *,
    reduce: bool = True,
) -> Proof:
    """Return the proof that multipliers of points and bounds of weights make.

    With `reduce`, constraints that are not needed are left out, if there are not too many.
    """
    design, goals = rows.design(rows.spikes), rows.reset_sums(rows.spikes)
    lines = rows.design(points)
    reach = _reach(np.vstack([design, lines]))
    walls = walls / reach
    least = NOTHING * max(multipliers.max(initial=0.0), np.abs(walls).max(initial=0.0))
    kept = multipliers > least
    points, channels = points.select(kept), np.flatnonzero(np.abs(walls) > least)
    inner = _Sides(lines[kept], rows.reset_sums(points), multipliers[kept])
    sides = _join_bounds(inner, bounds, channels, walls, reach)
    if reduce and 0 < sides.y.size <= SMALL_CONFLICT:
        across = _across(sides.rows, design, bounds)
        left = sides.tops - sides.rows @ _any_solution(design, goals, bounds)
        sides = sides._replace(y=reduce_support(across, left, sides.y))
    desired = equality_multipliers(design, sides.rows.T @ sides.y, bounds)
    desired[np.abs(desired) <= NOTHING * np.abs(desired).max(initial=0.0)] = 0.0
    desired, y = _balance(design, sides, desired, bounds.free)
    left = design.T @ desired + sides.rows.T @ y
    fixed = hold_fixed(bounds, left, max(np.abs(desired).max(initial=0.0), y.max(initial=0.0)))
    held = ~bounds.free
    gap = left[held] @ bounds.low[held] - desired @ goals - y @ sides.tops
    rest = max(np.abs(left[~held]).sum(), LEAST_REST * abs(gap))
    size = float(gap / rest) if gap > 0.0 else 0.0
    n = points.times.size
    used = y[:n] > 0.0
    fixed[channels] = np.sign(walls[channels]) * reach[channels] * y[n:]
    return Proof(desired, points.select(used), y[:n][used], fixed, size)


def hold_fixed(bounds: WeightBounds, left: Floats, largest: float) -> Floats:
    """Return multipliers of the weights that are fixed, which take y' rows = left to 0 there.

    Parts of `left` that are rounding beside the largest multiplier have none.
    """
    small = np.abs(left) <= ROUNDING * largest
    multipliers: Floats = np.where(bounds.free | small, 0.0, -left)
    return multipliers


def _reach(rows: Floats) -> Floats:
    """Return the largest entry of each channel, the unit of its bounds; 1 if it has none.

    A channel that spiked long ago has small entries, and a small multiplier of its bound matters.
    """
    reach = np.abs(rows).max(axis=0, initial=0.0)
    return np.where(reach > 0.0, reach, 1.0)


def _join_bounds(
    points: _Sides, bounds: WeightBounds, channels: np.ndarray, walls: Floats, reach: Floats
) -> _Sides:
    """Return the inequalities of points and, after them, of the bounds of these channels."""
    signs = np.sign(walls[channels])
    units = np.zeros((channels.size, reach.size))
    units[np.arange(channels.size), channels] = signs * reach[channels]
    limits = np.where(signs > 0.0, bounds.high[channels], -bounds.low[channels])
    return _Sides(
        np.vstack([points.rows, units]),
        np.append(points.tops, limits * reach[channels]),
        np.append(points.y, np.abs(walls[channels])),
    )


def _any_solution(design: Floats, goals: Floats, bounds: WeightBounds) -> Floats:
    """Return the smallest weights that meet the equalities."""
    free = bounds.free
    weights = np.where(free, 0.0, bounds.low)
    rest = goals - design @ weights
    weights[free] = np.linalg.lstsq(design[:, free], rest, rcond=None)[0]
    return weights


def _balance(
    design: Floats, sides: _Sides, desired: Floats, free: np.ndarray
) -> tuple[Floats, Floats]:
    """Return multipliers corrected for rounding, each in proportion: y' rows is 0 on free channels.

    Those that are 0 stay 0, and inequalities whose multiplier would fall below 0 are left out.
    """
    rows, y = np.vstack([design, sides.rows])[:, free], np.append(desired, sides.y)
    n = desired.size
    for _ in range(MOST_BALANCES):
        used = y != 0.0
        scaled = np.abs(y[used])[:, np.newaxis] * rows[used]
        for _ in range(2):
            left = rows[used].T @ y[used]
            y[used] -= np.abs(y[used]) * np.linalg.lstsq(scaled.T, left, rcond=1e-14)[0]
        below = y[n:] < 0.0
        y[n:][below] = 0.0
        if not below.any():
            break
    return y[:n], y[n:]


def _across(lines: Floats, design: Floats, bounds: WeightBounds) -> Floats:
    """Return the part of the rows that the desired times leave free, with the margin's column."""
    free = bounds.free
    q, r = np.linalg.qr(design[:, free].T)
    kept = q[:, np.abs(np.diag(r)) > 1e-11 * np.abs(np.diag(r)).max(initial=1e-300)]
    part = lines[:, free]
    across: Floats = part - (part @ kept) @ kept.T
    return across


def reduce_support(rows: Floats, tops: Floats, y: Floats) -> Floats:
    """Return y >= 0 with y' rows = 0, y' tops no larger, and as few entries as can be.

    It is a vertex of the set of proofs, so that without any one of its rows no proof is left.
    """
    y = y / y.sum()
    held = np.hstack([rows, np.ones((y.size, 1))])
    u, values, _ = np.linalg.svd(held, full_matrices=True)
    rank = int((values > 1e-10 * values.max()).sum())
    null = u[:, rank:]
    y = y - u[:, :rank] @ (u[:, :rank].T @ y) + u[:, :rank] @ _unit_sum(u[:, :rank], values, held)
    alive = np.ones(y.size, bool)
    while null.shape[1]:
        direction = -null @ (null.T @ tops)
        if np.abs(direction[alive]).max() < 1e-13:
            direction = null[:, 0]
        if not (direction[alive] < 0.0).any():
            direction = -direction
        falling = alive & (direction < 0.0)
        steps = np.where(falling, -y / np.where(falling, direction, -1.0), np.inf)
        out = int(np.argmin(steps))
        y = np.maximum(y + max(steps[out], 0.0) * direction, 0.0)
        y[out], alive[out] = 0.0, False
        # Directions that leave this entry at 0: the rest of the null space.
        pivot = null[out]
        size = np.linalg.norm(pivot)
        if size < 1e-13:
            null[out] = 0.0
            continue
        reflector = pivot.copy()
        reflector[0] += np.copysign(size, pivot[0])
        null = null - np.outer(null @ reflector, reflector) * (2.0 / (reflector @ reflector))
        null = null[:, 1:]
        null[out] = 0.0
    y[y <= NOTHING * y.max()] = 0.0
    return y


def _unit_sum(u: Floats, values: Floats, held: Floats) -> Floats:
    """Return the coordinates of the shortest y with y' held = (0, ..., 0, 1)."""
    goal = np.zeros(held.shape[1])
    goal[-1] = 1.0
    rank = u.shape[1]
    _, _, vt = np.linalg.svd(held, full_matrices=False)
    found: Floats = (vt[:rank] @ goal) / values[:rank]
    return found


def list_conflict(proof: Proof, spikes: Points) -> tuple[Constraint, ...]:
    """Return the constraints of a proof, in order of pattern and time."""
    found = [
        Constraint(int(p), float(t), float(y))
        for points, values in ((spikes, proof.desired), (proof.points, proof.multipliers))
        for p, t, y in zip(*points, values, strict=True)
        if y != 0.0
    ]
    found += [
        Constraint(-1, float(channel), float(proof.bounds[channel]))
        for channel in np.flatnonzero(proof.bounds)
    ]
    return tuple(sorted(found))
