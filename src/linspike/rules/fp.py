"""FP: finite precision learning, one update at the first error of a trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training.protocol import SOLVED, UNCHANGED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import add_at
from linspike.kernels.trains.matching import first_breach
from linspike.rules.base import Rule

ETA, TOLERANCE = range(2)
FINEST = 1e-3


@rule_step
def fp_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the moment the trial has failed."""
    change[:] = 0.0
    tolerance = parameters[TOLERANCE]
    at, sign = first_breach(s.desired, s.actual, tolerance, s.until)
    # Asked for a step though all is within the tolerance: the criterion wants it finer.
    while sign == 0.0 and tolerance > FINEST:
        tolerance *= 0.5
        at, sign = first_breach(s.desired, s.actual, tolerance, s.until)
    if sign == 0.0:
        return UNCHANGED
    add_at(s, at, sign * parameters[ETA], s.constants.psp, change)
    return SOLVED


@dataclass(frozen=True)
class FP(Rule):
    """Finite precision rule: each desired spike has a window, the first breach of a trial decides.

        Delta w = - eta X(o)               a spike outside all windows, or a second one in one
        Delta w = + eta X(d + tolerance)   a window that ends without a spike (or the horizon)

    One update a trial, at the moment at which the trial has failed.

    Parameters
    ----------
    eta : float
        Step size.
    tolerance : float
        Half-width of the windows, in milliseconds. A response that keeps to them all but is
        still asked for a step is looked at with ever narrower ones.
    skip_below : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    R.-M. Memmesheimer, R. Rubin, B. P. Oelveczky and H. Sompolinsky, Learning precisely timed
    spikes, Neuron 82 (2014) 925-938.

    Notes
    -----
    Confidence: reconstructed from the description of the rule (docs/adr/0011). The windows are
    refined because several spikes at the edge of theirs would not meet the paper's criterion.
    Differs from the paper: it is not among the rules the paper measures.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.FP(eta=0.01), max_epochs=2000)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "fp"

    eta: float = 0.01
    tolerance: float = 1.0
    skip_below: float = 1.0
    momentum: float = 0.0

    def compiled(self) -> Any:
        """The compiled step."""
        return fp_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta, self.tolerance], dtype=np.float64)
