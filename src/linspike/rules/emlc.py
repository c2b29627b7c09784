"""EMLC: efficient multi-spike learning from the current response, without critical thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_choice
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.maxima import highest_maximum
from linspike.kernels.threshold.weakest import lowest_peak, smallest_slope
from linspike.kernels.training.protocol import DEAD, SOLVED, UNCHANGED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import add_at
from linspike.rules.base import Rule

ETA, BY_PEAK = range(2)


@rule_step
def emlc_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row: at the highest maximum below threshold, or at the weakest of the spikes."""
    constants = s.constants
    change[:] = 0.0
    spikes = s.actual
    if spikes.size == s.target_count:
        return UNCHANGED
    eta = parameters[ETA]
    span = span_until(s.events, s.p, s.until, constants.m)
    scaled = constants.threshold / constants.v_norm
    if spikes.size < s.target_count:
        height, at = highest_maximum(s.events, span, weights, scaled, constants.m, spikes, 0.0)
        if spikes.size == 0 and not (height > 0.0):
            add_at(s, s.peak_drive_time, eta, constants.psp, change)
            return DEAD
        if not (height > -np.inf):  # V falls from the last spike on: nothing to raise but it all
            at = s.peak_drive_time
    else:
        eta = -eta
        if parameters[BY_PEAK] > 0.0:
            which, _, _ = lowest_peak(s.events, span, weights, scaled, constants.m, spikes)
        else:
            which = smallest_slope(s.events, span, weights, scaled, constants.m, spikes)
        at = spikes[which]
    add_at(s, at, eta / reset_sum(at, spikes, constants.m.rate_m), constants.psp, change)
    return SOLVED


@dataclass(frozen=True)
class EMLC(Rule):
    """Efficient multi-spike learning that looks at the current response only.

    Too few spikes: a step up at the time of the highest maximum of V below threshold. Too many:
    a step down at the weakest output spike. With C = 1 + the decayed resets before that time t,

        Delta w = +- eta X(t)/C.

    Parameters
    ----------
    eta : float
        Step size.
    weakest : {"slope", "peak"}
        Which output spike is the weakest. The original takes the one with the lowest reset
        potential; on this neuron all of these are 0. "slope" (adaptation A) takes the spike that
        V crosses the threshold at most slowly; "peak" (adaptation B) follows V from each spike,
        without its own reset, to its first maximum and takes the lowest.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    S. Li and Q. Yu, New efficient multi-spike learning for fast processing and robust learning,
    AAAI 34 (2020) 4650-4657.

    Notes
    -----
    A neuron whose V never rises above rest is woken at the time of its largest |X(t)|.
    Confidence: reconstructed; the selection is known second-hand and the equation is ours
    (docs/adr/0010). Differs from the paper: how the paper chose the weakest spike on this neuron
    is not known.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.EMLC(), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    key = "emlc"
    learns_times = False
    own_counts = True

    eta: float = 0.01
    weakest: str = "slope"
    momentum: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.weakest, "weakest", "EMLC", ("slope", "peak"))

    def compiled(self) -> Any:
        """The compiled step."""
        return emlc_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta, self.weakest == "peak"], dtype=np.float64)
