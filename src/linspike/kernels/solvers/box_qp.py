"""Box-constrained quadratic program (22): the dual of a projection, solved to convergence.

    minimise 1/2 x'Gx - r'x   subject to   low <= x <= high,   G symmetric, positive semidefinite

Coordinate descent finds the active bounds quickly but stalls on nearly dependent rows, so it
takes turns with a Newton step on the free variables: Cholesky with lifted pivots, where a
dependent row takes a long step and its bound stops it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.jit import borrowing

FIRST_SWEEPS = 20
MORE_SWEEPS = 8
MOST_ROUNDS = 200
LEAST_ROUNDS = 4
MOST_WORK = 1e9
LIFT = 1e-12  # smallest pivot, relative to the row's own diagonal


class QPWork(NamedTuple):
    """Work space for problems of up to n variables; nothing is kept between calls.

    Attributes
    ----------
    gradient, step : array of float, (n,)
        Gradient and Newton step.
    free : array of int, (n,)
        Indices of free variables.
    factor : array of float, (n, n)
        Cholesky factor.
    """

    gradient: Floats
    step: Floats
    free: npt.NDArray[np.int64]
    factor: Floats


@borrowing
def sweep(gram: Floats, low: Floats, high: Floats, x: Floats, gradient: Floats, n: int) -> None:
    """Make one pass of exact coordinate descent; gradient = Gx - r is kept up to date."""
    # Each variable in turn minimises (22) exactly, within its interval; the others are fixed.
    for i in range(n):
        pivot = gram[i, i]
        if pivot <= 0.0:  # a zero row: its multiplier moves nothing
            continue
        clipped = min(max(x[i] - gradient[i] / pivot, low[i]), high[i])
        change = clipped - x[i]
        if change != 0.0:
            x[i] = clipped
            for j in range(n):
                gradient[j] += change * gram[i, j]


@borrowing
def residual(gram: Floats, low: Floats, high: Floats, x: Floats, gradient: Floats, n: int) -> float:
    """Return the largest component of the projected gradient; infinite if one is not finite.

    A zero row moves nothing, so its gradient does not count.
    """
    worst = 0.0
    for i in range(n):
        g = gradient[i]
        if not (g > -math.inf and g < math.inf):
            return math.inf
        pushed = (g > 0.0 and x[i] > low[i]) or (g < 0.0 and x[i] < high[i])
        if pushed and gram[i, i] > 0.0:
            worst = max(worst, abs(g))
    return worst


@borrowing
def newton_direction(
    gram: Floats, low: Floats, high: Floats, x: Floats, work: QPWork, n: int
) -> int:
    """Solve for the free variables with all others fixed; returns how many are free."""
    gradient, step, free, factor = work.gradient, work.step, work.free, work.factor
    # The active set: a variable is fixed if it is on a bound and the gradient points outwards.
    count = 0
    for i in range(n):
        held = (x[i] <= low[i] and gradient[i] >= 0.0) or (x[i] >= high[i] and gradient[i] <= 0.0)
        if not held and gram[i, i] > 0.0:
            free[count] = i
            count += 1
    # Cholesky factor of the free part of G.
    for i in range(count):
        row = free[i]
        for j in range(i + 1):
            value = gram[row, free[j]]
            for k in range(j):
                value -= factor[i, k] * factor[j, k]
            if i == j:
                factor[i, i] = math.sqrt(max(value, LIFT * gram[row, row]))
            elif factor[j, j] ** 2 <= 2.0 * LIFT * gram[free[j], free[j]]:
                factor[i, j] = 0.0  # a lifted pivot must not blow up the rows after it
            else:
                factor[i, j] = value / factor[j, j]
    # Forward and backward substitution: G_free step = -gradient.
    for i in range(count):
        value = -gradient[free[i]]
        for k in range(i):
            value -= factor[i, k] * step[k]
        step[i] = value / factor[i, i]
    for i in range(count - 1, -1, -1):
        value = step[i]
        for k in range(i + 1, count):
            value -= factor[k, i] * step[k]
        step[i] = value / factor[i, i]
    return count


@borrowing
def change_of_objective(
    gram: Floats, low: Floats, high: Floats, x: Floats, work: QPWork, count: int, length: float
) -> float:
    """Return the change of the objective for a clipped step of this length along the direction."""
    gradient, step, free = work.gradient, work.step, work.free
    total = 0.0
    # gradient' move + 1/2 move' G move, where move is the step after clipping to the box.
    for i in range(count):
        p = free[i]
        move = min(max(x[p] + length * step[i], low[p]), high[p]) - x[p]
        if move == 0.0:
            continue
        inner = 0.0
        for j in range(count):
            q = free[j]
            inner += gram[p, q] * (min(max(x[q] + length * step[j], low[q]), high[q]) - x[q])
        total += move * (gradient[p] + 0.5 * inner)
    return total


@borrowing
def take_step(
    gram: Floats,
    low: Floats,
    high: Floats,
    x: Floats,
    work: QPWork,
    count: int,
    length: float,
    n: int,
) -> None:
    """Move along the direction, clipped to the box."""
    gradient, step, free = work.gradient, work.step, work.free
    for i in range(count):
        p = free[i]
        clipped = min(max(x[p] + length * step[i], low[p]), high[p])
        change = clipped - x[p]
        if change != 0.0:
            x[p] = clipped
            for j in range(n):
                gradient[j] += change * gram[p, j]


@borrowing
def length_to_first_bound(low: Floats, high: Floats, x: Floats, work: QPWork, count: int) -> float:
    """Return the longest step, at most 1, before a free variable meets its bound."""
    length = 1.0
    for i in range(count):
        p = work.free[i]
        s = work.step[i]
        distance = high[p] - x[p] if s > 0.0 else low[p] - x[p]
        if s != 0.0 and distance / s < length:
            length = max(distance / s, 0.0)
    return length


@borrowing
def solve_box(
    gram: Floats,
    r: Floats,
    low: Floats,
    high: Floats,
    x: Floats,
    tolerance: float,
    work: QPWork,
    n: int,
    most_rounds: int = MOST_ROUNDS,
) -> float:
    """Solve for x, starting from what x holds; returns the residual that remains.

    Uses the leading n entries of every array. A residual above the tolerance means that the
    problem has no bounded solution (infinite bounds and contradictory rows) or is too hard.
    """
    gradient = work.gradient
    for i in range(n):
        x[i] = min(max(x[i], low[i]), high[i])
    for i in range(n):
        value = -r[i]
        for j in range(n):
            value += gram[i, j] * x[j]
        gradient[i] = value
    for _ in range(FIRST_SWEEPS):
        sweep(gram, low, high, x, gradient, n)
        if residual(gram, low, high, x, gradient, n) <= tolerance:
            break
    left = residual(gram, low, high, x, gradient, n)
    # A round costs n^3: large hopeless problems (infinite bounds, hundreds of rows) must end too.
    rounds = max(LEAST_ROUNDS, min(most_rounds, int(MOST_WORK / (float(n) * n * n))))
    # Projected Newton on the active set, then sweeps that change the set. The step is shortened
    # until the objective falls; failing that it ends at the first bound, which joins the set.
    for _ in range(rounds):
        if left <= tolerance:
            break
        count = newton_direction(gram, low, high, x, work, n)
        length = 1.0
        while length > 1e-3 and not (
            change_of_objective(gram, low, high, x, work, count, length) < 0.0
        ):
            length *= 0.125
        if length <= 1e-3:
            length = length_to_first_bound(low, high, x, work, count)
        take_step(gram, low, high, x, work, count, length, n)
        # The gradient is kept by updates; a fresh one keeps rounding from piling up.
        for i in range(n):
            value = -r[i]
            for j in range(n):
                value += gram[i, j] * x[j]
            gradient[i] = value
        for _ in range(MORE_SWEEPS):
            left = residual(gram, low, high, x, gradient, n)
            if left <= tolerance:
                break
            sweep(gram, low, high, x, gradient, n)
        left = residual(gram, low, high, x, gradient, n)
    return left
