"""First error: mend the earliest wrong or missing spike, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training.protocol import SOLVED, UNCHANGED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import add_at
from linspike.kernels.trains.matching import first_unpaired
from linspike.rules.base import Rule

ETA, TOLERANCE = range(2)
FINEST = 1e-3


@rule_step
def first_error_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the earliest spike that has no partner."""
    change[:] = 0.0
    tolerance = parameters[TOLERANCE]
    at, sign = first_unpaired(s.desired, s.actual, tolerance)
    # Asked for a step though all is within the tolerance: the criterion wants it finer.
    while sign == 0.0 and tolerance > FINEST:
        tolerance *= 0.5
        at, sign = first_unpaired(s.desired, s.actual, tolerance)
    if sign == 0.0:
        return UNCHANGED
    add_at(s, at, sign * parameters[ETA], s.constants.psp, change)
    return SOLVED


@dataclass(frozen=True)
class FirstError(Rule):
    """Only the earliest violation of a trial is mended, by the PSP at its time.

        Delta w = + eta X(d)   if the earliest spike without a partner is a desired one
        Delta w = - eta X(o)   if it is an actual one

    The rule on which the paper shows what interference between spikes is.

    Parameters
    ----------
    eta : float
        Step size.
    tolerance : float
        Spikes so many milliseconds apart are partners. A response without errors that is still
        asked for a step is looked at with ever smaller ones.
    skip_below : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564,
    section 2.3.

    Notes
    -----
    Confidence: verified. Differs from the paper: the tolerance, which the paper does not state,
    and its refinement, without which the rule stalls above the paper's criterion.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.FirstError(eta=0.01), max_epochs=2000)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "first_error"

    eta: float = 0.01
    tolerance: float = 1.0
    skip_below: float = 1.0
    momentum: float = 0.0

    def compiled(self) -> Any:
        """The compiled step."""
        return first_error_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta, self.tolerance], dtype=np.float64)
