"""Box-constrained quadratic program (22): the dual of a projection, solved to convergence.

    minimise 1/2 x'Gx - r'x   subject to   low <= x <= high,   G symmetric, positive semidefinite

Coordinate descent finds the active bounds quickly but stalls on nearly dependent rows, so it takes
turns with Newton steps on the free variables (More and Toraldo 1991, SIAM J. Optim. 1).

With finite bounds there is a solution, and it is found. No step increases the objective. After
PATIENCE steps the sweeps wait for the minimum of a face: each minimum is below the last one, so no
face comes twice, and there are finitely many. With infinite bounds there may be no solution, and
the number of steps is limited.

There are two kinds of steps. Damped ones are for small problems, whose bits published trials
depend on, and for infinite bounds. Steps on faces are for large problems, and for what the others
leave unsolved.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.solvers.coordinate_descent import QPWork, fill_gradient, residual, sweep
from linspike.kernels.solvers.damped_newton import take_damped_step
from linspike.kernels.solvers.face_newton import face_direction, rounding_error, search_path

FIRST_SWEEPS = 20
# Damped steps.
FEW = 40  # rows of a small problem
MORE_SWEEPS = 8  # after each step
MOST_ROUNDS, LEAST_ROUNDS = 200, 4
MOST_WORK = 1e9  # of all steps; each is n^3
ENOUGH = 1e3  # tolerances: what is solved as well as that is left as it is
# Steps on faces.
FACE_SWEEPS = 4
FACE_STEPS = 2  # between sweeps, unless the first one meets no bound
PATIENCE = 32
STEPS_PER_ROW = 20  # tens of steps in all are usual


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

    Uses the leading n entries of every array. The residual is the largest component of the
    projected gradient. One above the tolerance means infinite bounds and contradictory rows, for
    which `most_rounds` limits the search, or a tolerance below the rounding errors of Gx.
    """
    gradient = work.gradient
    for i in range(n):
        x[i] = min(max(x[i], low[i]), high[i])
    bounded, damped, rounds = True, True, 0
    left, sweeps, steps = math.inf, FIRST_SWEEPS, 0
    for done in range(most_rounds + PATIENCE + STEPS_PER_ROW * n):
        fill_gradient(gram, r, x, gradient, n)
        for k in range(1 if done == 0 else 0, sweeps + 1):
            if k > 0:
                sweep(gram, low, high, x, gradient, n)
            left = residual(gram, low, high, x, gradient, n)
            if left <= tolerance:
                break
        if left <= tolerance or left == math.inf:
            break
        if done == 0:
            for i in range(n):
                bounded &= high[i] - low[i] < math.inf
            if n <= FEW or not bounded:  # large hopeless problems must end too
                limit = int(MOST_WORK / (float(n) * n * n))
                rounds = max(LEAST_ROUNDS, min(most_rounds, limit))
        if damped and done == rounds:
            damped = False
            if rounds > 0 and (not bounded or left <= ENOUGH * tolerance):
                break
        if damped:
            take_damped_step(gram, low, high, x, work, n)
            sweeps = MORE_SWEEPS
            continue
        late = done - rounds >= PATIENCE
        if late and left <= rounding_error(gram, x, n):
            break
        count = face_direction(gram, low, high, x, work, n)
        met = search_path(gram, low, high, x, work, count, n)
        steps += 1
        settled = met == 0 or (steps == FACE_STEPS and not late)
        sweeps, steps = (FACE_SWEEPS, 0) if settled else (0, steps)
    return left
