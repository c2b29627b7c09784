"""PSD: precise-spike-driven plasticity, the plain difference of PSP rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.kernels.training.protocol import SOLVED, StepInput, StepWorkspace
from linspike.kernels.training.signatures import rule_step
from linspike.kernels.training.updates import push_and_pull
from linspike.rules.base import Rule


@rule_step
def psd_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Towards the desired times, away from the actual ones, all at once."""
    push_and_pull(s, parameters[0], change)
    return SOLVED


@dataclass(frozen=True)
class PSD(Rule):
    """Precise-spike-driven rule: desired times pull, actual spikes push, by the PSP at that time.

        Delta w = eta (sum_d X(d) - sum_o X(o))

    with X_i(t) the sum of PSPs of channel i. It is also Gardner & Gruening's INST rule.

    Parameters
    ----------
    eta : float
        Step size.
    skip_below : float
        No step for a pattern within this share of its criterion; 0 is always a step.
    momentum : float
        Share of the last change that is added to the next; the paper uses none.

    References
    ----------
    Q. Yu, H. Tang, K. C. Tan and H. Li, Precise-spike-driven synaptic plasticity: learning
    hetero-association of spatiotemporal spike patterns, PLoS ONE 8 (2013) e78318.

    Notes
    -----
    Confidence: verified. Differs from the paper: the printed update adds both terms; actual
    spikes are subtracted here, as they must be. While the PSP rises, a spike that comes too late
    meets a larger one than the desired time does: with very few inputs the rule then pushes the
    wrong way (docs/adr/0012).

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.PSD(eta=0.1), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "psd"
    eta: float = 0.01
    skip_below: float = 1.0
    momentum: float = 0.0

    def compiled(self) -> Any:
        """The compiled step."""
        return psd_step

    def parameters(self, *, counts: bool) -> Floats:
        """Settings as the step indexes them."""
        return np.array([self.eta], dtype=np.float64)
