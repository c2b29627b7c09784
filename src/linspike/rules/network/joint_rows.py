"""Constraints of a step through a hidden layer: their rows, their products, their multipliers."""

from __future__ import annotations

from typing import NamedTuple

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.network.backward import fill_arriving, fill_hidden_gram, fill_shares
from linspike.kernels.network.protocol import LayerWeights, NetworkInput, NetworkWork
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import view_qp_work
from linspike.kernels.training.step_problem import (
    assemble_held,
    assemble_times,
    combine,
    is_faint,
)

HOLD_FIRST, MARGIN_LAST = 0.3, 0.2  # as for DTA
SOLVED_TO, FAILED_ABOVE = 1e-12, 1e-7


class JointOptions(NamedTuple):
    """Options of a step, in the order in which the parameter array holds them."""

    bound: float
    margin: float
    match_tolerance: float
    hold_tolerance: float
    share: float
    max_shift: float
    least_slope: float
    least_rate: float


@borrowing
def unpack_joint(parameters: Floats) -> JointOptions:
    """Return the options that the parameter array holds."""
    return JointOptions(
        bound=parameters[0],
        margin=parameters[1],
        match_tolerance=parameters[2],
        hold_tolerance=parameters[3],
        share=parameters[4],
        max_shift=parameters[5],
        least_slope=parameters[6],
        least_rate=parameters[7],
    )


@borrowing
def assemble_out(
    s: NetworkInput, options: JointOptions, out: Floats, work: NetworkWork
) -> tuple[int, int]:
    """Fill the rows of the output neuron, as for DTA; return equalities and all."""
    margin = options.margin * s.out.constants.threshold
    near, hold = options.match_tolerance, options.hold_tolerance
    if hold > 0.0:
        hold *= HOLD_FIRST + s.out.progress * (1.0 - HOLD_FIRST)
        margin *= 1.0 + s.out.progress * (MARGIN_LAST - 1.0)
        return assemble_held(s.out, out, margin, near, hold, work.step)
    return assemble_times(s.out, out, margin, near, work.step)


@borrowing
def least_slope(s: NetworkInput, options: JointOptions) -> float:
    """Return the slope of V per ms for which smaller ones at hidden spikes are taken."""
    least: float = options.least_slope * s.hidden.threshold * s.hidden.m.rate_m
    return least


@borrowing
def assemble_joint(
    s: NetworkInput, options: JointOptions, out: Floats, work: NetworkWork
) -> tuple[int, int]:
    """Fill the rows of the output neuron, the shares of hidden spikes in them, and their products.

    Returns equalities and all.
    """
    n_equal, n = assemble_out(s, options, out, work)
    constants, least = s.out.constants, least_slope(s, options)
    for i in range(n):
        at = work.step.times[i]
        fill_arriving(s.spikes, at, out, constants.psp, constants.m, work.arriving)
        fill_shares(s.spikes, work.arriving, s.hidden, least, work.shares[i])
    fill_hidden_gram(s.spikes, work.shares[:n], work.mixed[:n], work.gram[:n, :n])
    return n_equal, n


@borrowing
def solve_joint(
    s: NetworkInput, options: JointOptions, n_equal: int, n: int, work: NetworkWork
) -> float:
    """Find the multipliers of (22) with the products of both layers; return the residual."""
    step, threshold = work.step, s.out.constants.threshold
    for i in range(n):
        norm = step.gram[i, i]
        unit = 0.0 if is_faint(norm, s.out.constants) else threshold / norm
        step.unit[i] = unit
        step.lower[i] = -options.bound * unit
        step.upper[i] = options.bound * unit if i < n_equal else 0.0
        step.multipliers[i] = 0.0
    buffers = view_qp_work(step.buffers, step.indices, step.factor)
    left: float = solve_box(
        step.gram,
        step.rhs,
        step.lower,
        step.upper,
        step.multipliers,
        SOLVED_TO * threshold,
        buffers,
        n,
    )
    return left


@borrowing
def fill_out_change(s: NetworkInput, n: int, change: LayerWeights, work: NetworkWork) -> None:
    """Fill the change of the outputs: one gets its rows by their multipliers, the others none."""
    for k in range(change.out.shape[0]):
        for h in range(change.out.shape[1]):
            change.out[k, h] = 0.0
    combine(work.step.rows_k, work.step.multipliers, n, change.out[s.k])


@borrowing
def sum_shares(s: NetworkInput, n: int, work: NetworkWork) -> None:
    """Fill total with the shares of all rows, each with its multiplier."""
    for j in range(s.spikes.offsets[s.spikes.offsets.size - 1]):
        total = 0.0
        for i in range(n):
            total += work.step.multipliers[i] * work.shares[i, j]
        work.total[j] = total
