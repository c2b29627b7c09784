"""A Newton step on a face of the box, with an exact search along the projected path.

A face of the box is where some variables are fixed at bounds. The path P(x + t d) along the Newton
direction d bends wherever a variable meets its bound; the objective is minimised along it (the
search is that of Nocedal and Wright, *Numerical Optimization*, 2nd ed., section 16.7). Only the
rows of the face are factorised.

Dependent rows make G singular on a face. The Newton step is that of G + SHIFT diag(G), a step of
the proximal-point method: directions without curvature get a long step, and a bound ends it.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.solvers.coordinate_descent import QPWork, add_product
from linspike.kernels.solvers.newton import factorise, substitute

SHIFT = 1e-12  # added to the diagonal, relative to it
EPSILON = 2.0**-52


@inlined
def rounding_error(gram: Floats, x: Floats, n: int) -> float:
    """Return the rounding error of Gx, below which no residual can be told from 0."""
    # |G_ij| <= sqrt(G_ii G_jj), since G is positive semidefinite.
    largest, total = 0.0, 0.0
    for i in range(n):
        root = math.sqrt(gram[i, i])
        largest = max(largest, root)
        total += root * abs(x[i])
    return EPSILON * largest * total


@borrowing
def face_direction(gram: Floats, low: Floats, high: Floats, x: Floats, work: QPWork, n: int) -> int:
    """Fill the Newton direction on the face of x, 0 for fixed variables; returns how many are not.

    A variable is fixed if it is at a bound, or if its row is 0.
    """
    free, step, factor = work.free, work.step, work.factor
    count = 0
    for i in range(n):
        work.direction[i] = 0.0
        if low[i] < x[i] < high[i] and gram[i, i] > 0.0:
            free[count] = i
            step[count] = -work.gradient[i]
            count += 1
    for i in range(count):
        row = free[i]
        for j in range(i):
            factor[i, j] = gram[row, free[j]]
        factor[i, i] = gram[row, row] * (1.0 + SHIFT)
    factorise(factor, count)
    substitute(factor, step, count)
    for i in range(count):
        work.direction[free[i]] = step[i]
    return count


@borrowing
def search_path(
    gram: Floats, low: Floats, high: Floats, x: Floats, work: QPWork, count: int, n: int
) -> int:
    """Move x to the first minimum along P(x + t direction); returns how many bounds were met.

    The gradient is kept up to date. On each straight piece the objective is a parabola in t.
    """
    gradient, direction, product, free = work.gradient, work.direction, work.product, work.free
    for i in range(n):
        product[i] = 0.0
    add_product(gram, direction, product, n)
    for met in range(count + 1):
        slope, curvature = 0.0, 0.0
        nearest, at = math.inf, 0  # the end of this piece, and the variable that meets its bound
        for k in range(count):
            i = free[k]
            d = direction[i]
            if d != 0.0:
                slope += gradient[i] * d
                curvature += product[i] * d
                distance = ((high[i] if d > 0.0 else low[i]) - x[i]) / d
                if distance < nearest:
                    nearest, at = distance, i
        if not slope < 0.0 or nearest == math.inf:
            return met
        inside = slope + nearest * curvature >= 0.0
        length = -slope / curvature if inside else nearest
        for k in range(count):
            i = free[k]
            x[i] = min(max(x[i] + length * direction[i], low[i]), high[i])
        for i in range(n):
            gradient[i] += length * product[i]
        if inside:
            return met
        d = direction[at]
        x[at] = high[at] if d > 0.0 else low[at]
        direction[at] = 0.0
        for i in range(n):
            product[i] -= d * gram[at, i]
    return count
