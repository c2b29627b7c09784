"""Solutions of the constraints of one step, by four objectives."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_choice, check_real
from linspike.constraints.backends import (
    central_point,
    interior_point,
    least_l1,
    least_slack,
)
from linspike.constraints.problem import Problem
from linspike.errors import ParameterError
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import make_qp_work

OBJECTIVES = ("projection", "min_norm", "feasible", "min_l1")
SOLVED_TO = 1e-12
CONFLICT = 1e-7  # a violation above this, in the unit of the potential, is a conflict


@dataclass(frozen=True, eq=False)
class Solution:
    """Multipliers, the weight change they make, and how well they meet the constraints.

    Attributes
    ----------
    eta : array of float
        Multipliers, one per row of the problem.
    change : array of float
        Weight change, z.T @ eta.
    solved : bool
        Whether the solver met the constraints; with "projection", whether it found the optimum.
    residuals : array of float
        Violation of each row: ``|K Z' eta - r|`` where desired, the excess over r elsewhere.
    conflicts : tuple of float
        Times that cannot be had together, if hard constraints contradict each other.
    """

    eta: Floats
    change: Floats
    solved: bool
    residuals: Floats
    conflicts: tuple[float, ...] = ()

    @property
    def worst(self) -> float:
        """Largest violation."""
        return float(self.residuals.max(initial=0.0))

    @property
    def reason(self) -> str:
        """The outcome in words."""
        if self.solved:
            return "solved"
        if self.conflicts:
            times = ", ".join(f"{time:.6g}" for time in self.conflicts)
            return f"no multipliers within the bounds meet the constraints at {times} ms together"
        return "not solved"


def solve(problem: Problem, objective: str = "projection", *, bound: float = math.inf) -> Solution:
    """Return the solution of a problem.

    Objectives other than "projection" may need the solvers of the extra `solvers`.

    Parameters
    ----------
    problem : Problem
        From `assemble`.
    objective : {"projection", "min_norm", "feasible", "min_l1"}
        "projection": the smallest weight change, slack priced at the bound (psp window only).
        "min_norm": the smallest weight change that meets all constraints.
        "feasible": the analytic centre of all solutions with multipliers of the right sign; without
        a bound, where there may be none, the point at which an interior-point solver ends.
        "min_l1": the feasible point with the least sum of ``|eta|``, of the right sign.
    bound : float
        Largest multiplier.
    """
    limit = check_real(bound, "bound", "solve", above=0.0, infinite=True)
    check_choice(objective, "objective", "solve", OBJECTIVES)
    if objective == "projection" and problem.z is not problem.k:
        remedy = "Use objective='feasible' for other windows."
        raise ParameterError.of("objective", "solve", "another for this window", objective, remedy)
    if len(problem) == 0:
        return Solution(np.empty(0), np.zeros(problem.k.shape[1]), True, np.empty(0))
    n, n_equal = len(problem), problem.n_desired
    equal = np.arange(n) < n_equal
    signed = objective in ("projection", "min_norm")
    low = np.where(equal & (not signed), 0.0, -limit)
    high = np.where(equal, limit, 0.0)
    if signed and problem.z is problem.k:
        return _project(problem, low, high, hard=objective == "min_norm")
    constraints = (problem.gram, problem.r, n_equal, low, high)
    if objective == "min_l1":
        eta = least_l1(*constraints)
    elif objective == "min_norm":
        eta = interior_point(*constraints, quadratic=problem.z @ problem.z.T)
    else:
        eta = central_point(*constraints)
    return _failed(problem, low, high) if eta is None else _solution(problem, eta, True)


def _project(problem: Problem, low: Floats, high: Floats, *, hard: bool) -> Solution:
    """Return the projection; with `hard`, only if it meets all constraints."""
    n = len(problem)
    eta = np.zeros(n)
    work = make_qp_work(n)
    scale = float(np.abs(problem.theta).max())
    gram = np.ascontiguousarray(problem.gram)
    left = solve_box(gram, problem.r, low, high, eta, SOLVED_TO * scale, work, n)
    found = _solution(problem, eta, left <= CONFLICT * scale)
    if hard and found.worst > CONFLICT * scale:
        return _failed(problem, low, high)
    return found


def _solution(problem: Problem, eta: Floats, solved: bool) -> Solution:
    gap = problem.gram @ eta - problem.r
    equal = np.arange(len(problem)) < problem.n_desired
    residuals = np.where(equal, np.abs(gap), np.maximum(gap, 0.0))
    return Solution(eta, problem.z.T @ eta, solved, residuals)


def _failed(problem: Problem, low: Floats, high: Floats) -> Solution:
    """Return the point with the least total violation; the rows that prove it are the conflict."""
    eta, duals = least_slack(problem.gram, problem.r, problem.n_desired, low, high)
    found = _solution(problem, eta, False)
    scale = float(np.abs(problem.theta).max())
    part_of_it = (np.abs(duals) > CONFLICT) | (found.residuals > CONFLICT * scale)
    conflicts = tuple(problem.times[part_of_it].tolist())
    return Solution(found.eta, found.change, False, found.residuals, conflicts)
