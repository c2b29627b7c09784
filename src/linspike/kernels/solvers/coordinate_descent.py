"""Coordinate descent for the box-constrained quadratic program, and the work space of its solvers.

    minimise 1/2 x'Gx - r'x   subject to   low <= x <= high,   G symmetric, positive semidefinite

It finds most active bounds quickly but stalls on nearly dependent rows, so both solvers take turns
between it and Newton steps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined

N_QP_VECTORS = 4  # vectors of n numbers that the solvers need


class QPWork(NamedTuple):
    """Work space for problems of up to n variables; nothing is kept between calls.

    Attributes
    ----------
    gradient : array of float, (n,)
        Gx - r.
    step : array of float, (n,)
        Newton step of the free variables, in their order.
    direction : array of float, (n,)
        The same in the order of all variables.
    product : array of float, (n,)
        G times the direction.
    free : array of int, (n,)
        Indices of free variables.
    factor : array of float, (n, n)
        Cholesky factor.
    """

    gradient: Floats
    step: Floats
    direction: Floats
    product: Floats
    free: npt.NDArray[np.int64]
    factor: Floats


def make_qp_work(n: int) -> QPWork:
    """Return work space for problems of up to n variables."""
    gradient, step, direction, product = np.empty((N_QP_VECTORS, n))
    return QPWork(gradient, step, direction, product, np.empty(n, np.int64), np.empty((n, n)))


@inlined
def view_qp_work(vectors: Floats, free: npt.NDArray[np.int64], factor: Floats) -> QPWork:
    """Return arrays that a step has as the work space; of `vectors` the first N_QP_VECTORS rows."""
    return QPWork(vectors[0], vectors[1], vectors[2], vectors[3], free, factor)


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
def add_product(gram: Floats, x: Floats, out: Floats, n: int) -> None:
    """Add Gx to out; entries of x that are 0 cost nothing."""
    for j in range(n):
        factor = x[j]
        if factor != 0.0:
            for i in range(n):
                out[i] += factor * gram[j, i]


@inlined
def fill_gradient(gram: Floats, r: Floats, x: Floats, gradient: Floats, n: int) -> None:
    """Fill the gradient Gx - r anew, so that the rounding errors of its updates do not pile up."""
    for i in range(n):
        gradient[i] = -r[i]
    add_product(gram, x, gradient, n)
