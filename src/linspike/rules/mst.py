"""MST: multi-spike tempotron, gradient of the critical threshold."""

from __future__ import annotations

from dataclasses import dataclass

from linspike._typing import Floats
from linspike.kernels.training.outcomes import SOLVED, UNCHANGED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import add_mixture, critical_rows, raise_dead
from linspike.rules.toolkit.families import CountRule, unpack_step_size


@borrowing_step
def mst_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Move the critical threshold of the next spike up, or that of the last one down."""
    eta = unpack_step_size(parameters).eta
    change[:] = 0.0
    n = s.actual.size
    if n == s.target_count:
        return UNCHANGED
    more = n < s.target_count
    rows = critical_rows(s, n + 1 if more else n, weights, work.buffers)
    if rows == 0:  # V never rises above rest
        return raise_dead(s, eta, change)
    times, shares = work.buffers[0, :rows], work.buffers[1, :rows]
    for i in range(rows):
        shares[i] *= eta if more else -eta
    add_mixture(s, times, shares, s.constants.psp, change)
    return SOLVED


@dataclass(frozen=True)
class MST(CountRule):
    """Multi-spike tempotron: the count is changed along the gradient of a critical threshold.

    th*_k is the largest threshold with at least k spikes. With o spikes where l are desired,

        Delta w = + eta grad th*_{o+1}   if o < l,      Delta w = - eta grad th*_o   if o > l.

    The gradient follows the critical spike and every spike before it (`kernels/gradient.py`).

    Parameters
    ----------
    eta : float
        Step size. Much depends on its ratio to the threshold.
    momentum : float
        As for every `Rule`; the paper uses none.

    References
    ----------
    R. Guetig, Spiking neurons can discover predictive features by aggregate-label learning,
    Science 351 (2016) aab4113.

    Notes
    -----
    Confidence: verified against finite differences of the critical threshold. A pattern whose V
    never rises above rest has no critical threshold; V is raised at the time of its largest
    ``|X(t)|``. Spikes with next to no slope count with a least slope. Differs from the paper:
    nothing is known to.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.MST(), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeCounts([2]), seed=0).converged
    True
    """

    key = "mst"
    compiled_step = staticmethod(mst_step)
