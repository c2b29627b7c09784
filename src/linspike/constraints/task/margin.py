"""The largest margin of linear inequalities, by a primal-dual interior-point method.

    maximise m   subject to   A x + c m <= b,   c > 0

Names are those of Nocedal and Wright, *Numerical Optimization*, 2nd ed., chapter 14: slacks s,
dual variables y, complementarity mu; the direction is Mehrotra's predictor and corrector. The dual
is to minimise b'y subject to A'y = 0, c'y = 1, y >= 0: so a dual point with b'y < 0 proves that no
x meets A x <= b.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats

MOST_ITERATIONS = 80
TO_THE_WALL = 0.995  # share of the step to the first bound
SHIFT = 1e-13  # added to the diagonal of the normal matrix, relative to its mean
NEARLY_DUAL = 1e-4  # residual of the dual constraints where the margin alone matters
DUAL_TO = 1e-6  # the same where a proof may begin; what is left of it is taken out there
TRY_PROOF = 0.5  # of the margin: a gap with which a proof may be possible
LEAST_GAP = 1e-9
LEAST_SLACK = 1e-100  # where rounding leaves none; y/s stays a number


class Inequalities(NamedTuple):
    """A x + c m <= b."""

    a: Floats  # (rows, n)
    b: Floats
    c: Floats


def join_inequalities(parts: Sequence[Inequalities]) -> Inequalities:
    """Return the rows of several systems, one after another."""
    return Inequalities(
        np.vstack([part.a for part in parts]),
        np.concatenate([part.b for part in parts]),
        np.concatenate([part.c for part in parts]),
    )


class MarginPoint(NamedTuple):
    """A point of the program, the dual variables, and the upper bound that these prove."""

    x: Floats
    margin: float
    y: Floats
    upper: float  # infinite if y proves nothing
    iterations: int


def lowest_margin(given: Inequalities, x: Floats) -> float:
    """Return the largest m that x allows."""
    return float(((given.b - given.a @ x) / given.c).min())


def maximise_margin(
    given: Inequalities, x: Floats, y: Floats, *, curvature: float, gap: float
) -> MarginPoint:
    """Return a point whose margin is within `gap`, relative, of the largest.

    Parameters
    ----------
    given : Inequalities
        The rows.
    x : array of float
        Where to begin; it need not meet the rows.
    y : array of float
        Dual variables to begin with, 0 for new rows.
    curvature : float
        The objective is m - curvature/2 |x|^2 (69): keeps x bounded where few rows do.
    gap : float
        Relative to the margin. If it is negative, the gap to an upper bound that is proved.
    """
    n = x.size
    rows = np.hstack([given.a, given.c[:, np.newaxis]])
    most = lowest_margin(given, x)
    z = np.append(x, most - 0.1 * abs(most) - 0.01)
    s = given.b - rows @ z
    y = _warm_dual(y, s)
    ridge = np.append(np.full(n, curvature), 0.0)
    goal = np.append(np.zeros(n), 1.0)
    for iteration in range(MOST_ITERATIONS):
        mu = float(s @ y) / s.size
        residual = goal - ridge * z - rows.T @ y
        left = mu * s.size
        if z[n] < 0.0 and left <= max(gap, TRY_PROOF) * abs(z[n]):
            upper, proof = _prove(rows, given.b, s, y, goal)
            if upper < 0.0 and upper - z[n] <= gap * abs(z[n]):
                return MarginPoint(z[:n], float(z[n]), proof, upper, iteration)
        near = np.abs(residual).max() < NEARLY_DUAL
        if near and left <= max(gap * abs(z[n]), LEAST_GAP):
            break
        step = _direction(rows, s, y, residual, ridge, mu)
        if step is None:
            break
        z, y = z + step.primal * step.dz, y + step.dual * step.dy
        s = np.maximum(given.b - rows @ z, LEAST_SLACK)
    return MarginPoint(z[:n], float(z[n]), y, np.inf, iteration + 1)


def find_vertex(given: Inequalities) -> tuple[Floats, float]:
    """Return dual variables of the largest margin by a simplex method, and that margin.

    The margin is infinite if there is no largest one.
    """
    from scipy.optimize import linprog

    n = given.a.shape[1]
    goal = np.append(np.zeros(n), -1.0)
    rows = np.hstack([given.a, given.c[:, np.newaxis]])
    found = linprog(goal, A_ub=rows, b_ub=given.b, bounds=(None, None), method="highs-ds")
    if found.status != 0:
        return np.zeros(given.b.size), np.inf
    return np.maximum(-found.ineqlin.marginals, 0.0), float(-found.fun)


class _Step(NamedTuple):
    dz: Floats
    dy: Floats
    primal: float  # lengths of the step
    dual: float


def _warm_dual(y: Floats, s: Floats) -> Floats:
    """Return dual variables to begin with: old ones, not too near their bound."""
    if not y.any():
        return np.full(s.size, 1.0 / s.size)
    mu = max(1e-8, 0.1 * float(np.median(s)) / s.size)
    return np.maximum(y, mu / s)


def _normal_factor(rows: Floats, weights: Floats, ridge: Floats | float) -> Any:
    """Return the Cholesky factor of rows' diag(weights) rows + diag(ridge)."""
    from scipy.linalg import cho_factor

    scaled = np.sqrt(weights)[:, np.newaxis] * rows
    normal = scaled.T @ scaled
    diagonal = np.diag_indices_from(normal)
    normal[diagonal] += ridge + SHIFT * np.trace(normal) / normal.shape[0]
    return cho_factor(normal, lower=True, overwrite_a=True, check_finite=False)


@np.errstate(divide="ignore", invalid="ignore", over="ignore")  # None if it is not finite
def _direction(
    rows: Floats, s: Floats, y: Floats, residual: Floats, ridge: Floats, mu: float
) -> _Step | None:
    """Return the predictor-corrector step, or None where rounding leaves none."""
    from scipy.linalg import LinAlgError, cho_solve

    try:
        factor = _normal_factor(rows, y / s, ridge)
    except (LinAlgError, ValueError):
        return None

    def solve(products: Floats) -> tuple[Floats, Floats, Floats]:
        dz = cho_solve(factor, residual - rows.T @ (products / s), check_finite=False)
        ds = -(rows @ dz)
        return dz, ds, (products - y * ds) / s

    _, ds, dy = solve(-s * y)
    primal, dual = _length(s, ds), _length(y, dy)
    ahead = float((s + primal * ds) @ (y + dual * dy)) / s.size
    centre = (ahead / mu) ** 3 * mu
    dz, ds, dy = solve(-s * y + centre - ds * dy)
    step = _Step(dz, dy, _short_of(_length(s, ds)), _short_of(_length(y, dy)))
    if not (np.isfinite(dz).all() and np.isfinite(step.primal) and np.isfinite(step.dual)):
        return None
    return step


def _length(value: Floats, change: Floats) -> float:
    """Return the longest step, at most 1, that keeps every value positive."""
    fastest = float((-change / value).max())
    return 1.0 if fastest <= 1.0 else 1.0 / fastest


def _short_of(length: float) -> float:
    return length if length == 1.0 else TO_THE_WALL * length


def _prove(rows: Floats, b: Floats, s: Floats, y: Floats, goal: Floats) -> tuple[float, Floats]:
    """Return the upper bound of m that dual variables near y prove, and these.

    The curvature leaves A'y a little off 0: the nearest y that meets the dual constraints, in the
    metric of the barrier, is tried. Infinite if one of its entries is negative.
    """
    from scipy.linalg import LinAlgError, cho_solve

    try:
        factor = _normal_factor(rows, y / s, 0.0)
    except (LinAlgError, ValueError):
        return np.inf, y
    proof = y
    for _ in range(2):  # the second time for what rounding left
        proof = proof + (y / s) * (rows @ cho_solve(factor, goal - rows.T @ proof))
    if proof.min() < 0.0 or np.abs(goal - rows.T @ proof).max() > DUAL_TO:
        return np.inf, y
    return float(b @ proof), proof
