"""The analytic centre of linear constraints, by a primal-dual interior-point method.

The paper's linear program has no objective, so many points solve it. Interior-point codes then
follow the central path to the analytic centre: the point with the largest product of all slacks, of
both bounds of each variable and of each inequality. Here that point is the definition.

The method is Newton's on the conditions (27) to (29), those of the central path at mu = 1, from a
start that need not meet the rows, with Mehrotra's predictor and corrector (S. Mehrotra, SIAM J.
Optim. 2, 1992; Nocedal and Wright, *Numerical Optimization*, algorithm 14.3). The predictor's step
length alpha gives sigma = (1 - alpha)^3, the share of the residual that the corrector leaves, and
the corrector removes the predictor's errors of second order. Multipliers y that satisfy (30) prove
that no point meets the rows, so most infeasible problems end after a few iterations.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.solvers.newton import (
    Iterate,
    LinearProgram,
    factorise,
    fill_normal_matrix,
    find_direction,
    multiply,
    multiply_transposed,
)

FOUND, NOT_FOUND = 0, 1

MOST_ITERATIONS = 40
CENTRED = 1e-8  # largest deviation from 1 of the products of slacks and multipliers at the end
FEASIBLE = 1e-11  # largest primal residual, relative to the size of the row's terms
PROOF = 1e-11  # how far (30) must hold, relative to the size of its terms
SLACK_MATCH = 0.1  # a slack this near to rhs - M x, relatively, is set to just that
TO_BOUNDARY = 0.98  # of the step length to the boundary
SPREAD = 10.0  # largest product of a slack and its multiplier, and the inverse of the smallest


@borrowing
def start_at_midpoint(q: LinearProgram, x: Floats, c: Iterate) -> bool:
    """Start x and the bounds' multipliers at the middle of the box; False if it is not finite."""
    for k in range(q.n):
        lower, upper = q.lower[k], q.upper[k]
        if not (lower <= upper and lower > -math.inf and upper < math.inf):
            return False
        x[k] = 0.5 * (lower + upper)
        c.z_lower[k] = 2.0 / (upper - lower) if upper > lower else 0.0  # slack times z is 1
        c.z_upper[k] = c.z_lower[k]
    return True


@borrowing
def start_rows(q: LinearProgram, x: Floats, c: Iterate) -> bool:
    """Start slacks and multipliers of the rows; False if a row alone cannot be met in the box."""
    # With x at the middle, M x ranges over its value +- half_range in the box. A slack begins at
    # least as large as half_range, so that no inequality is active at the start.
    for i in range(q.n):
        slack, half_range, scale = q.rhs[i], 0.0, abs(q.rhs[i])
        for k in range(q.n):
            slack -= q.matrix[i, k] * x[k]
            half_range += abs(q.matrix[i, k]) * 0.5 * (q.upper[k] - q.lower[k])
            scale += abs(q.matrix[i, k]) * max(abs(q.lower[k]), abs(q.upper[k]))
        c.scale[i], c.slack[i], c.y[i] = scale, 0.0, 0.0
        if not (scale < math.inf and slack + half_range >= -FEASIBLE * scale):
            return False
        if i < q.n_equal:
            if slack - half_range > FEASIBLE * scale:
                return False
        else:
            c.slack[i] = max(slack, half_range)
            if c.slack[i] <= 0.0:
                return False
            c.y[i] = 1.0 / c.slack[i]
    return True


@borrowing
def update_residuals(q: LinearProgram, x: Floats, c: Iterate) -> None:
    """Update the primal residual of (27), M' y of (28) and the inverse Hessian at x."""
    multiply(q.matrix, x, q.n, c.residual)
    for i in range(q.n):
        left = q.rhs[i] - c.residual[i]
        c.residual[i] = left - c.slack[i]
        # A row that is almost met stays met from here on: its residual is exactly 0.
        if i >= q.n_equal and abs(c.residual[i]) <= SLACK_MATCH * c.slack[i]:
            c.slack[i], c.residual[i] = left, 0.0
    multiply_transposed(q.matrix, c.y, q.n, c.m_t_y)
    for k in range(q.n):
        c.inverse_hessian[k] = 0.0
        if q.upper[k] > q.lower[k]:
            hessian = c.z_lower[k] / (x[k] - q.lower[k]) + c.z_upper[k] / (q.upper[k] - x[k])
            c.inverse_hessian[k] = 1.0 / hessian


@borrowing
def update_complementarity(q: LinearProgram, x: Floats, c: Iterate) -> float:
    """Update the residuals of (29); return the largest of them and of the scaled (28)."""
    largest = 0.0
    for k in range(q.n):
        if c.inverse_hessian[k] > 0.0:
            c.c_lower[k] = 1.0 - (x[k] - q.lower[k]) * c.z_lower[k]
            c.c_upper[k] = 1.0 - (q.upper[k] - x[k]) * c.z_upper[k]
            # In units of H^(1/2), so that the dual residual has no unit, as the products have none.
            dual = abs(c.m_t_y[k] + c.z_upper[k] - c.z_lower[k]) * math.sqrt(c.inverse_hessian[k])
            largest = max(largest, dual, abs(c.c_lower[k]), abs(c.c_upper[k]))
    for i in range(q.n_equal, q.n):
        c.c_slack[i] = 1.0 - c.slack[i] * c.y[i]
        largest = max(largest, abs(c.c_slack[i]))
    return largest


@borrowing
def is_feasible(q: LinearProgram, c: Iterate) -> bool:
    """Return whether x meets equalities to rounding, and inequalities with positive slack."""
    for i in range(q.n):
        allowed = FEASIBLE * c.scale[i] if i < q.n_equal else 0.0
        if not abs(c.residual[i]) <= allowed:
            return False
    return True


@borrowing
def is_infeasible(q: LinearProgram, c: Iterate) -> bool:
    """Return whether y proves by (30) that no point of the box meets all rows: y' M x > y' rhs."""
    least, scale = 0.0, 0.0
    for k in range(q.n):
        least += c.m_t_y[k] * (q.lower[k] if c.m_t_y[k] > 0.0 else q.upper[k])
    for i in range(q.n):
        least -= c.y[i] * q.rhs[i]
        scale += abs(c.y[i]) * c.scale[i]
    return least > PROOF * scale


@borrowing
def correct_complementarity(q: LinearProgram, c: Iterate, share: float) -> None:
    """Subtract the second-order terms of the predictor from the residuals of (29)."""
    for k in range(q.n):
        if c.inverse_hessian[k] > 0.0:
            c.c_lower[k] -= share * c.dx[k] * c.dz_lower[k]
            c.c_upper[k] += share * c.dx[k] * c.dz_upper[k]
    for i in range(q.n_equal, q.n):
        c.c_slack[i] -= share * c.d_slack[i] * c.dy[i]


@borrowing
def length_to_zero(value: float, change: float) -> float:
    """Return the step length at which a positive value becomes 0."""
    return -value / change if change < 0.0 else math.inf


@borrowing
def step_lengths(q: LinearProgram, x: Floats, c: Iterate) -> tuple[float, float]:
    """Return alpha_primal and alpha_dual: how far slacks, and multipliers, stay positive."""
    alpha_primal, alpha_dual = math.inf, math.inf
    for k in range(q.n):
        if c.inverse_hessian[k] > 0.0:
            alpha_primal = min(alpha_primal, length_to_zero(x[k] - q.lower[k], c.dx[k]))
            alpha_primal = min(alpha_primal, length_to_zero(q.upper[k] - x[k], -c.dx[k]))
            alpha_dual = min(alpha_dual, length_to_zero(c.z_lower[k], c.dz_lower[k]))
            alpha_dual = min(alpha_dual, length_to_zero(c.z_upper[k], c.dz_upper[k]))
    for i in range(q.n_equal, q.n):
        alpha_primal = min(alpha_primal, length_to_zero(c.slack[i], c.d_slack[i]))
        alpha_dual = min(alpha_dual, length_to_zero(c.y[i], c.dy[i]))
    return alpha_primal, alpha_dual


@borrowing
def clip_multiplier(multiplier: float, slack: float) -> float:
    """Return the multiplier, clipped so that its product with the slack is not far from 1.

    Otherwise a slack that fell to a fiftieth while its multiplier stayed would make every later
    step very short.
    """
    return min(max(multiplier, 1.0 / (SPREAD * slack)), SPREAD / slack)


@borrowing
def take_step(
    q: LinearProgram, x: Floats, c: Iterate, alpha_primal: float, alpha_dual: float
) -> None:
    """Move x and slacks by alpha_primal, multipliers by alpha_dual, along the direction."""
    for k in range(q.n):
        if c.inverse_hessian[k] > 0.0:
            x[k] += alpha_primal * c.dx[k]
            z_lower = c.z_lower[k] + alpha_dual * c.dz_lower[k]
            z_upper = c.z_upper[k] + alpha_dual * c.dz_upper[k]
            c.z_lower[k] = clip_multiplier(z_lower, x[k] - q.lower[k])
            c.z_upper[k] = clip_multiplier(z_upper, q.upper[k] - x[k])
    for i in range(q.n):
        c.y[i] += alpha_dual * c.dy[i]
        if i >= q.n_equal:
            c.slack[i] += alpha_primal * c.d_slack[i]
            c.y[i] = clip_multiplier(c.y[i], c.slack[i])


@borrowing
def predict_and_correct(q: LinearProgram, x: Floats, c: Iterate) -> None:
    """Take one predictor and, where it meets the boundary, one corrector step; 2/3 n^3."""
    fill_normal_matrix(q.matrix, q.n_equal, c, q.n)
    factorise(c.factor, q.n)
    find_direction(q, x, c, 1.0)
    alpha_primal, alpha_dual = step_lengths(q, x, c)
    alpha = min(alpha_primal, alpha_dual)
    if alpha < 1.0:
        sigma = (1.0 - alpha) ** 3
        correct_complementarity(q, c, alpha**2)
        find_direction(q, x, c, 1.0 - sigma)
        alpha_primal, alpha_dual = step_lengths(q, x, c)
    take_step(q, x, c, min(1.0, TO_BOUNDARY * alpha_primal), min(1.0, TO_BOUNDARY * alpha_dual))


@borrowing
def analytic_centre(q: LinearProgram, x: Floats, c: Iterate) -> int:
    """Write the centre to x and return FOUND, or NOT_FOUND if there is none or none was found.

    A variable with equal bounds is a constant; infinite bounds have no centre. Where all rows are
    equalities and two of them nearly the same, digits may not suffice. Ten iterations as a rule.
    """
    if not (start_at_midpoint(q, x, c) and start_rows(q, x, c)):
        return NOT_FOUND
    for _ in range(MOST_ITERATIONS):
        update_residuals(q, x, c)
        if update_complementarity(q, x, c) <= CENTRED and is_feasible(q, c):
            return FOUND
        if is_infeasible(q, c):
            return NOT_FOUND
        predict_and_correct(q, x, c)
    return NOT_FOUND
