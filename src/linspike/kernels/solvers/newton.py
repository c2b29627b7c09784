"""Newton directions of the interior-point method: normal equations and their Cholesky factor.

Names are those of Nocedal and Wright, *Numerical Optimization*, 2nd ed., chapter 14: x with bounds
and their multipliers z, slacks of the rows and their multipliers y. Eliminating everything but y
from the linearised conditions (27) to (29) leaves the normal equations

    (M H^-1 M' + diag(slack/y)) dy = ...,     H = diag(z_lower/(x - lower) + z_upper/(upper - x))

where M is the matrix of the linear program (G in the theory) and H the Hessian of the bounds'
logarithmic barrier, a diagonal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined

N_VECTORS = 24  # vectors of n numbers that an iterate needs
LIFT = 1e-14  # smallest pivot, relative to the row's own diagonal


class LinearProgram(NamedTuple):
    """matrix x = rhs in the first n_equal rows, matrix x <= rhs in the others, lower <= x <= upper.

    There is no objective. Of every array the leading n entries count.
    """

    matrix: Floats  # (n, n)
    rhs: Floats
    lower: Floats
    upper: Floats
    n_equal: int
    n: int


class Iterate(NamedTuple):
    """Dual variables, residuals and direction of an iterate; all (n,) but the last two."""

    slack: Floats  # of the rows, 0 for equalities
    y: Floats  # multipliers of the rows
    z_lower: Floats  # multipliers of the bounds
    z_upper: Floats
    residual: Floats  # rhs - M x - slack, of (27)
    m_t_y: Floats  # M' y of (28)
    inverse_hessian: Floats  # diagonal of H^-1; 0 for a variable with equal bounds
    c_slack: Floats  # 1 - slack y, of (29)
    c_lower: Floats  # 1 - (x - lower) z_lower
    c_upper: Floats  # 1 - (upper - x) z_upper
    dx: Floats
    d_slack: Floats
    dy: Floats
    dz_lower: Floats
    dz_upper: Floats
    scale: Floats  # size of a row's terms over the box
    block: Floats  # (8, n), columns of M
    factor: Floats  # (n, n)


@inlined
def view_iterate(v: Floats, factor: Floats) -> Iterate:
    """Return the first N_VECTORS rows of v as the fields of an iterate."""
    first = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
    second = (v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15])
    return Iterate(*first, *second, v[16:24], factor)


@borrowing
def multiply(matrix: Floats, x: Floats, n: int, out: Floats) -> None:
    """Write M x to out."""
    # Four rows at a time share the loads of x; rows beyond the last are the last again.
    for i in range(0, n, 4):
        i1, i2, i3 = min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)
        t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
        for k in range(n):
            t0 += matrix[i, k] * x[k]
            t1 += matrix[i1, k] * x[k]
            t2 += matrix[i2, k] * x[k]
            t3 += matrix[i3, k] * x[k]
        out[i], out[i1], out[i2], out[i3] = t0, t1, t2, t3


@borrowing
def multiply_transposed(matrix: Floats, y: Floats, n: int, out: Floats) -> None:
    """Write M' y to out."""
    for k in range(n):
        out[k] = 0.0
    for i in range(n):
        factor = y[i]
        for k in range(n):
            out[k] += factor * matrix[i, k]


@borrowing
def fill_normal_matrix(matrix: Floats, n_equal: int, c: Iterate, n: int) -> None:
    """Fill the lower triangle of M H^-1 M' + diag(slack/y) into c.factor; n^3/2 operations."""
    normal, b, end = c.factor, c.block, n - 1
    b0, b1, b2, b3, b4, b5, b6, b7 = b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]
    for i in range(n):
        for j in range(i + 1):
            normal[i, j] = 0.0
        if i >= n_equal:
            normal[i, i] = c.slack[i] / c.y[i]
    # Eight columns of M H^(-1/2) at a time are laid out as rows, so that sums run along memory and
    # keep their order: a re-ordered one would round differently in every place it is compiled into.
    for k in range(0, n, 8):
        for p in range(8):
            column = min(k + p, end)
            root = math.sqrt(c.inverse_hessian[column]) if column == k + p else 0.0
            for j in range(n):
                b[p, j] = root * matrix[j, column]
        for i in range(n):
            f0, f1, f2, f3 = b0[i], b1[i], b2[i], b3[i]
            f4, f5, f6, f7 = b4[i], b5[i], b6[i], b7[i]
            for j in range(i + 1):
                half = (f0 * b0[j] + f1 * b1[j]) + (f2 * b2[j] + f3 * b3[j])
                rest = (f4 * b4[j] + f5 * b5[j]) + (f6 * b6[j] + f7 * b7[j])
                normal[i, j] += half + rest


@borrowing
def finish_row(factor: Floats, k: int, last: int) -> None:
    """Finish row k of the factor, from which the rows after `last` have been subtracted."""
    own = factor[k, k]
    for p in range(k + 1, last + 1):
        f = factor[p, k]
        for j in range(k + 1):
            factor[k, j] -= f * factor[p, j]
    # Nearly dependent rows leave a pivot of rounding errors. It is lifted, and the rest of its row
    # dropped: the row then stands alone, and the next iteration corrects its error.
    left = factor[k, k]
    pivot = math.sqrt(max(left, LIFT * own))
    scale = 1.0 / pivot if left > LIFT * own else 0.0
    for j in range(k):
        factor[k, j] *= scale
    factor[k, k] = pivot if pivot > 0.0 else math.inf  # a zero row has dy = 0


@borrowing
def factorise(factor: Floats, n: int) -> None:
    """Replace the lower triangle by L with L'L equal to it; n^3/6 operations."""
    # From the last row upwards, four at a time: so all inner loops run along memory from 0.
    for last in range(n - 1, -1, -4):
        first = max(last - 3, 0)
        for k in range(last, first - 1, -1):
            finish_row(factor, k, last)
        for i in range(first):  # where there are rows above, the block has all four
            f0, f1 = factor[last, i], factor[last - 1, i]
            f2, f3 = factor[last - 2, i], factor[last - 3, i]
            for j in range(i + 1):
                half = f0 * factor[last, j] + f1 * factor[last - 1, j]
                factor[i, j] -= half + (f2 * factor[last - 2, j] + f3 * factor[last - 3, j])


@borrowing
def substitute(factor: Floats, x: Floats, n: int) -> None:
    """Solve L'L x = x in place: backward with L', then forward with L."""
    for i in range(n - 1, -1, -1):
        x[i] /= factor[i, i]
        value = x[i]
        for j in range(i):
            x[j] -= factor[i, j] * value
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= factor[i, j] * x[j]
        x[i] = total / factor[i, i]


@borrowing
def find_direction(q: LinearProgram, x: Floats, c: Iterate, share: float) -> None:
    """Fill the Newton direction that removes this share of the primal residual.

    c_slack, c_lower and c_upper say by how much the products of (29) are to change.
    """
    # dx without dy: H^-1 times the residual of (28), with the complementarity of the bounds.
    for k in range(q.n):
        c.dx[k] = 0.0
        if c.inverse_hessian[k] > 0.0:
            barrier = c.c_lower[k] / (x[k] - q.lower[k]) - c.c_upper[k] / (q.upper[k] - x[k])
            c.dx[k] = c.inverse_hessian[k] * (barrier - c.m_t_y[k] - c.z_upper[k] + c.z_lower[k])
    # Right-hand side of the normal equations, then dy.
    multiply(q.matrix, c.dx, q.n, c.dy)
    for i in range(q.n):
        c.dy[i] -= share * c.residual[i]
        if i >= q.n_equal:
            c.dy[i] += c.c_slack[i] / c.y[i]
    substitute(c.factor, c.dy, q.n)
    # Back to dx, dz and the slacks from the linearised (29); d_slack holds M' dy for a moment.
    multiply_transposed(q.matrix, c.dy, q.n, c.d_slack)
    for k in range(q.n):
        if c.inverse_hessian[k] > 0.0:
            c.dx[k] -= c.inverse_hessian[k] * c.d_slack[k]
            c.dz_lower[k] = (c.c_lower[k] - c.z_lower[k] * c.dx[k]) / (x[k] - q.lower[k])
            c.dz_upper[k] = (c.c_upper[k] + c.z_upper[k] * c.dx[k]) / (q.upper[k] - x[k])
    for i in range(q.n_equal, q.n):
        c.d_slack[i] = (c.c_slack[i] - c.slack[i] * c.dy[i]) / c.y[i]
