"""EML: efficient multi-spike learning, a step at the critical moment without the full gradient."""

from __future__ import annotations

from dataclasses import dataclass

from linspike._typing import Floats
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.critical import critical_near
from linspike.kernels.training.outcomes import SOLVED, UNCHANGED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import add_reset_row, raise_dead
from linspike.rules.toolkit.families import CountRule, unpack_step_size


@borrowing_step
def eml_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the critical time of the next spike or of the last one."""
    eta = unpack_step_size(parameters).eta
    constants = s.constants
    change[:] = 0.0
    n = s.actual.size
    if n == s.target_count:
        return UNCHANGED
    more = n < s.target_count
    times = work.times[: n + 1 if more else n]
    span = span_until(s.events, s.p, s.until, constants.m)
    scaled = constants.threshold / constants.v_norm
    value, which, when, _ = critical_near(s.events, span, weights, scaled, constants.m, times)
    if value <= 0.0:  # V never rises above rest
        return raise_dead(s, eta, change)
    add_reset_row(s, when, eta if more else -eta, times[:which], change)
    return SOLVED


@dataclass(frozen=True)
class EML(CountRule):
    """Efficient multi-spike learning: `MST`'s critical time, without its sum over earlier spikes.

    With t* the critical time of th*_{o+1} (too few spikes) or th*_o (too many), and
    C = 1 + the decayed resets of the spikes before it,

        Delta w = +- eta X(t*)/C.

    Parameters
    ----------
    eta : float
        Step size.
    momentum : float
        As for every `Rule`; the paper uses none.

    References
    ----------
    S. Li and Q. Yu, New efficient multi-spike learning for fast processing and robust learning,
    AAAI 34 (2020) 4650-4657.

    Notes
    -----
    Where V never rises above rest, it is raised at the time of the largest ``|X(t)|``.
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
    compiled_step = staticmethod(eml_step)
