"""EMLC: efficient multi-spike learning from the current response, without critical thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from linspike._typing import Floats
from linspike._validation import check_choice
from linspike.kernels.jit import borrowing
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.maxima import highest_maximum
from linspike.kernels.threshold.weakest import lowest_peak, smallest_slope
from linspike.kernels.training.outcomes import SOLVED, UNCHANGED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import add_reset_row, raise_dead
from linspike.rules.toolkit.families import CountRule


class Options(NamedTuple):
    """Options of a step, in the order in which the parameter array holds them."""

    eta: float
    by_peak: bool  # the weakest spike is that with the lowest peak


@borrowing
def unpack(parameters: Floats) -> Options:
    """Return the options that the parameter array holds."""
    return Options(eta=parameters[0], by_peak=parameters[1] > 0.0)


@borrowing_step
def emlc_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row: at the highest maximum below threshold, or at the weakest of the spikes."""
    options = unpack(parameters)
    eta = options.eta
    constants = s.constants
    change[:] = 0.0
    spikes = s.actual
    if spikes.size == s.target_count:
        return UNCHANGED
    span = span_until(s.events, s.p, s.until, constants.m)
    scaled = constants.threshold / constants.v_norm
    if spikes.size < s.target_count:
        found = work.buffers[:2, :1]
        m = constants.m
        height, at = highest_maximum(s.events, span, weights, scaled, m, spikes, 0.0, found)
        if spikes.size == 0 and not (height > 0.0):
            return raise_dead(s, eta, change)
        if not (height > -math.inf):  # V falls from the last spike on: nothing to raise but it all
            at = s.peak_drive_time
    else:
        eta = -eta
        if options.by_peak:
            which, _, _ = lowest_peak(s.events, span, weights, scaled, constants.m, spikes)
        else:
            which = smallest_slope(s.events, span, weights, scaled, constants.m, spikes)
        at = spikes[which]
    add_reset_row(s, at, eta, spikes, change)
    return SOLVED


@dataclass(frozen=True)
class EMLC(CountRule):
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
        As for every `Rule`; the paper uses none.

    References
    ----------
    S. Li and Q. Yu (2020), see `EML`.

    Notes
    -----
    Confidence: reconstructed; the selection is known second-hand and the equation is ours
    (docs/adr/0010). Where V never rises above rest, the step is that of `EML`.
    Differs from the paper: how the paper chose the weakest spike on this neuron
    is not known.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.EMLC(weakest="peak"), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    key = "emlc"
    compiled_step = staticmethod(emlc_step)

    weakest: str = "slope"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.weakest, "weakest", "EMLC", ("slope", "peak"))

    def options(self, *, counts: bool) -> Options:
        """Return the options of a step."""
        return Options(eta=self.eta, by_peak=self.weakest == "peak")
