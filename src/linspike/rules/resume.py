"""ReSuMe: remote supervision, the difference of two STDP processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.kernels.training.protocol import SOLVED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import push_and_pull
from linspike.rules.base import Rule


@rule_step
def resume_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Towards the desired times, away from the actual ones, all at once."""
    push_and_pull(s, parameters[0], change)
    level = parameters[0] * parameters[1] * (s.desired.size - s.actual.size)
    for c in range(change.size):
        change[c] += level
    return SOLVED


@dataclass(frozen=True)
class ReSuMe(Rule):
    """Remote supervised method: STDP at desired times, anti-STDP at actual ones.

        Delta w_i = eta (sum_d (a + S_i(d)) - sum_o (a + S_i(o)))

    with S_i(t) the sum over inputs t_i <= t of exp(-(t - t_i)/tau_m).

    Parameters
    ----------
    eta : float
        Step size.
    non_hebbian : float
        The term a, which moves all weights alike; the paper sets it to 0.
    skip_below : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    F. Ponulak and A. Kasinski, Supervised learning in spiking neural networks with ReSuMe,
    Neural Computation 22 (2010) 467-510.

    Notes
    -----
    Confidence: verified, with a = 0 as in the paper. Differs from the paper: the printed update
    adds both terms; actual spikes are subtracted here.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.ReSuMe(eta=0.05), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "resume"
    window = "stdp"

    eta: float = 0.01
    non_hebbian: float = 0.0
    skip_below: float = 1.0
    momentum: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_real(self.non_hebbian, "non_hebbian", "ReSuMe", domain="finite")

    def compiled(self) -> Any:
        """The compiled step."""
        return resume_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta, self.non_hebbian], dtype=np.float64)
