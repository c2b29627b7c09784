"""A rule in plain Python: constraints without slack, and a choice among their solutions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_choice, check_real
from linspike.constraints.backends import interior_point, least_l1
from linspike.rules.toolkit import (
    DEAD,
    FALLBACK,
    SOLVED,
    UNCHANGED,
    Rule,
    StepInput,
    StepWorkspace,
    assemble,
    fill_window_rows,
    is_faint,
)

OBJECTIVES = ("min_norm", "min_l1", "feasible")


@dataclass(frozen=True)
class HardConstraints(Rule):
    """The constraints of `DTALinearProgram`, with another choice among their solutions.

    Parameters
    ----------
    objective : {"min_norm", "min_l1", "feasible"}
        The smallest weight change, the least sum of |eta|, or the point that PIQP ends at without
        an objective.
    bound, min_multiplier, margin, fallback_step
        As for `DTALinearProgram`; the bound may be infinite.
    """

    key = "hard_constraints"

    objective: str = "min_norm"
    bound: float = 0.01
    min_multiplier: float = 0.0
    margin: float = 1e-6
    fallback_step: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = type(self).__name__
        check_choice(self.objective, "objective", owner, OBJECTIVES)
        domain = "positive (infinity allowed)"
        check_real(self.bound, "bound", owner, above=0.0, domain=domain, infinite=True)
        domain = "finite and at least 0"
        check_real(self.min_multiplier, "min_multiplier", owner, least=0.0, domain=domain)

    def step(
        self,
        step_input: StepInput,
        parameters: Floats,
        weights: Floats,
        change: Floats,
        work: StepWorkspace,
    ) -> int:
        """Write a point that meets all constraints to `change`, or the fallback step."""
        n_equal, n, dead = assemble(step_input, weights, self.margin, 0.0, False, work)
        change[:] = 0.0
        if n == 0:
            return UNCHANGED
        fill_window_rows(step_input, False, n_equal, n, work)
        rows_k, rows_z, rhs = work.rows_k[:n], work.rows_z[:n], work.rhs[:n]
        equal = np.arange(n) < n_equal
        moves = np.array([not is_faint(row @ row, step_input.constants) for row in rows_k])
        large = np.where(moves, self.bound, 0.0)
        small = np.where(moves, self.min_multiplier, 0.0)
        lower, upper = np.where(equal, small, -large), np.where(equal, large, -small)
        constraints = (rows_k @ rows_z.T, rhs, n_equal, lower, upper)
        if self.objective == "min_l1":
            eta = least_l1(*constraints)
        else:
            quadratic = rows_z @ rows_z.T if self.objective == "min_norm" else None
            eta = interior_point(*constraints, quadratic=quadratic)
        outcome = SOLVED
        if eta is None:
            eta = np.where(equal, 1.0, -1.0) * moves * (self.fallback_step / math.sqrt(n))
            outcome = FALLBACK
        np.matmul(eta, rows_z, out=change)
        return DEAD if dead else outcome
