"""Central points of linear constraints, by an interior-point solver that is kept between calls."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from linspike.spikes.ragged import Floats

MOST_ITERATIONS = 40
MOST_SOLVERS = 256  # sizes remembered per thread

_kept = threading.local()


def central_point(
    matrix: Floats, r: Floats, n_equal: int, low: Floats, high: Floats
) -> Floats | None:
    """A point with matrix[:n_equal] x = r, matrix[n_equal:] x <= r and low <= x <= high.

    With no objective an interior-point method ends well inside the feasible set, away from its
    corners; a simplex method would return a corner, which is another algorithm. None if no point
    was found within forty iterations, which stands for infeasible.
    """
    n = r.size
    data = {
        "A": np.asfortranarray(matrix[:n_equal]) if n_equal else None,
        "b": r[:n_equal].copy() if n_equal else None,
        "G": np.asfortranarray(matrix[n_equal:]) if n > n_equal else None,
        "h_u": r[n_equal:].copy() if n > n_equal else None,
        "x_l": low,
        "x_u": high,
    }
    solver, fresh = _solver(n, n_equal)
    if fresh:
        solver.setup(np.zeros((n, n), order="F"), np.zeros(n), **data)
    else:
        solver.update(**data)
    import piqp

    return np.array(solver.result.x) if solver.solve() == piqp.PIQP_SOLVED else None


def _solver(n: int, n_equal: int) -> tuple[Any, bool]:
    """The kept solver of this size, and whether it still has to be set up."""
    import piqp

    solvers: dict[tuple[int, int], Any] = _kept.__dict__.setdefault("solvers", {})
    solver = solvers.get((n, n_equal))
    if solver is not None:
        return solver, False
    while len(solvers) >= MOST_SOLVERS:
        solvers.pop(next(iter(solvers)))
    solver = piqp.DenseSolver()
    solver.settings.max_iter = MOST_ITERATIONS
    solver.settings.verbose = False
    solvers[n, n_equal] = solver
    return solver, True
