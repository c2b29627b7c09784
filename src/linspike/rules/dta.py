"""DTA: one learning step as a small linear-constraint problem."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_choice, check_flag, check_integer, check_real
from linspike.constraints.interior_point import interior_point
from linspike.constraints.least_l1 import least_l1
from linspike.errors import ParameterError
from linspike.kernels.solvers.analytic_centre import FOUND, analytic_centre
from linspike.kernels.solvers.box_qp import QPWork, solve_box
from linspike.kernels.solvers.newton import LinearProgram, view_iterate
from linspike.kernels.training.multipliers import (
    BOUND,
    SIGNED,
    fill_limits,
    fill_products,
    fill_windows,
    gather,
    plain_multiplier,
    row_unit,
)
from linspike.kernels.training.protocol import (
    DEAD,
    FALLBACK,
    SOLVED,
    UNCHANGED,
    StepInput,
    StepWorkspace,
)
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.step_problem import combine, fill_gram
from linspike.neuron.windows import WINDOWS
from linspike.rules.base import STEADY, Rule, checked_anneal

OBJECTIVES = ("projection", "feasible", "min_norm", "min_l1")
COUNT_TARGETS = ("halving", "critical", "gradient")
BOUND_PER = ("row", "set", "task")
PLAIN_PER = ("step", "row")
SOLVED_TO = 1e-12
FAILED_ABOVE = 1e-7
ANNEALED = (1.5, 0.5)
ROOM = 8  # vectors of the work before this one hold the constraints


@rule_step
def projection_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Smallest weight change that meets the constraints, with slack priced at the bound."""
    constants = s.constants
    n_equal, n, dead = gather(s, parameters, weights, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    fill_gram(work, n)
    low, high, x = work.vectors[1], work.vectors[2], work.vectors[3]
    for i in range(n):
        unit = row_unit(work.gram[i, i], parameters, constants)
        bound = parameters[BOUND] * unit if unit > 0.0 else 0.0
        low[i] = -bound if i >= n_equal or parameters[SIGNED] > 0.0 else 0.0
        high[i] = bound if i < n_equal else 0.0
        x[i] = 0.0
    room = QPWork(work.vectors[4], work.vectors[5], work.indices, work.factor)
    left = solve_box(
        work.gram, work.vectors[0], low, high, x, SOLVED_TO * constants.threshold, room, n
    )
    if not (left <= FAILED_ABOVE * constants.threshold):
        # Contradictory rows under infinite bounds, or hundreds of rows: out of rounds.
        for i in range(n):
            plain = plain_multiplier(parameters, n) * row_unit(
                work.gram[i, i], parameters, constants
            )
            x[i] = plain if i < n_equal else -plain
        combine(work.rows_k, x, n, change)
        return DEAD if dead else FALLBACK
    combine(work.rows_k, x, n, change)
    return DEAD if dead else SOLVED


@rule_step
def feasible_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """The centre of all multipliers that meet the constraints, or the fallback step."""
    n_equal, n, dead = gather(s, parameters, weights, work)
    change[:] = 0.0
    if n == 0:
        return UNCHANGED
    fill_products(s, parameters, n_equal, n, work)
    fill_limits(s.constants, parameters, n_equal, n, work)
    v = work.vectors
    units, x = v[3], v[4]
    program = LinearProgram(work.gram, v[0], v[1], v[2], n_equal, n)
    found = analytic_centre(program, x, view_iterate(v[ROOM:], work.factor)) == FOUND
    if not found:
        plain = plain_multiplier(parameters, n)
        for i in range(n):
            x[i] = plain * (units[i] if i < n_equal else -units[i])
    combine(work.rows_z, x, n, change)
    if dead:
        return DEAD
    return SOLVED if found else FALLBACK


@dataclass(frozen=True)
class DTA(Rule):
    """Discrete Threshold Assumption: all spikes corrected at once, by linear constraints.

    At one pattern with desired times d and wrong actual spikes o, the change is a sum of window
    rows, Delta w = Z' eta, whose multipliers eta are found so that V0 equals the moving threshold
    at every d and stays below it at every o:

        K_d (w + Z' eta) = theta(d),   K_o (w + Z' eta) < theta(o),   lb <= eta <= ub.

    For a desired count, desired times are found first: those of one spike more or fewer at another
    threshold. Or, with count_target="gradient", the count itself is one constraint. Weights
    scaled by a factor scale th*_k, the largest threshold with at least k spikes, so that th*_k =
    g w with its gradient g. With too few spikes th* of the desired count is to equal the threshold
    plus the margin, with too many th* of one spike more is to stay a margin below it.

    The paper leaves the choice among the answers to its solver. Here it has a name:

    - "projection" (default, psp window): the smallest weight change, with slack priced at the
      bound. It minimises 1/2 eta' K K' eta - r' eta over the box, always has one answer, and runs
      compiled.
    - "feasible" (the paper's, see `DTA.paper`): the analytic centre of the feasible set, which
      interior-point solvers head for when they are given no objective. All windows. It runs
      compiled; with an infinite bound, where there may be no centre, PIQP's answer is taken.
    - "min_norm", "min_l1": the feasible point with the smallest weight change, or with the least
      sum of |eta|. All windows.

    Where the constraints of the last three contradict each other, the fallback step is taken: the
    same multiplier at every desired time, its negative at every wrong spike.

    Parameters
    ----------
    objective : {"projection", "feasible", "min_norm", "min_l1"}
        Which answer is taken.
    window : {"psp", "stdp", "filt", "filt-gardner"}
        Learning window of Z; "projection" needs "psp".
    bound : float
        Largest multiplier, as the change of V it may cause at its own time, in thresholds.
    bound_per : {"task", "row", "set"}
        Whether that is measured for each row, b_i = bound * threshold/|X(t_i)|^2, or for the set
        of patterns, by the mean of max |X(t)|^2. "task" takes rows; for counts with desired times,
        the set. A gradient below a tenth of that mean is measured by the tenth.
    least : float
        Smallest size of a multiplier, in the same unit (not for "projection").
    margin : float
        How far below the moving threshold wrong spikes are pushed, in thresholds; and how far a
        critical threshold is brought past the neuron's own.
    signed : bool
        Whether multipliers of desired times may be negative. If not, V0 may overshoot there.
    settle : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    converged : float
        An actual spike so many milliseconds from a desired time is no constraint.
    plain_step : float
        Size of the fallback step, in the unit of the bound.
    plain_per : {"step", "row"}
        Whether the whole fallback step has that size, so that each of its n rows has the multiplier
        plain_step/sqrt(n), or each row has it.
    count_target : {"halving", "critical", "gradient"}
        How counts are learned: with desired times at the first threshold that halving meets, as in
        the paper, or at the critical threshold; or along its gradient, as above, which learns a
        fifth more random patterns but takes longer where few patterns are much alike. `converged`
        and `extra_points` have no say in it.
    extra_points : int
        Further inequalities, spread evenly over the pattern; none within a millisecond (or
        `converged`) of a desired time.
    absolute : bool
        Whether bound, least and plain_step are multipliers as they are and margin is a potential,
        instead of the units above.
    anneal : pair of float, optional
        Factors of the steps in the first epoch and in the last fifth of them, see `Trainer`. Steps
        beyond the projection at first and short of it at last learn more than steady ones: (1.5,
        0.5) unless given. Not so with an infinite bound, where all is exact, other objectives, or
        unsigned multipliers, which only another step takes back: (1, 1).

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564.

    Notes
    -----
    Confidence: verified. Differs from the paper: the default takes the smallest change instead of
    whatever the solver returns, falls back only where its solver runs out of rounds (with
    hundreds of rows a few per cent of the steps), and measures its bounds in thresholds.

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

    objective: str = "projection"
    window: str = "psp"
    bound: float = 0.4
    bound_per: str = "task"
    least: float = 0.0
    margin: float = 0.1
    signed: bool = True
    settle: float = 1.0
    converged: float = 0.5
    plain_step: float = 0.1
    plain_per: str = "row"
    count_target: str = "halving"
    extra_points: int = 0
    absolute: bool = False
    anneal: tuple[float, float] | None = None

    @classmethod
    def paper(cls, **changes: Any) -> DTA:
        """The paper's linear program: a central feasible point, absolute bounds, fallback step."""
        settings: dict[str, Any] = {
            "objective": "feasible",
            "bound": 0.01,
            "least": 1e-6,
            "margin": 1e-6,
            "signed": False,
            "plain_step": 0.01,
            "plain_per": "step",
            "settle": 1.0,
            "converged": 0.0,
            "absolute": True,
            "anneal": STEADY,
        }
        return cls(**{**settings, **changes})

    def __post_init__(self) -> None:
        check_choice(self.objective, "objective", "DTA", OBJECTIVES)
        check_choice(self.window, "window", "DTA", WINDOWS)
        check_choice(self.bound_per, "bound_per", "DTA", BOUND_PER)
        check_choice(self.plain_per, "plain_per", "DTA", PLAIN_PER)
        check_choice(self.count_target, "count_target", "DTA", COUNT_TARGETS)
        check_flag(self.signed, "signed", "DTA")
        check_flag(self.absolute, "absolute", "DTA")
        if self.objective == "projection" and self.window != "psp":
            remedy = "Use objective='feasible' for other windows."
            domain = "'psp' with objective 'projection'"
            raise ParameterError.of("window", "DTA", domain, self.window, remedy)
        positive = "positive (infinity allowed)"
        check_real(self.bound, "bound", "DTA", above=0.0, domain=positive, infinite=True)
        if self.anneal is not None:
            object.__setattr__(self, "anneal", checked_anneal(self.anneal, "DTA"))
        for name in ("margin", "settle", "converged", "plain_step"):
            domain = "finite and at least 0"
            check_real(getattr(self, name), name, "DTA", least=0.0, domain=domain)
        check_real(self.least, "least", "DTA", least=0.0, below=self.bound, domain="in [0, bound)")
        if self.least > 0.0 and self.objective == "projection":
            remedy = "The projection leaves multipliers at 0 where nothing has to change."
            raise ParameterError.of("least", "DTA", "0 with 'projection'", self.least, remedy)
        check_integer(self.extra_points, "extra_points", "DTA", least=0)

    @property
    def own_counts(self) -> bool:  # type: ignore[override]
        """Whether counts are learned without desired times."""
        return self.count_target == "gradient"

    @property
    def extra_rows(self) -> int:  # type: ignore[override]
        """Room for the extra points."""
        return self.extra_points

    def paces(self) -> tuple[float, float]:
        """`anneal`, or what suits the step: see there."""
        if self.anneal is not None:
            return self.anneal
        soft = self.objective == "projection" and self.signed and math.isfinite(self.bound)
        return ANNEALED if soft else STEADY

    def compiled(self) -> Any:
        """The compiled step; none where a solver is called from Python."""
        if self.objective == "projection":
            return projection_step
        central = self.objective == "feasible" and math.isfinite(self.bound)
        return feasible_step if central else None

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the steps index them."""
        gradient = counts and self.own_counts
        by_set = counts and not gradient
        per_row = self.bound_per == "row" or (self.bound_per == "task" and not by_set)
        return np.array(
            [
                self.bound,
                per_row,
                self.margin,
                self.signed,
                self.converged,
                self.extra_points,
                self.plain_step,
                self.plain_per == "step",
                self.absolute,
                self.least,
                gradient,
            ],
            dtype=np.float64,
        )

    def step(
        self,
        step_input: StepInput,
        parameters: Floats,
        weights: Floats,
        change: Floats,
        work: StepWorkspace,
    ) -> int:
        """One step, whatever the objective."""
        compiled = DTA.compiled(self)  # a recorder may pretend to have none
        if compiled is not None:
            return int(compiled(step_input, parameters, weights, change, work))
        return _hard_step(self.objective, step_input, parameters, weights, change, work)


def _hard_step(
    objective: str,
    s: StepInput,
    parameters: Floats,
    weights: Floats,
    change: Floats,
    work: StepWorkspace,
) -> int:
    """A point that meets all constraints, or the fallback step where there is none."""
    n_equal, n, dead = gather(s, parameters, weights, work)
    if n == 0:
        change[:] = 0.0
        return UNCHANGED
    fill_windows(s, parameters, n_equal, n, work)
    fill_limits(s.constants, parameters, n_equal, n, work)
    rows_k, rows_z = work.rows_k[:n], work.rows_z[:n]
    r, low, high, units = work.vectors[:4, :n]
    constraints = (rows_k @ rows_z.T, r, n_equal, low, high)
    if objective == "min_l1":
        eta = least_l1(*constraints)
    else:
        quadratic = rows_z @ rows_z.T if objective == "min_norm" else None
        eta = interior_point(*constraints, quadratic=quadratic)
    outcome = DEAD if dead else SOLVED
    if eta is None:
        sign = np.where(np.arange(n) < n_equal, 1.0, -1.0)
        eta = plain_multiplier(parameters, n) * units * sign
        outcome = DEAD if dead else FALLBACK
    np.matmul(eta, rows_z, out=change)
    return outcome
