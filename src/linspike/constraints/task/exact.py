"""Weights that put every spike at its desired time, or the proof that there are none.

Spikes at the desired times fix all resets, so V0 is linear in the weights (68):

    X(d) w = C(d) at every desired time d,   X(t) w + c(t) m <= C(t) at all others,

with a margin m, of which c(t) is less than 1 just before a spike. The inequalities are cutting
planes: the largest margin on some points is found, the maxima of V that do not keep it become
points, and so on. A positive margin at every maximum solves the task. A negative margin on some
points is one on all, and its dual variables prove that no weights exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.constraints.task.cuts import drop_known, find_cuts, is_slack
from linspike.constraints.task.equalities import WeightBounds, WeightSpace
from linspike.constraints.task.margin import (
    Inequalities,
    MarginPoint,
    find_vertex,
    join_inequalities,
    maximise_margin,
)
from linspike.constraints.task.rows import NO_POINTS, Points, TaskRows, join_points, spread_points

MOST_ROUNDS = 100
GRID = 20.0  # ms between the first points
FIRST_CURVATURE, LEAST_CURVATURE = 2.5e-4, 2.5e-8  # per mean square of a row
NO_CURVATURE = 1e-14
FALL, FAST_FALL = 0.3, 0.03  # of the curvature a round, with and without a positive margin
WIDE_GAP, GAP, SMALL_GAP = 0.5, 0.1, 1e-6  # of the margin
BOUND_SHARE = 1e-3  # of the margin that weights keep from their bounds
MOST_MARGIN = 1.0  # V at rest is one threshold below it
DROPPING_ROUNDS = 3  # first points are many and poor; to drop later ones could go in circles
UNDECIDED = 1e-6  # a margin this near to 0 decides nothing
SMALL_PROGRAM = 100_000  # entries; a simplex method is as fast there, and exact

OnRound = Callable[[int, str], None]


class Outcome(NamedTuple):
    """Where the search ended."""

    solvable: bool | None  # before the simulator has had its say
    weights: Floats
    margin: float
    points: Points
    multipliers: Floats  # of the points
    bound_multipliers: Floats  # one per channel, negative for the lower bound
    rounds: int


class MarginProgram:
    """The program of a task on the points in use."""

    def __init__(self, rows: TaskRows, space: WeightSpace, bounds: WeightBounds) -> None:
        self.rows, self.space = rows, space
        n = space.basis.shape[1]
        self.high = np.flatnonzero(bounds.free & np.isfinite(bounds.high))
        self.low = np.flatnonzero(bounds.free & np.isfinite(bounds.low))
        sides = np.vstack([space.basis[self.high], -space.basis[self.low], np.zeros((1, n))])
        above = bounds.high[self.high] - space.origin[self.high]
        below = space.origin[self.low] - bounds.low[self.low]
        shares = np.full(sides.shape[0], BOUND_SHARE)
        shares[-1] = 1.0
        self.fixed = Inequalities(sides, np.concatenate([above, below, [MOST_MARGIN]]), shares)
        self.points = NO_POINTS
        self.moving = Inequalities(np.empty((0, n)), np.empty(0), np.empty(0))
        self.y = np.zeros(sides.shape[0])
        self.x = np.zeros(n)

    def add(self, points: Points) -> None:
        """Add points as constraints."""
        design = self.rows.design(points)
        a, b, c = self.moving
        self.moving = Inequalities(
            np.vstack([a, design @ self.space.basis]),
            np.append(b, self.rows.reset_sums(points) - design @ self.space.origin),
            np.append(c, self.rows.margins(points)),
        )
        self.points = join_points([self.points, points])
        self.y = np.append(self.y, np.zeros(points.times.size))

    def drop_slack(self, margin: float) -> None:
        """Drop the points that are far from their bound."""
        a, b, c = self.moving
        keep = ~is_slack(b - a @ self.x - c * margin, margin)
        self.moving = Inequalities(a[keep], b[keep], c[keep])
        self.points = self.points.select(keep)
        n = self.fixed.b.size
        self.y = np.append(self.y[:n], self.y[n:][keep])

    def solve(self, curvature: float, gap: float) -> MarginPoint:
        """Find the largest margin on the points in use."""
        given = join_inequalities([self.fixed, self.moving])
        scale = float(np.mean(np.sum(self.moving.a**2, axis=1))) if self.moving.b.size else 1.0
        point = maximise_margin(given, self.x, self.y, curvature=curvature * scale, gap=gap)
        self.x, self.y = point.x, point.y
        return point

    def sharpen(self, last: MarginPoint) -> float:
        """Set the dual variables to those of the largest margin, and return what they prove.

        Then only constraints of the conflict have multipliers. Those of the last point remain if
        no better ones are found.
        """
        given = join_inequalities([self.fixed, self.moving])
        self.y, proved = last.y, last.upper
        if given.a.size <= SMALL_PROGRAM:
            y, upper = find_vertex(given)
        else:
            sharp = self.solve(0.0, SMALL_GAP)
            y, upper = sharp.y, sharp.upper
        if upper < 0.0:
            self.y, proved = y, min(upper, proved)
        return proved

    def split_multipliers(self, n_channels: int) -> tuple[Floats, Floats]:
        """Return the dual variables of the points, and of the bounds by channel."""
        n, high = self.fixed.b.size, self.high.size
        walls = np.zeros(n_channels)
        walls[self.high] += self.y[:high]
        walls[self.low] -= self.y[high : n - 1]
        return self.y[n:], walls


def solve_exactly(
    rows: TaskRows, space: WeightSpace, bounds: WeightBounds, *, largest: bool, on_round: OnRound
) -> Outcome:
    """Return weights for spikes at the times in rows, or a proof that there are none.

    With `largest` the margin is within a twentieth of the largest; else any will do.
    """
    program = MarginProgram(rows, space, bounds)
    program.add(spread_points(rows, GRID))
    curvature, solvable, weights, rounds = FIRST_CURVATURE, None, space.origin, 0
    margin = -np.inf
    while rounds < MOST_ROUNDS:
        point = program.solve(curvature, GAP if margin > 0.0 else WIDE_GAP)
        margin, weights = point.margin, space.weights(program.x)
        rounds += 1
        on_round(rounds, f"margin {margin:.4f}, {program.points.times.size} constraints")
        if point.upper < -UNDECIDED:
            solvable = False
            break
        cuts, highest = find_cuts(rows, weights, margin, largest=largest)
        new = drop_known(cuts, program.points)
        settled = new.times.size == 0 and curvature <= LEAST_CURVATURE
        if margin > UNDECIDED and highest < 1.0 and (not largest or settled):
            solvable = True
            break
        if settled and (margin > 0.0 or curvature < NO_CURVATURE):
            break
        fall = curvature * (FALL if margin > 0.0 else FAST_FALL)
        # Settled below 0 without a proof: there may be a solution with large weights.
        curvature = fall if settled else max(LEAST_CURVATURE, fall)
        if rounds <= DROPPING_ROUNDS:
            program.drop_slack(margin)
        program.add(new)
    if solvable is None and margin < -UNDECIDED:
        solvable = False  # if its multipliers make a proof
    if solvable is False:
        margin = min(margin, program.sharpen(point))
    multipliers, walls = program.split_multipliers(rows.n_channels)
    order = np.lexsort((program.points.times, program.points.patterns))
    points = program.points.select(order)
    return Outcome(solvable, weights, margin, points, multipliers[order], walls, rounds)
