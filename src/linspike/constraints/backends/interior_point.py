"""Points that meet linear constraints: their analytic centre, or the point that PIQP ends at."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.constraints.backends.optional import import_solver
from linspike.kernels.solvers.analytic_centre import FOUND, analytic_centre
from linspike.kernels.solvers.newton import N_VECTORS, LinearProgram, view_iterate

MAX_ITERATIONS = 40
MAX_KEPT = 256  # solvers kept per thread, one per size

_kept = threading.local()


def central_point(
    matrix: Floats, r: Floats, n_equal: int, low: Floats, high: Floats
) -> Floats | None:
    """Return the centre of matrix[:n_equal] x = r, matrix[n_equal:] x <= r, low <= x <= high.

    It is the point with the largest product of all slacks. A set without bounds may have none, so
    with infinite bounds it is the interior point that PIQP ends at. None if no point was found.
    """
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return interior_point(matrix, r, n_equal, low, high)
    n = r.size
    x = np.empty(n)
    iterate = view_iterate(np.empty((N_VECTORS, n)), np.empty((n, n)))
    program = LinearProgram(np.ascontiguousarray(matrix), r, low, high, n_equal, n)
    return x if analytic_centre(program, x, iterate) == FOUND else None


def interior_point(
    matrix: Floats,
    r: Floats,
    n_equal: int,
    low: Floats,
    high: Floats,
    quadratic: Floats | None = None,
) -> Floats | None:
    """Return a point of matrix[:n_equal] x = r, matrix[n_equal:] x <= r, low <= x <= high, by PIQP.

    Without an objective an interior-point method ends well inside the feasible set, away from its
    corners; a simplex method would return a corner, which is another algorithm. With `quadratic`
    it is the point of least x' quadratic x. None if no point was found within forty iterations,
    which stands for infeasible.
    """
    piqp = import_solver("piqp")
    n = r.size
    cost = np.zeros((n, n), order="F") if quadratic is None else np.asfortranarray(quadratic)
    data = {
        "A": np.asfortranarray(matrix[:n_equal]) if n_equal else None,
        "b": r[:n_equal].copy() if n_equal else None,
        "G": np.asfortranarray(matrix[n_equal:]) if n > n_equal else None,
        "h_u": r[n_equal:].copy() if n > n_equal else None,
        "x_l": low,
        "x_u": high,
    }
    solver = _kept_solver(piqp, n, n_equal)
    # Set up anew on the kept object: an update would start from what the last problem left, and
    # the point would depend on the problems that this thread happened to solve before.
    solver.setup(cost, np.zeros(n), **data)
    return np.array(solver.result.x) if solver.solve() == piqp.PIQP_SOLVED else None


def _kept_solver(piqp: Any, n: int, n_equal: int) -> Any:
    """Return this thread's solver of this size."""
    solvers: dict[tuple[int, int], Any] = _kept.__dict__.setdefault("solvers", {})
    solver = solvers.get((n, n_equal))
    if solver is not None:
        return solver
    while len(solvers) >= MAX_KEPT:
        solvers.pop(next(iter(solvers)))
    solver = piqp.DenseSolver()
    solver.settings.max_iter = MAX_ITERATIONS
    solver.settings.verbose = False
    solvers[n, n_equal] = solver
    return solver
