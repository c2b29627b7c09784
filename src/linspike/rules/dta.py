"""DTA as a projection: the smallest weight change that meets the constraints of one step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from linspike._typing import Floats
from linspike._validation import check_choice, check_flag, check_real
from linspike.errors import ParameterError
from linspike.kernels.jit import borrowing
from linspike.kernels.training.outcomes import DEAD, SOLVED, UNCHANGED
from linspike.kernels.training.projection import (
    Options,
    fill_projection,
    project_in_metric,
    unpack,
)
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.step_problem import (
    assemble,
    assemble_count,
    assemble_held,
    assemble_times,
)
from linspike.neuron.srm import SRM
from linspike.neuron.time_scale import scale_tolerance
from linspike.rules.base import COUNT_TARGETS, STEADY, TIME_FINDERS, Rule, check_schedule

if TYPE_CHECKING:
    from linspike.rules.dta_lp import DTALinearProgram

BOUND_PER = ("row", "set", "task")
DTA_COUNT_TARGETS = ("auto", *COUNT_TARGETS, "whitened")
FAINT_GRADIENT = 0.1  # of the mean peak drive; in learning most |g|^2 are about twice that
FAINT_WHITENED = 0.3  # the same in the metric
WHITENED_BOUNDS = 3.0  # so many bounds: a whitened step does little to other patterns
ANNEALED = (1.5, 0.5)
HOLD_FIRST = 0.3  # share of the hold tolerance in the first epoch; it grows to all of it
MARGIN_LAST = 0.2  # share of the margin that is left in the last epochs, if spikes are held
INDEPENDENT = 0.9  # from here on patterns are as good as independent
FEWEST_PATTERNS = 10  # fewer tell little of that
# With delays a row holds for smaller changes: they are kept small, and spikes are pushed farther
# (ADR 0042).
DELAY_SHARE = 0.15  # of the trace of the weights' rows
DELAYED_MARGINS = 3.0
MATCH_TOLERANCE, HOLD_TOLERANCE = 0.5, 1.0  # ms, where tau_s is a usual one


@borrowing
def fill_times_step(
    s: StepInput, options: Options, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Fill the change for desired times; return the outcome."""
    margin = options.margin * (1.0 if options.absolute else s.constants.threshold)
    near, hold = options.match_tolerance, options.hold_tolerance
    if hold > 0.0:
        hold *= HOLD_FIRST + s.progress * (1.0 - HOLD_FIRST)
        margin *= 1.0 + s.progress * (MARGIN_LAST - 1.0)
        n_equal, n = assemble_held(s, weights, margin, near, hold, work)
    else:
        n_equal, n = assemble_times(s, weights, margin, near, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    return fill_projection(s, options, n_equal, n, weights, change, work)


@borrowing_step
def projection_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Smallest weight change that meets the constraints, with slack priced at the bound."""
    return fill_times_step(s, unpack(parameters), weights, change, work)


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
    outcome = fill_projection(s, options, n_equal, n, weights, change, work)
    return DEAD if dead else outcome


@borrowing_step
def whitened_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """The same, with changes for a count measured in the metric of the patterns."""
    options = unpack(parameters)
    if not options.gradient:
        return fill_times_step(s, options, weights, change, work)
    margin = options.margin * (1.0 if options.absolute else s.constants.threshold)
    n_equal, n, dead = assemble_count(s, weights, margin, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    project_in_metric(s, options, n_equal, dead, change, work)
    return DEAD if dead else SOLVED


@dataclass(frozen=True)
class DTA(Rule):
    """Discrete Threshold Assumption: all spikes corrected at once, by linear constraints.

    At one pattern with desired times d and wrong actual spikes o, the change is a sum of PSP rows,
    Delta w = K' eta. Its multipliers eta are such that V0 equals the moving threshold at every d
    and stays a margin below it at every o:

        K_d (w + K' eta) = theta(d),   K_o (w + K' eta) < theta(o),   lb <= eta <= ub.

    Of all changes the smallest is taken, with slack priced at the bound: eta minimises
    1/2 eta' K K' eta - r' eta over the box. There is always one solution.

    A spike within a tolerance of its desired time may stay there: a step then asks only for spikes
    that are missing and against those that are wrong, with the resets where right spikes are. Those
    in the outer half of the tolerance are held where they are by an equality. The tolerance grows
    from 0.3 to 1 of `hold_tolerance`, and the margin falls to a fifth, as the schedule goes from
    its first factor to its last. Where all spikes are right and a step is asked for all the same,
    it is towards the desired times.

    For a desired count, desired times are found first: those of one spike more or fewer at another
    threshold. Or, with count_target="gradient", the count itself is one constraint. Weights
    scaled by a factor scale th*_k, the largest threshold with at least k spikes, so that th*_k =
    g w with its gradient g. With too few spikes th* of the desired count is to equal the threshold
    plus the margin, with too many th* of one spike more is to stay a margin below it.

    With count_target="whitened" the change that does so is not the smallest in itself, but in
    what it does to V over all patterns and times: with C the mean of X(t) X(t)' over them,
    Delta w = eta M g and M = (C + ridge)^-1, scaled. So a step on one pattern does less to those
    that are much like it but have another count.

    `DTA.paper` returns the paper's own linear program, which is another rule.

    Parameters
    ----------
    bound : float
        Largest multiplier, as the change of V it may cause at its own time, in thresholds.
    bound_per : {"task", "row", "set"}
        Whether that is measured for each row, ``b_i = bound * threshold/|X(t_i)|^2``, or for the
        set of patterns, by the mean of ``max |X(t)|^2``. "task" takes rows; for counts with desired
        times, the set. A gradient below a tenth of that mean is measured by the tenth. In the
        metric M three tenths take its place, and the bound is three times as large, unless
        `absolute`.
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
    hold_tolerance : float, optional
        Spikes so many milliseconds from their desired times may stay there; 0 asks all spikes of a
        pattern with an error to be at their desired times. Unless given, the tolerance of the
        trainer's strict criterion; under the paper's criterion, the default of that tolerance. No
        effect on counts.
    count_target : {"auto", "halving", "critical", "gradient", "whitened"}
        How counts are learned: with desired times at the first threshold that halving meets, as in
        the paper, or at the critical threshold; or along its gradient, as above, which learns a
        fifth more random patterns but takes longer where few patterns are much alike; or along the
        gradient in the metric M, which learns more than either, and is fast there where at least
        so many spikes are desired, but whose responses change more when weights are rounded.
        "auto" takes the metric M for ten patterns or more that are as good as independent, as
        random ones are, and halving for others. `match_tolerance` has no effect on the gradient's
        two.
    schedule : pair of float, optional
        Factors of the steps in the first epoch and in the last fifth of them, see `Trainer`. Steps
        beyond the projection at first and short of it at last learn more than steady ones:
        defaults to (1.5, 0.5), and to (1, 1) if `bound` is infinite or `allow_negative` is False.
    delays : bool
        Whether the delays of the channels are learned too, from 0 or from where `fit` is told to
        start. An input on channel c then arrives ``delays[c]`` milliseconds after it was sent.
        Wrong spikes are then pushed three times the `margin`, except by gradients.
    max_delay : float
        The longest delay that is learned, in milliseconds.

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564.

    Notes
    -----
    Confidence: verified. Differs from the paper: the smallest change is taken instead of whatever
    the solver returns, bounds are measured in thresholds, spikes within the tolerance are not moved
    (`hold_tolerance=0` moves them), and there is no fallback step unless the bound is infinite and
    rows contradict each other.

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
    hold_tolerance: float | None = None
    count_target: str = "auto"
    schedule: tuple[float, float] | None = None
    delays: bool = False
    max_delay: float = 20.0

    @staticmethod
    def paper(**changes: Any) -> DTALinearProgram:
        """Return the paper's linear program, with these changes of its defaults."""
        if changes.pop("delays", False):
            domain = "False: the linear program learns weights alone"
            remedy = "DTA(delays=True) learns delays; pass given ones to fit."
            raise ParameterError.of("delays", "DTA.paper", domain, True, remedy)
        from linspike.rules.dta_lp import DTALinearProgram  # compiled when first asked for

        return DTALinearProgram(**changes)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.bound_per, "bound_per", "DTA", BOUND_PER)
        check_choice(self.count_target, "count_target", "DTA", DTA_COUNT_TARGETS)
        check_flag(self.allow_negative, "allow_negative", "DTA")
        check_flag(self.absolute, "absolute", "DTA")
        check_flag(self.delays, "delays", "DTA")
        positive = "positive (infinity allowed)"
        check_real(self.bound, "bound", "DTA", above=0.0, domain=positive, infinite=True)
        if self.schedule is not None:
            object.__setattr__(self, "schedule", check_schedule(self.schedule, "DTA"))

    def adapt(self, neuron: SRM, tolerance: float | None = None) -> Rule:
        """Return the rule with its tolerances for this neuron and criterion."""
        match, hold = self.match_tolerance, self.hold_tolerance
        if match is not None and hold is not None:
            return self
        if match is None:
            match = scale_tolerance(MATCH_TOLERANCE, neuron.tau_s)
        if hold is None:
            usual = scale_tolerance(HOLD_TOLERANCE, neuron.tau_s)
            hold = usual if tolerance is None else tolerance
        return replace(self, match_tolerance=match, hold_tolerance=hold)

    def for_patterns(self, independence: Callable[[], float], n_patterns: int) -> Rule:
        """Return the rule with the metric, if `count_target` is "auto" and patterns independent.

        As it is, "auto" is halving.
        """
        if self.count_target != "auto" or n_patterns < FEWEST_PATTERNS:
            return self
        return replace(self, count_target="whitened") if independence() >= INDEPENDENT else self

    @property
    def counts_as_times(self) -> bool:  # type: ignore[override]
        """Whether a desired count is turned into desired times before each step."""
        return self.count_target in ("auto", *TIME_FINDERS)

    @property
    def learns_delays(self) -> bool:  # type: ignore[override]
        """Whether the step changes the delays of the channels too."""
        return self.delays

    @property
    def whitens(self) -> bool:  # type: ignore[override]
        """Whether the step needs the metric of the patterns."""
        return self.count_target == "whitened"

    def own_schedule(self) -> tuple[float, float]:
        """Return `schedule`, or its default."""
        if self.schedule is not None:
            return self.schedule
        return ANNEALED if self.allow_negative and math.isfinite(self.bound) else STEADY

    def compiled(self) -> Any:
        """Return the compiled step."""
        if self.counts_as_times:
            return projection_step
        return whitened_step if self.whitens else gradient_step

    def options(self, *, counts: bool) -> Options:
        """Return the options of a step."""
        gradient = counts and not self.counts_as_times
        match, hold = self.match_tolerance, self.hold_tolerance
        if hold is None:
            hold = HOLD_TOLERANCE
        per_row = self.bound_per == "row"
        if self.bound_per == "task":
            per_row = gradient or not counts
        whitened = gradient and self.whitens
        factor = WHITENED_BOUNDS if whitened and not self.absolute else 1.0
        return Options(
            bound=self.bound * factor,
            per_row=per_row,
            margin=self.margin * (DELAYED_MARGINS if self.delays and not gradient else 1.0),
            allow_negative=self.allow_negative,
            match_tolerance=MATCH_TOLERANCE if match is None else match,
            absolute=self.absolute,
            gradient=gradient,
            hold_tolerance=0.0 if counts else hold,
            faint=FAINT_WHITENED if whitened else FAINT_GRADIENT,
            delay_share=DELAY_SHARE,
        )
