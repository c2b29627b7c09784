"""E-learning (the Chronotron): gradient of a Victor-Purpura distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.kernels.jit import borrowing
from linspike.kernels.training.outcomes import SOLVED
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import add_at
from linspike.kernels.trains.distances import victor_purpura
from linspike.rules.toolkit.families import StepSizeRule


class Options(NamedTuple):
    """Options of a step, in the order of the parameter array; nan stands for tau_m."""

    eta: float
    tau_q: float
    gamma_r: float


@borrowing
def unpack(parameters: Floats, tau_m: float) -> Options:
    """Return the options that the parameter array holds, with their defaults."""
    tau_q, gamma_r = parameters[1], parameters[2]
    return Options(
        eta=parameters[0],
        tau_q=tau_q if tau_q > 0.0 else tau_m,
        gamma_r=gamma_r if gamma_r >= 0.0 else tau_m,
    )


@borrowing_step
def e_learning_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """Add, remove and move spikes as the cheapest way from the response to the target does."""
    constants = s.constants
    options = unpack(parameters, 1.0 / constants.m.rate_m)
    eta, tau_q, gamma_r = options.eta, options.tau_q, options.gamma_r
    partner = work.indices[: s.actual.size]
    victor_purpura(s.actual, s.desired, tau_q, True, work.gram, partner)
    change[:] = 0.0
    added = work.multipliers
    added[: s.desired.size] = 1.0
    for j in range(s.actual.size):
        at = s.actual[j]
        factor = -1.0
        if partner[j] >= 0:
            added[partner[j]] = 0.0
            factor = gamma_r / (tau_q * tau_q) * (at - s.desired[partner[j]])
        add_at(s, at, eta * factor, constants.psp, change)
    for i in range(s.desired.size):
        if added[i] > 0.0:
            for c in range(change.size):
                change[c] += eta * s.k_desired[i, c]
    return SOLVED


@dataclass(frozen=True)
class ELearning(StepSizeRule):
    """Gradient descent on a Victor-Purpura distance, by the matching of spikes behind it.

    Spikes are added and removed at cost 1 and moved at cost (dt/tau_q)^2/2. With the cheapest
    matching,

        Delta w = eta (sum_added X(d) - sum_removed X(o)
                       + gamma_r/tau_q^2 sum_moved (o - d) X(o)).

    Parameters
    ----------
    eta : float
        Step size.
    tau_q : float, optional
        Time scale of moving; the neuron's tau_m unless given.
    gamma_r : float, optional
        Weight of moving against adding and removing, in milliseconds; tau_m unless given.
    skip_below, momentum : float
        As for every `Rule`.

    References
    ----------
    R. V. Florian, The Chronotron: a neuron that learns to fire temporally precise spike
    patterns, PLoS ONE 7 (2012) e40233.

    Notes
    -----
    Confidence: verified. Differs from the paper: it is not among the rules the paper measures.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.ELearning(eta=0.1, gamma_r=40.0), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "e_learning"
    compiled_step = staticmethod(e_learning_step)

    tau_q: float | None = None
    gamma_r: float | None = None
    skip_below: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        owner = "ELearning"
        if self.tau_q is not None:
            check_real(self.tau_q, "tau_q", owner, above=0.0, domain="finite and positive")
        if self.gamma_r is not None:
            check_real(self.gamma_r, "gamma_r", owner, least=0.0, domain="finite and at least 0")

    def options(self, *, counts: bool) -> Options:
        """Return the options of a step."""
        tau_q = math.nan if self.tau_q is None else self.tau_q
        gamma_r = math.nan if self.gamma_r is None else self.gamma_r
        return Options(eta=self.eta, tau_q=tau_q, gamma_r=gamma_r)
