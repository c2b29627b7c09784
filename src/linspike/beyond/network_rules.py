"""Rules for networks to compare with: Adam on the same gradients, and jitter layer by layer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.kernels.jit import borrowing
from linspike.kernels.network.backward import fill_arriving, fill_hidden_change, fill_row
from linspike.kernels.network.forward import number_of, sort_stably
from linspike.kernels.network.protocol import LayerWeights, NetworkInput, NetworkWork
from linspike.kernels.network.signatures import network_step
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.simulation.events import fill_decays
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import view_qp_work
from linspike.kernels.training.outcomes import FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.step_problem import (
    FAINT,
    fill_found_rows,
    fill_gram,
    inner,
)
from linspike.neuron.srm import SRM
from linspike.rules.base import STEADY, Rule
from linspike.rules.network.base import NetworkRule
from linspike.rules.network.joint_dta import HOLD_TOLERANCE, JointDTA
from linspike.rules.network.joint_rows import (
    FAILED_ABOVE,
    SOLVED_TO,
    JointOptions,
    assemble_joint,
    assemble_out,
    fill_out_change,
    solve_joint,
    sum_shares,
    unpack_joint,
)

BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8  # as Kingma and Ba 2015 have them


@borrowing
def adam_change(gradient: Floats, first: Floats, second: Floats, rate: float, count: float) -> None:
    """Replace a gradient by Adam's change; first and second are its moments."""
    unbiased_1, unbiased_2 = 1.0 - BETA_1**count, 1.0 - BETA_2**count
    for i in range(gradient.size):
        g = gradient[i]
        first[i] = BETA_1 * first[i] + (1.0 - BETA_1) * g
        second[i] = BETA_2 * second[i] + (1.0 - BETA_2) * g * g
        gradient[i] = rate * (first[i] / unbiased_1) / (math.sqrt(second[i] / unbiased_2) + TINY)


@network_step
def adam_step(
    s: NetworkInput,
    parameters: Floats,
    weights: LayerWeights,
    change: LayerWeights,
    memory: Floats,
    work: NetworkWork,
) -> int:
    """Descend on the squared violations of the constraints, both layers at once."""
    options, step = unpack_joint(parameters), work.step
    n_equal, n = assemble_joint(s, options, weights.out[s.k], work)
    if n == 0:
        return UNCHANGED
    # The gradient of r^2/2 at rows that are violated; an inequality with r >= 0 is met.
    for i in range(n):
        step.multipliers[i] = step.rhs[i] if i < n_equal else min(step.rhs[i], 0.0)
    fill_out_change(s, n, change, work)
    sum_shares(s, n, work)
    fill_hidden_change(s.spikes, work.total, 1.0, change.hidden)
    memory[0] += 1.0
    place = 1
    for h in range(change.hidden.shape[0]):
        row = change.hidden[h]
        first, second = memory[place : place + row.size], memory[place + row.size :]
        adam_change(row, first, second, options.share * options.bound, memory[0])
        place += 2 * row.size
    for k in range(change.out.shape[0]):
        row = change.out[k]
        first, second = memory[place : place + row.size], memory[place + row.size :]
        adam_change(row, first, second, options.bound, memory[0])
        place += 2 * row.size
    return SOLVED


@dataclass(frozen=True)
class JointAdam(NetworkRule):
    """Adam on the squared violations of the constraints of `JointDTA`, by the same gradients.

    Parameters
    ----------
    eta : float
        Step size of the output layer, in thresholds.
    hidden_eta : float
        Step size of the hidden layer, in thresholds.
    margin, hold_tolerance, least_slope, schedule
        As for `JointDTA`.
    """

    key = "joint_adam"

    eta: float = 0.01
    hidden_eta: float = 0.01
    margin: float = 0.1
    hold_tolerance: float | None = None
    least_slope: float = 0.1
    schedule: tuple[float, float] | None = STEADY

    def __post_init__(self) -> None:
        super().__post_init__()
        positive = {"above": 0.0, "domain": "finite and positive"}
        check_real(self.hidden_eta, "hidden_eta", "JointAdam", **positive)  # type: ignore[arg-type]
        check_real(self.least_slope, "least_slope", "JointAdam", **positive)  # type: ignore[arg-type]

    def memory_size(self, n_weights: int, n_hidden: int) -> int:
        """Return room for two moments of each weight and a counter."""
        return 2 * n_weights + 1

    def compiled(self) -> Any:
        """Return the compiled step."""
        return adam_step

    def adapt(self, neuron: SRM, tolerance: float | None = None) -> Rule:
        """Return the rule with its step sizes as potentials and its tolerance."""
        hold = JointDTA(hold_tolerance=self.hold_tolerance).adapt(neuron, tolerance)
        assert isinstance(hold, JointDTA)
        return replace(
            self,
            hold_tolerance=hold.hold_tolerance,
            eta=neuron.threshold * self.eta,
            hidden_eta=neuron.threshold * self.hidden_eta,
        )

    def options(self, *, counts: bool) -> JointOptions:
        """Return the options of a step; the bound is the step size of the outputs."""
        hold = HOLD_TOLERANCE if self.hold_tolerance is None else self.hold_tolerance
        given = JointDTA(margin=self.margin, hold_tolerance=hold, least_slope=self.least_slope)
        share = self.hidden_eta / self.eta
        return given.options(counts=counts)._replace(bound=self.eta, share=share)


@borrowing
def choose_shifts(s: NetworkInput, n: int, shift: float, out: Floats, work: NetworkWork) -> None:
    """Fill shifts: each hidden spike goes the way that lessens the output's violations."""
    constants, count = s.out.constants, s.spikes.offsets[s.spikes.offsets.size - 1]
    work.total[:count] = 0.0
    for i in range(n):
        at = work.step.times[i]
        fill_arriving(s.spikes, at, out, constants.psp, constants.m, work.arriving)
        for j in range(count):
            work.total[j] += work.step.multipliers[i] * work.arriving[j]
    for j in range(count):
        work.shifts[j] = 0.0
        if work.total[j] != 0.0:
            work.shifts[j] = math.copysign(shift, work.total[j])


@borrowing
def assemble_hidden(
    s: NetworkInput, options: JointOptions, h: int, weights: Floats, work: NetworkWork
) -> int:
    """Fill gram, rhs and bounds of DTA for hidden neuron h at its shifted spikes; return how many.

    Rows are those of `s.spikes`.
    """
    spikes, hidden, step = s.spikes, s.hidden, work.step
    first = spikes.offsets[h]
    count: int = min(spikes.offsets[h + 1] - first, step.rhs.size)
    number = number_of(s.p, h, spikes.offsets.size - 1, s.is_delayed)
    resets = work.arriving[:count]
    for j in range(count):
        resets[j] = spikes.times[first + j] + work.shifts[first + j]
    for j in range(count):
        row = spikes.rows[first + j]
        fill_row(s.events, number, resets[j], weights, hidden, row)
        theta = hidden.threshold * reset_sum(resets[j], resets, hidden.m.rate_m)
        step.rhs[j] = theta - inner(row, weights)
        for k in range(j + 1):
            product = inner(row, spikes.rows[first + k])
            step.gram[j, k] = product
            step.gram[k, j] = product
        unit = hidden.threshold / step.gram[j, j] if step.gram[j, j] > FAINT else 0.0
        step.lower[j] = -options.bound * unit
        step.upper[j] = options.bound * unit
        step.multipliers[j] = 0.0
    return count


@borrowing
def move_hidden(
    s: NetworkInput, options: JointOptions, weights: Floats, change: Floats, work: NetworkWork
) -> None:
    """Fill the change of the hidden layer: a step of DTA for each neuron to its shifted spikes."""
    step = work.step
    for h in range(weights.shape[0]):
        count = assemble_hidden(s, options, h, weights[h], work)
        row = change[h]
        row[:] = 0.0
        if count == 0:
            continue
        buffers = view_qp_work(step.buffers, step.indices, step.factor)
        tolerance = SOLVED_TO * s.hidden.threshold
        x = step.multipliers
        solve_box(step.gram, step.rhs, step.lower, step.upper, x, tolerance, buffers, count)
        for j in range(count):
            source = s.spikes.rows[s.spikes.offsets[h] + j]
            for c in range(row.size):
                row[c] += step.multipliers[j] * source[c]


@borrowing
def shift_arrivals(s: NetworkInput, work: NetworkWork) -> None:
    """Move the arrivals at the output neuron by the shifts, and order them again."""
    spikes, events = s.spikes, s.spikes.events
    n = events.offsets[1]
    for e in range(n):
        j = spikes.spike_of[e]
        spikes.slopes[j] = max(0.0, events.times[e] + work.shifts[j])
    sort_stably(spikes.slopes, n, spikes.spike_of, spikes.sorting)
    for e in range(n):
        j = spikes.spike_of[e]
        events.times[e] = spikes.slopes[j]
        events.channels[e] = spikes.neuron[j]
    m = s.out.constants.m
    fill_decays(events.times, events.offsets, events.durations, m, events.decay_m, events.decay_s)


@network_step
def jitter_step(
    s: NetworkInput,
    parameters: Floats,
    weights: LayerWeights,
    change: LayerWeights,
    memory: Floats,
    work: NetworkWork,
) -> int:
    """Shift hidden spikes, teach the hidden layer the shifted ones, and the output with them."""
    options = unpack_joint(parameters)
    out, step = weights.out[s.k], work.step
    n_equal, n = assemble_out(s, options, out, work)
    if n == 0:
        return UNCHANGED
    for i in range(n):
        step.multipliers[i] = step.rhs[i] if i < n_equal else min(step.rhs[i], 0.0)
    choose_shifts(s, n, options.max_shift, out, work)
    move_hidden(s, options, weights.hidden, change.hidden, work)
    shift_arrivals(s, work)
    rows = s.out.k_desired
    fill_found_rows(s.out.events, 0, s.out.constants, s.out.desired, rows, rows)
    n_equal, n = assemble_out(s, options, out, work)
    fill_gram(step, n)
    left = solve_joint(s, options, n_equal, n, work)
    fill_out_change(s, n, change, work)
    return SOLVED if left <= FAILED_ABOVE * s.out.constants.threshold else FALLBACK


@dataclass(frozen=True)
class LayerwiseJitter(JointDTA):
    """Spike jitter, as the paper proposes for several layers: one layer after the other.

    Every hidden spike is shifted in the direction that lessens the violations of the output's
    constraints. Each hidden neuron takes a step of DTA towards its shifted spikes, and the output
    neuron one with the shifted spikes as its input.

    Parameters
    ----------
    max_shift : float
        The shift in milliseconds.
    bound, margin, hold_tolerance, schedule
        As for `JointDTA`; the bound is that of both layers. `share`, `least_slope` and `least_rate`
        have no effect.

    Notes
    -----
    Reconstructed: the paper's discussion has the idea, without length of the shift or bounds.
    """

    key = "layerwise_jitter"

    margin: float = 0.4
    max_shift: float = 0.001

    def compiled(self) -> Any:
        """Return the compiled step."""
        return jitter_step
