"""The projection of one step: multipliers within their bounds, and the change that they give."""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.rows.windows import copy_row
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import view_qp_work
from linspike.kernels.training.bounded_projection import (
    BoundedStep,
    BoundedWork,
    fill_change,
    project_within,
)
from linspike.kernels.training.held_delays import recall_inputs, scale_delays
from linspike.kernels.training.outcomes import FALLBACK, SOLVED
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.step_problem import (
    combine,
    fill_gram,
    inner,
    is_faint,
)
from linspike.kernels.training.whitening import apply_metric

SOLVED_TO = 1e-12
FAILED_ABOVE = 1e-7
FALLBACK_STEP = 0.1  # multiplier of each row where the solver fails, in the unit of the bound


class Options(NamedTuple):
    """Options of a step, in the order in which the parameter array holds them."""

    bound: float
    per_row: bool
    margin: float
    allow_negative: bool
    match_tolerance: float
    absolute: bool
    gradient: bool  # the count is the constraint, not desired times
    hold_tolerance: float  # 0: all spikes are asked to be at their desired times
    faint: float  # gradients below this share of the mean peak drive are measured by it
    delay_share: float  # trace of the rows of delays, as a share of that of the weights


@borrowing
def unpack(parameters: Floats) -> Options:
    """Return the options that the parameter array holds."""
    return Options(
        bound=parameters[0],
        per_row=parameters[1] > 0.0,
        margin=parameters[2],
        allow_negative=parameters[3] > 0.0,
        match_tolerance=parameters[4],
        absolute=parameters[5] > 0.0,
        gradient=parameters[6] > 0.0,
        hold_tolerance=parameters[7],
        faint=parameters[8],
        delay_share=parameters[9],
    )


@borrowing
def row_unit(norm: float, options: Options, constants: NeuronConstants) -> float:
    """Return the unit of the bound for a row with this squared norm; 0 for a faint row.

    A gradient is that of one moment, the fainter the less it says about the next: it is not taken
    for less than a share of the peak drive.
    """
    if is_faint(norm, constants):
        return 0.0
    if options.absolute:
        return 1.0
    if options.gradient:
        norm = max(norm, options.faint * constants.mean_max_drive)
    return constants.threshold / (norm if options.per_row else constants.mean_max_drive)


@borrowing
def fill_bounds(
    constants: NeuronConstants, options: Options, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Fill unit, lower and upper of the multipliers from the diagonal of gram."""
    for i in range(n):
        unit = row_unit(work.gram[i, i], options, constants)
        bound = options.bound * unit if unit > 0.0 else 0.0
        work.unit[i] = unit
        work.lower[i] = -bound if i >= n_equal or options.allow_negative else 0.0
        work.upper[i] = bound if i < n_equal else 0.0


@borrowing
def fill_fallback(n_equal: int, n: int, work: StepWorkspace) -> None:
    """Fill the multipliers of the fallback step."""
    for i in range(n):
        step = FALLBACK_STEP * work.unit[i]
        work.multipliers[i] = step if i < n_equal else -step


@inlined
def project(s: StepInput, options: Options, n_equal: int, n: int, work: StepWorkspace) -> int:
    """Find the multipliers of the smallest change, or of the fallback step; return the outcome."""
    threshold = s.constants.threshold
    fill_gram(work, n)
    fill_bounds(s.constants, options, n_equal, n, work)
    x = work.multipliers
    x[:n] = 0.0
    buffers = view_qp_work(work.buffers, work.indices, work.factor)
    tolerance = SOLVED_TO * threshold
    left = solve_box(work.gram, work.rhs, work.lower, work.upper, x, tolerance, buffers, n)
    # Only infinite bounds leave contradictory rows without a solution.
    if left <= FAILED_ABOVE * threshold:
        return SOLVED
    fill_fallback(n_equal, n, work)
    return FALLBACK


@borrowing
def fill_ranges(
    s: StepInput, weights: Floats, unit: float, start: Floats, low: Floats, high: Floats
) -> None:
    """Fill start, low and high with weights, then changes of delays in their unit, and ranges."""
    n = weights.size
    per_unit = 1.0 / unit if unit > 0.0 else 0.0
    for c in range(n):
        start[c], low[c], high[c] = weights[c], s.weight_low[c], s.weight_high[c]
        start[n + c] = 0.0
        low[n + c] = -s.delays[c] * per_unit
        high[n + c] = (s.max_delay - s.delays[c]) * per_unit


@borrowing
def project_bounded(
    s: StepInput,
    options: Options,
    n_equal: int,
    n: int,
    weights: Floats,
    unit: float,
    change: Floats,
    work: StepWorkspace,
) -> int:
    """The same where weights have bounds; fill the change and return the outcome.

    Learned delays, in their unit, are held within their range together with the weights.
    """
    threshold, x, spare = s.constants.threshold, work.multipliers, work.rows_z
    for i in range(n):
        work.gram[i, i] = inner(work.rows_k[i], work.rows_k[i])
    fill_bounds(s.constants, options, n_equal, n, work)
    start, low, high = weights, s.weight_low, s.weight_high
    if s.delays.size > 0:
        start, low, high = spare[3], spare[4], spare[5]
        fill_ranges(s, weights, unit, start, low, high)
    problem = BoundedStep(work.rows_k, work.rhs, work.lower, work.upper, start, low, high)
    buffers = BoundedWork(
        gram=work.gram,
        gradient=work.buffers[-1],
        downhill=work.buffers[-2],
        below=work.buffers[-3],
        above=work.buffers[-4],
        step=work.buffers[-5],
        drive=spare[0],
        ahead=spare[1],
        free=spare[2],
        qp=view_qp_work(work.buffers, work.indices, work.factor),
    )
    x[:n] = 0.0
    good_enough = FAILED_ABOVE * threshold
    left = project_within(problem, x, change, SOLVED_TO * threshold, good_enough, buffers, n)
    if left <= good_enough:
        return SOLVED
    fill_fallback(n_equal, n, work)
    combine(work.rows_k, x, n, spare[0])
    fill_change(problem, spare[0], change)
    return FALLBACK


@borrowing
def fill_projection(
    s: StepInput,
    options: Options,
    n_equal: int,
    n: int,
    weights: Floats,
    change: Floats,
    work: StepWorkspace,
) -> int:
    """Fill the smallest change, or that of the fallback step; return the outcome."""
    unit = scale_delays(s, options.delay_share, n, work) if s.delays.size > 0 else 0.0
    if s.weight_low.size > 0:
        outcome = project_bounded(s, options, n_equal, n, weights, unit, change, work)
    else:
        outcome = project(s, options, n_equal, n, work)
        combine(work.rows_k, work.multipliers, n, change)
    for c in range(s.delays.size):
        change[weights.size + c] *= unit
    if s.delays.size > 0:
        recall_inputs(s, n_equal, work, change)
    return outcome


@borrowing
def project_in_metric(
    s: StepInput, options: Options, n_equal: int, dead: bool, change: Floats, work: StepWorkspace
) -> None:
    """Fill the change for a count: eta M g of (65), with the multiplier eta of (67)."""
    row, width = work.rows_k[0], s.constants.metric.shape[0]
    unit = scale_delays(s, options.delay_share, 1, work) if s.delays.size > 0 else 0.0
    copy_row(row, change)
    if not dead:  # else all its inputs are to count for more, whatever other patterns have too
        apply_metric(s.constants.metric, row[:width], change[:width])
    norm = inner(row, change)
    work.gram[0, 0] = norm
    fill_bounds(s.constants, options, n_equal, 1, work)
    # One row: its multiplier is that of the equality, clipped to the box.
    multiplier = max(work.lower[0], min(work.upper[0], work.rhs[0] / norm))
    for c in range(change.size):
        change[c] *= multiplier
    for c in range(width, change.size):
        change[c] *= unit
    if dead and norm == 0.0:
        recall_inputs(s, 1, work, change)
