"""Weights that put every spike near its desired time.

A spike at t_j = d_j + shift moves its reset along, and with it the moving threshold of all that
comes after. Near the present weights and spike times the first-order terms are (71)

    V'(t_j) dt_j = C(t_j) - X(t_j) w + sum over t_i < t_j of dt_i exp(-(t_j - t_i)/tau_m)/tau_m

so the shifts dt are linear in the weights, and the largest margin with all spikes in their windows
is a program as in `exact`. Its solution moves weights and spikes, and so on until the simulated
spikes are in their windows. There need not be an end: what is not found may exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.constraints.task.cuts import drop_known, find_cuts, is_slack
from linspike.constraints.task.equalities import WeightBounds, solve_equalities
from linspike.constraints.task.exact import (
    BOUND_SHARE,
    FALL,
    FAST_FALL,
    FIRST_CURVATURE,
    GAP,
    LEAST_CURVATURE,
    MOST_MARGIN,
    OnRound,
    solve_exactly,
)
from linspike.constraints.task.margin import Inequalities, join_inequalities, maximise_margin
from linspike.constraints.task.rows import Points, TaskRows, join_points, sort_points

MOST_ROUNDS = 30
PATIENCE = 5  # rounds without a better margin
BETTER = 0.02  # of the margin
SHRINK = 0.7  # of the trust region, when a round brought nothing better
INSIDE = 0.97  # of the tolerance: where spikes are aimed at
FIRST_TRUST = 0.25  # of the tolerance that a spike may move in a round
LEAST_SLOPE = 0.02  # thresholds per tau_s/5; flatter crossings are taken for this steep
APPROACHES = (0.1, 0.4, 1.0)  # points before a spike that move along, in approaches
SHIFT_UNIT = 0.05  # thresholds per approach: makes shifts and potentials comparable
SHIFT_SHARE = 1e-2  # of the margin that shifts keep from the ends of their windows


class Shifts(NamedTuple):
    """Spike times as functions of the weights: dt = moves @ weights + start."""

    moves: Floats
    start: Floats
    low: Floats
    high: Floats


class WindowSearch:
    """Weights and spike times on their way into the windows.

    Parameters
    ----------
    rows : TaskRows
        The task, with resets at the desired times; they are moved from there.
    bounds : WeightBounds
        Bounds of the weights.
    tolerance : float
        Half the width of the windows.
    """

    def __init__(self, rows: TaskRows, bounds: WeightBounds, tolerance: float) -> None:
        self.rows, self.bounds, self.desired = rows, bounds, rows.spikes
        self.reach, self.trust = INSIDE * tolerance, FIRST_TRUST * tolerance
        self.least_slope = LEAST_SLOPE * 5.0 * rows.membrane.rate_s

    def influence(self, points: Points) -> Floats:
        """Return by how much C at points rises for each millisecond that a spike is later."""
        spikes, rate = self.rows.spikes, self.rows.membrane.rate_m
        ages = points.times[:, np.newaxis] - spikes.times
        counts = (points.patterns[:, np.newaxis] == spikes.patterns) & (ages > 0.0)
        values: Floats = np.where(counts, rate * np.exp(-rate * np.maximum(ages, 0.0)), 0.0)
        return values

    def linear_shifts(self, weights: Floats) -> Shifts:
        """Return the shifts that weights near the present ones cause, and how far they may go."""
        from scipy.linalg import solve_triangular

        spikes = self.rows.spikes
        earlier = self.influence(spikes)
        slopes = self.rows.slopes(weights, spikes) + earlier.sum(axis=1)
        matrix = np.diag(np.maximum(slopes, self.least_slope)) - earlier
        moves = -solve_triangular(matrix, self.rows.design(spikes), lower=True)
        start = solve_triangular(matrix, self.rows.reset_sums(spikes), lower=True)
        gone = spikes.times - self.desired.times
        low = np.maximum(-self.reach - gone, -self.trust)
        high = np.minimum(self.reach - gone, self.trust)
        return Shifts(moves, start, low, high)

    def approach_points(self, share: float) -> tuple[Points, np.ndarray]:
        """Return points this share of the approach before the spikes, and of which spikes."""
        spikes = self.rows.spikes
        times = spikes.times - share * self.rows.approach
        same = np.append(False, spikes.patterns[1:] == spikes.patterns[:-1])
        since = np.where(same, np.append(0.0, spikes.times[:-1]), 0.0)
        which = np.flatnonzero(times > since + 0.05 * self.rows.approach)
        return Points(spikes.patterns[which], times[which]), which

    def program(self, weights: Floats, points: Points, shifts: Shifts) -> Inequalities:
        """Return the linearised constraints on the weights that are not fixed."""
        rows = self.rows
        sides = [shifts.moves, -shifts.moves]
        walls = [shifts.high - shifts.start, shifts.start - shifts.low]
        unit = SHIFT_UNIT / rows.approach
        parts = [
            Inequalities(unit * side, unit * wall, np.full(wall.size, SHIFT_SHARE))
            for side, wall in zip(sides, walls, strict=True)
        ]
        parts.append(self._lines(points, self.influence(points), shifts, rows.margins(points)))
        for share in APPROACHES:
            moving, which = self.approach_points(share)
            effect = self.influence(moving)
            rise = rows.slopes(weights, moving) + effect.sum(axis=1)
            effect[np.arange(which.size), which] -= rise
            parts.append(self._lines(moving, effect, shifts, np.full(which.size, share)))
        return self._within_bounds(join_inequalities(parts))

    def _lines(
        self, points: Points, effect: Floats, shifts: Shifts, shares: Floats
    ) -> Inequalities:
        """Return X w - effect dt + share m <= C, with the shifts put in."""
        design = self.rows.design(points) - effect @ shifts.moves
        tops = self.rows.reset_sums(points) + effect @ shifts.start
        return Inequalities(design, tops, shares)

    def _within_bounds(self, given: Inequalities) -> Inequalities:
        """Return the constraints on free weights, with their bounds and that of the margin."""
        low, high = self.bounds
        free = self.bounds.free
        unit = np.eye(int(free.sum()))
        above, below = np.isfinite(high[free]), np.isfinite(low[free])
        b = given.b if free.all() else given.b - given.a[:, ~free] @ low[~free]
        none = np.zeros((1, unit.shape[0]))
        n_walls = int(above.sum() + below.sum())
        return Inequalities(
            np.vstack([given.a[:, free], unit[above], -unit[below], none]),
            np.concatenate([b, high[free][above], -low[free][below], [MOST_MARGIN]]),
            np.concatenate([given.c, np.full(n_walls, BOUND_SHARE), [1.0]]),
        )

    def solve_here(self, weights: Floats) -> Floats:
        """Return weights for spikes exactly where they are now, or the same if there are none."""
        rows, bounds = self.rows, self.bounds
        spikes = rows.spikes
        space, _ = solve_equalities(rows.design(spikes), rows.reset_sums(spikes), bounds)
        if space is None:
            return weights
        found = solve_exactly(rows, space, bounds, largest=False, on_round=lambda *_: None)
        return found.weights if found.solvable else weights

    def move(self, weights: Floats, shifts: Shifts) -> None:
        """Move the spikes to where the weights are to put them."""
        change = np.clip(shifts.moves @ weights + shifts.start, shifts.low, shifts.high)
        self.rows.spikes = Points(self.desired.patterns, self.rows.spikes.times + change)


def search_windows(
    search: WindowSearch,
    weights: Floats,
    points: Points,
    is_solution: Callable[[Floats], bool],
    on_round: OnRound,
) -> tuple[bool, Floats, float, int]:
    """Move weights and spikes until `is_solution` holds or nothing gets better.

    Returns whether it does, the weights, the margin of the last program and the rounds.
    """
    rows, free = search.rows, search.bounds.free
    curvature, best, since, margin = FIRST_CURVATURE, -np.inf, 0, -np.inf
    number = 0
    while number < MOST_ROUNDS and since < PATIENCE:
        number += 1
        points = points.select(rows.margins(points) > 0.05)
        shifts = search.linear_shifts(weights)
        given = search.program(weights, points, shifts)
        scale = curvature * float(np.mean(np.sum(given.a**2, axis=1)))
        none = np.zeros(given.b.size)
        found = maximise_margin(given, weights[free], none, curvature=scale, gap=GAP)
        weights, margin = weights.copy(), found.margin
        weights[free] = found.x
        search.move(weights, shifts)
        on_round(number, f"margin {margin:.4f}, {given.b.size} constraints")
        if margin > 0.0 and not is_solution(weights):  # the error of the linear terms is left
            weights = search.solve_here(weights)
        if is_solution(weights):
            return True, weights, margin, number
        since = 0 if margin > best + BETTER * abs(best) else since + 1
        best = max(best, margin)
        if since or margin > 0.0:
            search.trust *= SHRINK
        curvature = max(LEAST_CURVATURE, curvature * (FALL if margin > 0.0 else FAST_FALL))
        points = renew_points(rows, weights, points, margin)
    return False, weights, margin, number


def renew_points(rows: TaskRows, weights: Floats, points: Points, margin: float) -> Points:
    """Return the points without those that are slack, and with the maxima that break the margin."""
    distances = rows.reset_sums(points) - rows.design(points) @ weights
    points = points.select(~is_slack(distances - rows.margins(points) * margin, margin))
    cuts, _ = find_cuts(rows, weights, margin, largest=False)
    return sort_points(*join_points([points, drop_known(cuts, points)]))
