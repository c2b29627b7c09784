"""DTA through a hidden layer: both layers change together to meet the constraints of one step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.kernels.jit import borrowing
from linspike.kernels.network.backward import fill_hidden_change, fill_shifts, mix
from linspike.kernels.network.protocol import LayerWeights, NetworkInput, NetworkWork
from linspike.kernels.network.signatures import network_step
from linspike.kernels.training.outcomes import FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.step_problem import fill_gram
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance
from linspike.rules.base import Rule, check_schedule
from linspike.rules.network.base import NetworkRule
from linspike.rules.network.held_rates import hold_rates, rates_size
from linspike.rules.network.joint_rows import (
    FAILED_ABOVE,
    JointOptions,
    assemble_joint,
    fill_out_change,
    least_slope,
    solve_joint,
    sum_shares,
    unpack_joint,
)

ANNEALED = (1.5, 0.5)
MATCH_TOLERANCE, HOLD_TOLERANCE = 0.5, 1.0  # ms, where tau_s is a usual one
TRACE = 0.02  # weight of a step in the running means of the traces
TRACE_OUT, TRACE_HIDDEN, RATES = 0, 1, 2  # places in the memory


@borrowing
def balance(share: float, n: int, memory: Floats, work: NetworkWork) -> float:
    """Return the factor of the hidden rows' products that gives their trace its share, (82)."""
    trace_out = trace_hidden = 0.0
    for i in range(n):
        trace_out += work.step.gram[i, i]
        trace_hidden += work.gram[i, i]
    weight = TRACE if memory[TRACE_OUT] > 0.0 else 1.0
    memory[TRACE_OUT] += weight * (trace_out - memory[TRACE_OUT])
    memory[TRACE_HIDDEN] += weight * (trace_hidden - memory[TRACE_HIDDEN])
    if memory[TRACE_HIDDEN] <= 0.0:
        return 0.0
    factor: float = share * memory[TRACE_OUT] / memory[TRACE_HIDDEN]
    return factor


@borrowing
def limit_shifts(s: NetworkInput, options: JointOptions, factor: float, work: NetworkWork) -> None:
    """Scale the change of each hidden neuron of which a spike would move too far."""
    spikes, total = s.spikes, work.total
    mix(spikes, total, work.mixed[0])
    count = spikes.offsets[spikes.offsets.size - 1]
    for j in range(count):
        work.mixed[0, j] *= factor
    fill_shifts(spikes, work.mixed[0], s.hidden, least_slope(s, options), work.shifts)
    for h in range(spikes.offsets.size - 1):
        longest = 0.0
        for j in range(spikes.offsets[h], spikes.offsets[h + 1]):
            longest = max(longest, abs(work.shifts[j]))
        if longest > options.max_shift:
            for j in range(spikes.offsets[h], spikes.offsets[h + 1]):
                total[j] *= options.max_shift / longest


@network_step
def joint_step(
    s: NetworkInput,
    parameters: Floats,
    weights: LayerWeights,
    change: LayerWeights,
    memory: Floats,
    work: NetworkWork,
) -> int:
    """Smallest change of both layers that meets the constraints, with slack priced at the bound."""
    options, step = unpack_joint(parameters), work.step
    n_equal, n = assemble_joint(s, options, weights.out[s.k], work)
    if n == 0:
        return UNCHANGED
    fill_gram(step, n)
    factor = balance(options.share, n, memory, work)
    for i in range(n):
        for k in range(n):
            step.gram[i, k] += factor * work.gram[i, k]
    left = solve_joint(s, options, n_equal, n, work)
    fill_out_change(s, n, change, work)
    sum_shares(s, n, work)
    limit_shifts(s, options, factor, work)
    fill_hidden_change(s.spikes, work.total, factor, change.hidden)
    hold_rates(s.spikes, options.least_rate, weights.hidden, memory[RATES:], change.hidden)
    return SOLVED if left <= FAILED_ABOVE * s.out.constants.threshold else FALLBACK


@dataclass(frozen=True)
class JointDTA(NetworkRule):
    """DTA through a hidden layer: the smallest change of both layers that meets the constraints.

    Experimental. Constraints are those of `DTA` for the output neuron, at desired times d and wrong
    spikes o, with the hidden spikes as its input. A row has a second part, the gradient of V0 with
    respect to the weights of the hidden layer, through the hidden spikes and their resets, B. With
    the PSP rows K of the output and a factor c,

        G = K K' + c B Q B',   Delta U = K' eta,   Delta W = c sum_j (B' eta)_j X(t_j),

    and eta minimises 1/2 eta' G eta - r' eta over the box, as for `DTA`. The second part is linear
    only as long as hidden spikes neither appear nor vanish.

    Parameters
    ----------
    bound : float
        Largest multiplier, as the change of V it may cause at its own time, in thresholds.
    margin : float
        How far below the moving threshold wrong spikes are pushed, in thresholds. Larger than for
        `DTA`: changes for other patterns come through the hidden layer too.
    skip_below, match_tolerance, hold_tolerance
        As for `DTA`.
    share : float
        The factor c is such that the trace of c B Q B' is this share of that of K K', in the
        running mean over steps.
    max_shift : float
        Longest time, in milliseconds, by which a step may move a hidden spike. The change of a
        hidden neuron of which a spike would move further is scaled down.
    least_slope : float
        Slopes of V at hidden spikes below this value, in thresholds per tau_m, are taken for it.
    least_rate : float
        Share of its first rate, in spikes per pattern, below which the hidden layer is kept from
        falling silent: neurons below that share of their own first rate grow by 3 % a step. Steps
        cost hidden spikes more often than they bring new ones. With 0 none grow.
    schedule : pair of float
        Factors of the steps in the first epoch and in the last fifth of them.

    Examples
    --------
    >>> import linspike as ls
    >>> network = ls.Network([ls.Layer(10), ls.Layer(1)])
    >>> ls.Trainer(network, ls.rules.JointDTA(share=0.5)).rule.share
    0.5
    """

    key = "joint_dta"

    bound: float = 0.4
    margin: float = 0.8
    skip_below: float = 1.0
    match_tolerance: float | None = None
    hold_tolerance: float | None = None
    share: float = 0.3
    max_shift: float = 1.0
    least_slope: float = 0.1
    least_rate: float = 0.8
    schedule: tuple[float, float] | None = ANNEALED

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("bound", "max_shift", "least_slope"):
            check_real(getattr(self, name), name, "JointDTA", above=0.0)
        for name in ("share", "least_rate"):
            check_real(getattr(self, name), name, "JointDTA", least=0.0)
        object.__setattr__(self, "schedule", check_schedule(self.schedule, "JointDTA"))

    def memory_size(self, n_weights: int, n_hidden: int) -> int:
        """Return room for two running means, and the rates of the hidden neurons."""
        return RATES + rates_size(n_hidden)

    def compiled(self) -> Any:
        """Return the compiled step."""
        return joint_step

    def adapt(self, neuron: SRM, tolerance: float | None = None) -> Rule:
        """Return the rule with its tolerances for this neuron and criterion."""
        match, hold = self.match_tolerance, self.hold_tolerance
        if match is None:
            match = scale_tolerance(MATCH_TOLERANCE, neuron.tau_s)
        if hold is None:
            usual = scale_tolerance(HOLD_TOLERANCE, neuron.tau_s)
            hold = usual if tolerance is None else tolerance
        return replace(self, match_tolerance=match, hold_tolerance=hold)

    def options(self, *, counts: bool) -> JointOptions:
        """Return the options of a step."""
        match, hold = self.match_tolerance, self.hold_tolerance
        return JointOptions(
            bound=self.bound,
            margin=self.margin,
            match_tolerance=MATCH_TOLERANCE if match is None else match,
            hold_tolerance=HOLD_TOLERANCE if hold is None else hold,
            share=self.share,
            max_shift=self.max_shift,
            least_slope=self.least_slope,
            least_rate=self.least_rate,
        )
