"""DTA as a projection: the smallest weight change that meets the constraints of one step."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from linspike._typing import Floats
from linspike._validation import check_choice, check_flag, check_real
from linspike.kernels.jit import borrowing
from linspike.kernels.solvers.box_qp import QPWork, solve_box
from linspike.kernels.training.outcomes import DEAD, FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.step_problem import (
    assemble,
    assemble_times,
    combine,
    fill_gram,
    is_faint,
)
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance
from linspike.rules.base import COUNT_TARGETS, STEADY, Rule, check_schedule

if TYPE_CHECKING:
    from linspike.rules.dta_lp import DTALinearProgram

BOUND_PER = ("row", "set", "task")
SOLVED_TO = 1e-12
FAILED_ABOVE = 1e-7
FALLBACK_STEP = 0.1  # multiplier of each row where the solver fails, in the unit of the bound
FAINT_GRADIENT = 0.1  # of the mean peak drive; in learning most |g|^2 are about twice that
ANNEALED = (1.5, 0.5)
MATCH_TOLERANCE = 0.5  # ms, where tau_s is a usual one


class Options(NamedTuple):
    """Options of a step, in the order in which the parameter array holds them."""

    bound: float
    per_row: bool
    margin: float
    allow_negative: bool
    match_tolerance: float
    absolute: bool
    gradient: bool  # the count is the constraint, not desired times


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
        norm = max(norm, FAINT_GRADIENT * constants.mean_max_drive)
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
def project(s: StepInput, options: Options, n_equal: int, n: int, work: StepWorkspace) -> int:
    """Find the multipliers of the smallest change, or of the fallback step; return the outcome."""
    threshold = s.constants.threshold
    fill_gram(work, n)
    fill_bounds(s.constants, options, n_equal, n, work)
    x = work.multipliers
    x[:n] = 0.0
    buffers = QPWork(work.buffers[0], work.buffers[1], work.indices, work.factor)
    tolerance = SOLVED_TO * threshold
    left = solve_box(work.gram, work.rhs, work.lower, work.upper, x, tolerance, buffers, n)
    # Contradictory rows under infinite bounds, or hundreds of rows: out of rounds.
    if left <= FAILED_ABOVE * threshold:
        return SOLVED
    for i in range(n):
        step = FALLBACK_STEP * work.unit[i]
        x[i] = step if i < n_equal else -step
    return FALLBACK


@borrowing_step
def projection_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Smallest weight change that meets the constraints, with slack priced at the bound."""
    options = unpack(parameters)
    margin = options.margin * (1.0 if options.absolute else s.constants.threshold)
    n_equal, n = assemble_times(s, weights, margin, options.match_tolerance, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    outcome = project(s, options, n_equal, n, work)
    combine(work.rows_k, work.multipliers, n, change)
    return outcome


@borrowing_step
def gradient_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """The same for rules whose constraint for counts is the count itself.

    Apart, because critical thresholds take longer to compile than all the rest.
    """
    options = unpack(parameters)
    margin = options.margin * (1.0 if options.absolute else s.constants.threshold)
    n_equal, n, dead = assemble(s, weights, margin, options.match_tolerance, options.gradient, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    outcome = project(s, options, n_equal, n, work)
    combine(work.rows_k, work.multipliers, n, change)
    return DEAD if dead else outcome


@dataclass(frozen=True)
class DTA(Rule):
    """Discrete Threshold Assumption: all spikes corrected at once, by linear constraints.

    At one pattern with desired times d and wrong actual spikes o, the change is a sum of PSP rows,
    Delta w = K' eta. Its multipliers eta are such that V0 equals the moving threshold at every d
    and stays a margin below it at every o:

        K_d (w + K' eta) = theta(d),   K_o (w + K' eta) < theta(o),   lb <= eta <= ub.

    Of all changes the smallest is taken, with slack priced at the bound: eta minimises
    1/2 eta' K K' eta - r' eta over the box. There is always one solution.

    For a desired count, desired times are found first: those of one spike more or fewer at another
    threshold. Or, with count_target="gradient", the count itself is one constraint. Weights
    scaled by a factor scale th*_k, the largest threshold with at least k spikes, so that th*_k =
    g w with its gradient g. With too few spikes th* of the desired count is to equal the threshold
    plus the margin, with too many th* of one spike more is to stay a margin below it.

    `DTA.paper` returns the paper's own linear program, which is another rule.

    Parameters
    ----------
    bound : float
        Largest multiplier, as the change of V it may cause at its own time, in thresholds.
    bound_per : {"task", "row", "set"}
        Whether that is measured for each row, ``b_i = bound * threshold/|X(t_i)|^2``, or for the
        set of patterns, by the mean of ``max |X(t)|^2``. "task" takes rows; for counts with desired
        times, the set. A gradient below a tenth of that mean is measured by the tenth.
    margin : float
        How far below the moving threshold wrong spikes are pushed, in thresholds; and how far a
        critical threshold is brought past the neuron's own.
    allow_negative : bool
        Whether multipliers of desired times may be negative. If not, V0 may overshoot there.
    absolute : bool
        Whether the bound is a multiplier as it is and the margin a potential, instead of the units
        above.
    skip_below : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    match_tolerance : float, optional
        An actual spike so many milliseconds from a desired time is no constraint. Unless given,
        0.5 ms if the neuron's tau_s is from 1 to 20 ms; in proportion to tau_s outside, as the
        tolerance of `Trainer`.
    count_target : {"halving", "critical", "gradient"}
        How counts are learned: with desired times at the first threshold that halving meets, as in
        the paper, or at the critical threshold; or along its gradient, as above, which learns a
        fifth more random patterns but takes longer where few patterns are much alike.
        `match_tolerance` has no effect on the gradient.
    schedule : pair of float, optional
        Factors of the steps in the first epoch and in the last fifth of them, see `Trainer`. Steps
        beyond the projection at first and short of it at last learn more than steady ones:
        defaults to (1.5, 0.5), and to (1, 1) if `bound` is infinite or `allow_negative` is False.

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564.

    Notes
    -----
    Confidence: verified. Differs from the paper: the smallest change is taken instead of whatever
    the solver returns, bounds are measured in thresholds, and the fallback step is rare: only
    where the solver runs out of rounds (with hundreds of rows a few per cent of the steps).

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.DTA(), max_epochs=50)
    >>> result = trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0)
    >>> result.converged
    True
    """

    key = "dta"
    objective = "projection"

    bound: float = 0.4
    bound_per: str = "task"
    margin: float = 0.1
    allow_negative: bool = True
    absolute: bool = False
    skip_below: float = 1.0
    match_tolerance: float | None = None
    count_target: str = "halving"
    schedule: tuple[float, float] | None = None

    @staticmethod
    def paper(**changes: Any) -> DTALinearProgram:
        """Return the paper's linear program, with these changes of its defaults."""
        from linspike.rules.dta_lp import DTALinearProgram  # compiled when first asked for

        return DTALinearProgram(**changes)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.bound_per, "bound_per", "DTA", BOUND_PER)
        check_choice(self.count_target, "count_target", "DTA", COUNT_TARGETS)
        check_flag(self.allow_negative, "allow_negative", "DTA")
        check_flag(self.absolute, "absolute", "DTA")
        positive = "positive (infinity allowed)"
        check_real(self.bound, "bound", "DTA", above=0.0, domain=positive, infinite=True)
        if self.schedule is not None:
            object.__setattr__(self, "schedule", check_schedule(self.schedule, "DTA"))

    def adapt(self, neuron: SRM) -> Rule:
        """Return the rule with its match tolerance for this neuron."""
        if self.match_tolerance is not None:
            return self
        return replace(self, match_tolerance=scale_tolerance(MATCH_TOLERANCE, neuron.tau_s))

    @property
    def counts_as_times(self) -> bool:  # type: ignore[override]
        """Whether a desired count is turned into desired times before each step."""
        return self.count_target != "gradient"

    def own_schedule(self) -> tuple[float, float]:
        """Return `schedule`, or its default."""
        if self.schedule is not None:
            return self.schedule
        return ANNEALED if self.allow_negative and math.isfinite(self.bound) else STEADY

    def compiled(self) -> Any:
        """Return the compiled step."""
        return projection_step if self.counts_as_times else gradient_step

    def options(self, *, counts: bool) -> Options:
        """Return the options of a step."""
        gradient = counts and not self.counts_as_times
        tolerance = self.match_tolerance
        per_row = self.bound_per == "row"
        if self.bound_per == "task":
            per_row = gradient or not counts
        return Options(
            bound=self.bound,
            per_row=per_row,
            margin=self.margin,
            allow_negative=self.allow_negative,
            match_tolerance=MATCH_TOLERANCE if tolerance is None else tolerance,
            absolute=self.absolute,
            gradient=gradient,
        )
