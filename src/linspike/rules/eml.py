"""EML: efficient multi-spike learning, a step at the critical moment without the full gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.critical import critical_near
from linspike.kernels.training.protocol import DEAD, SOLVED, UNCHANGED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import add_at
from linspike.rules.base import Rule

ETA = 0


@rule_step
def eml_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the critical time of the next spike or of the last one."""
    constants = s.constants
    change[:] = 0.0
    n = s.actual.size
    if n == s.target_count:
        return UNCHANGED
    more = n < s.target_count
    k = n + 1 if more else n
    times = work.times[:k]
    span = span_until(s.events, s.p, s.until, constants.m)
    scaled = constants.threshold / constants.v_norm
    value, which, when, _ = critical_near(s.events, span, weights, scaled, constants.m, times)
    if value <= 0.0:  # V never leaves rest upwards: wake the neuron where it hears most
        add_at(s, s.peak_drive_time, parameters[ETA], constants.psp, change)
        return DEAD
    eta = parameters[ETA] if more else -parameters[ETA]
    add_at(s, when, eta / reset_sum(when, times[:which], constants.m.rate_m), constants.psp, change)
    return SOLVED


@dataclass(frozen=True)
class EML(Rule):
    """Efficient multi-spike learning: `MST`'s critical time, without its sum over earlier spikes.

    With t* the critical time of th*_{o+1} (too few spikes) or th*_o (too many), and
    C = 1 + the decayed resets of the spikes before it,

        Delta w = +- eta X(t*)/C.

    Parameters
    ----------
    eta : float
        Step size.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    S. Li and Q. Yu, New efficient multi-spike learning for fast processing and robust learning,
    AAAI 34 (2020) 4650-4657.

    Notes
    -----
    A neuron whose V never rises above rest is woken at the time of its largest |X(t)|.
    Confidence: reconstructed; the equation is ours (docs/adr/0010). Differs from the paper: it is
    not among the rules the paper measures.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.EML(), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    key = "eml"
    learns_times = False
    own_counts = True

    eta: float = 0.01
    momentum: float = 0.0

    def compiled(self) -> Any:
        """The compiled step."""
        return eml_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta], dtype=np.float64)
