"""Linear programs, by HiGHS: the least sum of multipliers, or of violations."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.constraints.backends.optional import import_solver

_kept = threading.local()

BIG = 1e9  # stands for an infinite multiplier, so that the program stays bounded


def least_l1(matrix: Floats, r: Floats, n_equal: int, low: Floats, high: Floats) -> Floats | None:
    """Return the feasible point with the least sum of |x|, or None."""
    # Each x is the difference of two parts that are not negative, whose sum is |x| at the optimum.
    n = r.size
    floor = np.where(np.arange(n) < n_equal, r, -np.inf)
    least = np.maximum(np.concatenate([low, -high]), 0.0)
    most = np.clip(np.concatenate([high, -low]), 0.0, BIG)
    parts = _solve(np.ones(2 * n), np.hstack([matrix, -matrix]), floor, r, least, most)
    return None if parts is None else parts[:n] - parts[n:]


def least_slack(
    matrix: Floats, r: Floats, n_equal: int, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Return the point within the bounds with the least total violation, and dual variables.

    The dual variables prove that nothing better exists: constraints whose dual variable is not 0,
    taken together, contradict each other; the others have no part in it.
    """
    n = r.size
    over, under = -np.eye(n), np.eye(n)[:, :n_equal]
    wide = np.hstack([matrix, over, under])
    cost = np.concatenate([np.zeros(n), np.ones(n + n_equal)])
    floor = np.where(np.arange(n) < n_equal, r, -np.inf)
    most = np.full(n + n_equal, np.inf)
    point = _solve(
        cost,
        wide,
        floor,
        r,
        np.concatenate([np.maximum(low, -BIG), np.zeros(n + n_equal)]),
        np.concatenate([np.minimum(high, BIG), most]),
    )
    if point is None:
        return np.zeros(n), np.zeros(n)
    return point[:n], np.array(_solver().getSolution().row_dual)


def _solver() -> Any:
    """Return the solver of the calling thread, kept between calls."""
    if not hasattr(_kept, "solver"):
        _kept.solver = import_solver("highspy").Highs()
        _kept.solver.setOptionValue("output_flag", False)
    return _kept.solver


def _solve(
    cost: Floats, matrix: Floats, floor: Floats, top: Floats, low: Floats, high: Floats
) -> Floats | None:
    """Return the x of least cost with floor <= matrix x <= top and low <= x <= high, or None."""
    highspy = import_solver("highspy")
    solver = _solver()
    n_rows, n = matrix.shape
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n, n_rows
    program.col_cost_, program.col_lower_, program.col_upper_ = cost, low, high
    program.row_lower_, program.row_upper_ = floor, top
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.arange(0, n * n_rows + 1, n)
    program.a_matrix_.index_ = np.tile(np.arange(n), n_rows)
    program.a_matrix_.value_ = np.ascontiguousarray(matrix).ravel()
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.array(solver.getSolution().col_value)
