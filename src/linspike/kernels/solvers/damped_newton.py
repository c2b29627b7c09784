"""A projected Newton step that is shortened until the objective falls, for small problems.

Cholesky on the free variables with lifted pivots, where a dependent row takes a long step and its
bound stops it (Bertsekas 1982, SIAM J. Control Optim. 20).
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.solvers.coordinate_descent import QPWork

LIFT = 1e-12  # smallest pivot, relative to the row's own diagonal
SHORTEST = 1e-3  # no shorter steps are tried


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


@inlined
def take_damped_step(
    gram: Floats, low: Floats, high: Floats, x: Floats, work: QPWork, n: int
) -> None:
    """Make a Newton step that lowers the objective; the gradient is kept up to date.

    The step is shortened until the objective falls; failing that it ends at the first bound, which
    joins the active set.
    """
    count = newton_direction(gram, low, high, x, work, n)
    length = 1.0
    while length > SHORTEST and not (
        change_of_objective(gram, low, high, x, work, count, length) < 0.0
    ):
        length *= 0.125
    if length <= SHORTEST:
        length = length_to_first_bound(low, high, x, work, count)
    take_step(gram, low, high, x, work, count, length, n)
