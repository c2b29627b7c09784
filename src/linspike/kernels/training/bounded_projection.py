"""The projection of one step where weights have bounds (60): its dual, by Newton steps.

    minimise   D(eta) = eta'(K Delta w - r) - 1/2 |Delta w|^2   subject to   lower <= eta <= upper
    where      Delta w = clip(w + K' eta, low, high) - w

D is convex, piecewise quadratic and once differentiable: its gradient is K Delta w - r, its
curvature the Gram matrix of the rows over the channels that are not at a bound (a semismooth Newton
method; Qi and Sun, Math. Program. 58 (1993) 353). Each round solves the quadratic model over the
box of multipliers with `solve_box` and searches the way to its minimum for the least D.
"""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import QPWork
from linspike.kernels.training.step_problem import combine, inner

MOST_ROUNDS = 60
MOST_TRIALS = 60  # of one search
# Curvature that every row has at least, as a share of its |X|^2: a row whose channels are all at
# their bounds has none of its own. It moves no solution, since each round starts where D is.
LEAST_CURVATURE = 1e-10
FLAT = 1e-9  # slope that ends a search, as a share of the first


class BoundedStep(NamedTuple):
    """A projection with bounded weights. n rows; arrays may be longer.

    Attributes
    ----------
    rows : array of float, (n, channels)
        PSP rows K.
    rhs, lower, upper : array of float, (n,)
        Right-hand sides r, bounds of the multipliers.
    weights, low, high : array of float, (channels,)
        Weights w and their bounds.
    """

    rows: Floats
    rhs: Floats
    lower: Floats
    upper: Floats
    weights: Floats
    low: Floats
    high: Floats


class BoundedWork(NamedTuple):
    """Work arrays of `project_within`.

    Attributes
    ----------
    gram : array of float, (n, n)
        Curvature.
    gradient, downhill, below, above, step : array of float, (n,)
        Gradient of D and its negative, room of the multipliers, Newton step.
    drive, ahead, free : array of float, (channels,)
        K' eta, K' step, and 1 for channels that are not at a bound.
    qp : QPWork
        Of `solve_box`.
    """

    gram: Floats
    gradient: Floats
    downhill: Floats
    below: Floats
    above: Floats
    step: Floats
    drive: Floats
    ahead: Floats
    free: Floats
    qp: QPWork


@borrowing
def fill_change(p: BoundedStep, drive: Floats, change: Floats) -> None:
    """Set change to clip(w + drive, low, high) - w."""
    for c in range(change.size):
        moved = p.weights[c] + drive[c]
        if moved < p.low[c]:
            change[c] = p.low[c] - p.weights[c]
        elif moved > p.high[c]:
            change[c] = p.high[c] - p.weights[c]
        else:
            change[c] = drive[c]


@borrowing
def fill_gradient(p: BoundedStep, change: Floats, x: Floats, gradient: Floats, n: int) -> float:
    """Fill the gradient K Delta w - r; return the largest part that the multipliers can follow."""
    worst = 0.0
    for i in range(n):
        g = inner(p.rows[i], change) - p.rhs[i]
        gradient[i] = g
        if (g > 0.0 and x[i] > p.lower[i]) or (g < 0.0 and x[i] < p.upper[i]):
            worst = max(worst, abs(g))
    return worst


@borrowing
def fill_curvature(p: BoundedStep, work: BoundedWork, masked: Floats, n: int) -> None:
    """Fill gram with the products of rows over the free channels; masked is scratch space."""
    free, gram = work.free, work.gram
    # A channel on its bound is free as long as it is not beyond: it may move away from there.
    for c in range(free.size):
        moved = p.weights[c] + work.drive[c]
        inside = p.low[c] < p.high[c] and p.low[c] <= moved <= p.high[c]
        free[c] = 1.0 if inside else 0.0
    for i in range(n):
        row = p.rows[i]
        for c in range(free.size):
            masked[c] = free[c] * row[c]
        for j in range(i + 1):
            gram[i, j] = inner(masked, p.rows[j])
            gram[j, i] = gram[i, j]
        gram[i, i] += LEAST_CURVATURE * inner(row, row)


@borrowing
def slope_at(p: BoundedStep, work: BoundedWork, length: float) -> tuple[float, float]:
    """Return the derivative of D along the step at this length, without -r'step, and the second."""
    slope = 0.0
    curvature = 0.0
    for c in range(work.ahead.size):
        v = work.ahead[c]
        move = work.drive[c] + length * v
        moved = p.weights[c] + move
        if moved < p.low[c]:
            move = p.low[c] - p.weights[c]
        elif moved > p.high[c]:
            move = p.high[c] - p.weights[c]
        else:
            curvature += v * v
        slope += v * move
    return slope, curvature


@borrowing
def search_length(p: BoundedStep, work: BoundedWork, n: int) -> float:
    """Return the length, at most 1, at which D is least along the step.

    The derivative is piecewise linear and never falls: Newton's method finds its root, with
    bisection where that leaves the interval.
    """
    level = 0.0
    first = 0.0
    for i in range(n):
        level += p.rhs[i] * work.step[i]
        first += work.gradient[i] * work.step[i]
    a, b, t = 0.0, 1.0, 1.0
    for _ in range(MOST_TRIALS):
        slope, curvature = slope_at(p, work, t)
        slope -= level
        if abs(slope) <= FLAT * abs(first) or (slope <= 0.0 and t == 1.0):
            return t
        if slope > 0.0:
            b = t
        else:
            a = t
        t = t - slope / curvature if curvature > 0.0 else a
        if not a < t < b:
            t = 0.5 * (a + b)
    return a


@borrowing
def project_within(
    p: BoundedStep,
    x: Floats,
    change: Floats,
    tolerance: float,
    good_enough: float,
    work: BoundedWork,
    n: int,
) -> float:
    """Find multipliers x and the change they make; return the residual, a potential.

    Rounds end at the tolerance, or where a residual below `good_enough` no longer halves. Cost of a
    round: n^2 channels for the curvature and a `solve_box`. Starts from what x holds.
    """
    before = good_enough
    for round_ in range(MOST_ROUNDS):
        combine(p.rows, x, n, work.drive)
        fill_change(p, work.drive, change)
        left = fill_gradient(p, change, x, work.gradient, n)
        stalled = left > 0.5 * before and left <= good_enough
        if left <= tolerance or stalled or round_ == MOST_ROUNDS - 1:
            break
        before = left
        fill_curvature(p, work, work.ahead, n)
        for i in range(n):
            work.downhill[i] = -work.gradient[i]
            work.below[i] = p.lower[i] - x[i]
            work.above[i] = p.upper[i] - x[i]
            work.step[i] = 0.0
        solve_box(
            work.gram, work.downhill, work.below, work.above, work.step, 0.1 * tolerance, work.qp, n
        )
        combine(p.rows, work.step, n, work.ahead)
        length = search_length(p, work, n)
        for i in range(n):
            x[i] = min(max(x[i] + length * work.step[i], p.lower[i]), p.upper[i])
    return left
