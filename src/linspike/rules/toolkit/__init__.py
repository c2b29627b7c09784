"""Public building blocks for rules of your own, see docs/howto/extending.md.

Names here are public. Modules of `linspike.kernels` behind them may move.
"""

from linspike.kernels.jit import kernel
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import QPWork, view_qp_work
from linspike.kernels.training.outcomes import DEAD, FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.step_problem import (
    add_equalities,
    add_inequality,
    assemble,
    combine,
    fill_gram,
    fill_window_rows,
    inner,
    is_faint,
)
from linspike.kernels.training.updates import (
    add_at,
    add_mixture,
    add_reset_row,
    correlate,
    critical_rows,
    raise_dead,
)
from linspike.rules.base import STEADY, Rule
from linspike.rules.toolkit.families import (
    CorrelationRule,
    CountRule,
    StepSizeRule,
    ToleranceRule,
    unpack_step_size,
    unpack_tolerance,
)

__all__ = [
    "DEAD",
    "FALLBACK",
    "SOLVED",
    "STEADY",
    "UNCHANGED",
    "CorrelationRule",
    "CountRule",
    "NeuronConstants",
    "QPWork",
    "Rule",
    "StepInput",
    "StepSizeRule",
    "StepWorkspace",
    "ToleranceRule",
    "add_at",
    "add_equalities",
    "add_inequality",
    "add_mixture",
    "add_reset_row",
    "assemble",
    "combine",
    "correlate",
    "critical_rows",
    "fill_gram",
    "fill_window_rows",
    "inner",
    "is_faint",
    "kernel",
    "raise_dead",
    "reset_sum",
    "rule_step",
    "solve_box",
    "unpack_step_size",
    "unpack_tolerance",
    "view_qp_work",
]
