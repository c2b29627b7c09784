"""DTA as the paper's linear program: a central point that meets the constraints of one step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from linspike._typing import Floats
from linspike._validation import check_choice, check_real
from linspike.kernels.jit import borrowing
from linspike.kernels.rows.windows import copy_row
from linspike.kernels.solvers.analytic_centre import FOUND, analytic_centre
from linspike.kernels.solvers.newton import LinearProgram, view_iterate
from linspike.kernels.training.outcomes import DEAD, FALLBACK, SOLVED, UNCHANGED
from linspike.kernels.training.protocol import NeuronConstants, StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.step_problem import (
    assemble,
    assemble_times,
    combine,
    fill_gram,
    fill_window_rows,
    inner,
    is_faint,
)
from linspike.neuron.windows import WINDOWS
from linspike.rules.base import COUNT_TARGETS, STEADY, Rule, check_schedule

FALLBACK_PER = ("step", "row")


class Options(NamedTuple):
    """Options of a step, in the order in which the parameter array holds them."""

    bound: float
    min_multiplier: float
    margin: float
    match_tolerance: float
    fallback_step: float
    fallback_per_row: bool
    gradient: bool  # the count is the constraint, not desired times


@borrowing
def unpack(parameters: Floats) -> Options:
    """Return the options that the parameter array holds."""
    return Options(
        bound=parameters[0],
        min_multiplier=parameters[1],
        margin=parameters[2],
        match_tolerance=parameters[3],
        fallback_step=parameters[4],
        fallback_per_row=parameters[5] > 0.0,
        gradient=parameters[6] > 0.0,
    )


@borrowing
def fallback_multiplier(options: Options, n: int) -> float:
    """Return the multiplier of each of n rows in the fallback step.

    Rows of different times are nearly orthogonal, so n of them together move the weights by the
    root of n times as much as one: divided by that, the step is as long for a long pattern with
    hundreds of rows as for a short one with five.
    """
    return options.fallback_step / (1.0 if options.fallback_per_row else math.sqrt(n))


@borrowing
def fill_products(s: StepInput, gradient: bool, n_equal: int, n: int, work: StepWorkspace) -> None:
    """Fill gram with K Z', the inner products of PSP rows with window rows, and rows_z."""
    if s.constants.window == s.constants.psp:
        fill_gram(work, n)
        for i in range(n):
            copy_row(work.rows_k[i], work.rows_z[i])
        return
    fill_window_rows(s, gradient, n_equal, n, work)
    for i in range(n):
        for j in range(n):
            work.gram[i, j] = inner(work.rows_k[i], work.rows_z[j])


@borrowing
def fill_bounds(
    constants: NeuronConstants, options: Options, n_equal: int, n: int, work: StepWorkspace
) -> None:
    """Fill unit, lower and upper of the multipliers; a faint row has none but 0."""
    for i in range(n):
        faint = is_faint(inner(work.rows_k[i], work.rows_k[i]), constants)
        work.unit[i] = 0.0 if faint else 1.0
        small, large = options.min_multiplier, options.bound
        if faint:
            small, large = 0.0, 0.0
        if i < n_equal:
            work.lower[i], work.upper[i] = small, large
        else:
            work.lower[i], work.upper[i] = -large, -small


@borrowing
def find_centre(s: StepInput, options: Options, n_equal: int, n: int, work: StepWorkspace) -> int:
    """Find the multipliers of the centre, or of the fallback step; return the outcome."""
    fill_products(s, options.gradient, n_equal, n, work)
    fill_bounds(s.constants, options, n_equal, n, work)
    x = work.multipliers
    program = LinearProgram(work.gram, work.rhs, work.lower, work.upper, n_equal, n)
    if analytic_centre(program, x, view_iterate(work.buffers, work.factor)) == FOUND:
        return SOLVED
    step = fallback_multiplier(options, n)
    for i in range(n):
        x[i] = step * (work.unit[i] if i < n_equal else -work.unit[i])
    return FALLBACK


@borrowing_step
def feasible_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """The centre of all multipliers that meet the constraints, or the fallback step."""
    options = unpack(parameters)
    n_equal, n = assemble_times(s, weights, options.margin, options.match_tolerance, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    outcome = find_centre(s, options, n_equal, n, work)
    combine(work.rows_z, work.multipliers, n, change)
    return outcome


@borrowing_step
def gradient_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """The same for rules whose constraint for counts is the count itself, as in `rules.dta`."""
    options = unpack(parameters)
    n_equal, n, dead = assemble(
        s, weights, options.margin, options.match_tolerance, options.gradient, work
    )
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    outcome = find_centre(s, options, n_equal, n, work)
    combine(work.rows_z, work.multipliers, n, change)
    return DEAD if dead else outcome


@dataclass(frozen=True)
class DTALinearProgram(Rule):
    """The paper's DTA: a linear program without objective, or a fallback step.

    The change is a sum of window rows, Delta w = Z' eta, with multipliers eta that meet the
    constraints of `DTA`, each within its bounds:

        K_d (w + Z' eta) = theta(d),   K_o (w + Z' eta) < theta(o),
        min_multiplier <= eta_d <= bound,   -bound <= eta_o <= -min_multiplier.

    The paper leaves the choice among all solutions to its solver. Here it is the analytic centre
    of the feasible set, which interior-point solvers head for when they are given no objective.
    Where the constraints contradict each other, the fallback step is taken: the same multiplier at
    every desired time, its negative at every wrong spike.

    Parameters
    ----------
    window : {"psp", "stdp", "filt", "filt-gardner"}
        Learning window of Z.
    bound : float
        Largest size of a multiplier.
    min_multiplier : float
        Smallest size of a multiplier.
    margin : float
        How far below the moving threshold wrong spikes are pushed, as a potential; and how far a
        critical threshold is brought past the neuron's own.
    fallback_step : float
        Size of the fallback step, as a multiplier.
    fallback_per : {"step", "row"}
        Whether the whole fallback step has that size, so that each of its n rows has the multiplier
        fallback_step/sqrt(n), or each row has it.
    skip_below : float
        No step for a pattern within this share of its criterion; 0, as in the paper, is always a
        step.
    match_tolerance : float
        An actual spike so many milliseconds from a desired time is no constraint.
    count_target : {"halving", "critical", "gradient"}
        How counts are learned, see `DTA`.
    schedule : pair of float
        Factors of the steps in the first epoch and in the last fifth of them, see `Trainer`.

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564.

    Notes
    -----
    Confidence: verified. Differs from the paper: the point that its solver returns is not known;
    the analytic centre is taken. In its fallback step every row has the step size as its
    multiplier, as with ``fallback_per="row"``.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.DTA.paper(bound=3.0), max_epochs=50)
    >>> result = trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0)
    >>> result.converged
    True
    """

    key = "dta_lp"
    objective = "feasible"

    window: str = "psp"
    bound: float = 0.01
    min_multiplier: float = 1e-6
    margin: float = 1e-6
    fallback_step: float = 0.01
    fallback_per: str = "step"
    skip_below: float = 0.0
    match_tolerance: float = 0.0
    count_target: str = "halving"
    schedule: tuple[float, float] = STEADY

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = type(self).__name__
        check_choice(self.window, "window", owner, WINDOWS)
        check_choice(self.fallback_per, "fallback_per", owner, FALLBACK_PER)
        check_choice(self.count_target, "count_target", owner, COUNT_TARGETS)
        check_real(self.bound, "bound", owner, above=0.0, domain="finite and positive")
        domain = "in [0, bound)"
        check_real(
            self.min_multiplier, "min_multiplier", owner, least=0.0, below=self.bound, domain=domain
        )
        object.__setattr__(self, "schedule", check_schedule(self.schedule, owner))

    @property
    def counts_as_times(self) -> bool:  # type: ignore[override]
        """Whether a desired count is turned into desired times before each step."""
        return self.count_target != "gradient"

    def compiled(self) -> Any:
        """Return the compiled step."""
        return feasible_step if self.counts_as_times else gradient_step

    def options(self, *, counts: bool) -> Options:
        """Return the options of a step."""
        return Options(
            bound=self.bound,
            min_multiplier=self.min_multiplier,
            margin=self.margin,
            match_tolerance=self.match_tolerance,
            fallback_step=self.fallback_step,
            fallback_per_row=self.fallback_per == "row",
            gradient=counts and not self.counts_as_times,
        )
