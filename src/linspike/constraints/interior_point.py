"""Points that meet linear constraints: their analytic centre, or an interior-point solver's."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.kernels.solvers.analytic_centre import FOUND, analytic_centre
from linspike.kernels.solvers.newton import N_VECTORS, LinearProgram, view_iterate

MOST_ITERATIONS = 40
MOST_SOLVERS = 256  # sizes remembered per thread

_kept = threading.local()


def central_point(
    matrix: Floats, r: Floats, n_equal: int, low: Floats, high: Floats
) -> Floats | None:
    """The centre of matrix[:n_equal] x = r, matrix[n_equal:] x <= r and low <= x <= high.

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
    """A point with matrix[:n_equal] x = r, matrix[n_equal:] x <= r and low <= x <= high, by PIQP.

    With no objective an interior-point method ends well inside the feasible set, away from its
    corners; a simplex method would return a corner, which is another algorithm. With `quadratic`
    it is the point of least x' quadratic x. None if no point was found within forty iterations,
    which stands for infeasible.
    """
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
    import piqp

    solver = _solver(n, n_equal)
    # Set up anew on the kept object: an update would start from what the last problem left, and
    # the answer would depend on which problems this thread happened to solve before.
    solver.setup(cost, np.zeros(n), **data)

    return np.array(solver.result.x) if solver.solve() == piqp.PIQP_SOLVED else None


def _solver(n: int, n_equal: int) -> Any:
    """The kept solver of this size."""
    import piqp

    solvers: dict[tuple[int, int], Any] = _kept.__dict__.setdefault("solvers", {})
    solver = solvers.get((n, n_equal))
    if solver is not None:
        return solver
    while len(solvers) >= MOST_SOLVERS:
        solvers.pop(next(iter(solvers)))
    solver = piqp.DenseSolver()
    solver.settings.max_iter = MOST_ITERATIONS
    solver.settings.verbose = False
    solvers[n, n_equal] = solver
    return solver
