"""Figure 3: how far from its optimum a weight is, while two wanted spikes interfere.

Two inputs, two wanted spikes, each a lag after its input. What both weights must be follows in
closed form, so the error of the first can be watched step by step. Which distances of the wanted
spikes have a solution at all is a question of its own: the closed form meets both times, but may
fire elsewhere too.

The paper does not state the lag, and all depends on it. A rule that weighs by the PSP meets a
larger one at a spike that comes too late, as long as the PSP rises: it then learns in the wrong
direction, and only wanted times near the PSP's peak are within reach from w = 0. With a lag of
7 ms the map has the paper's regions; with 2.8 ms next to nothing converges (docs/adr/0012).
"""

from __future__ import annotations

import numpy as np

from linspike.neuron.srm import SRM
from linspike.rules.base import Rule
from linspike.spikes.distances import match_spikes
from linspike.spikes.pattern import Pattern
from linspike.spikes.ragged import Floats
from linspike.spikes.targets import SpikeTimes
from linspike.training.trainer import Trainer

FIRST = 5.0  # time of the first input
LAGS = (7.0, 2.8)  # from an input to its wanted spike
AFTER = 60.0  # simulated beyond the second input
NEAR = 0.05  # an error below this, in thresholds, counts as converged
TAIL = 100  # epochs at the end that decide what became of a run


def toy(delta: float, lag: float) -> tuple[Pattern, Floats]:
    """Two inputs `delta` apart and the two wanted times."""
    second = FIRST + delta
    pattern = Pattern([FIRST, second], [0, 1], n_channels=2, duration=second + AFTER)
    return pattern, np.array([FIRST + lag, second + lag])


def optimum(neuron: SRM, delta: float, lag: float) -> Floats:
    """The one pair of weights with V0 = theta at both wanted times."""
    first = neuron.threshold / neuron.psp(lag)
    wanted = neuron.threshold * (1.0 + np.exp(-delta / neuron.tau_m))
    second = (wanted - first * neuron.psp(delta + lag)) / neuron.psp(lag)
    return np.array([first, second], dtype=np.float64)


def has_solution(neuron: SRM, delta: float, lag: float) -> bool:
    """Whether the optimum fires at the wanted times and nowhere else."""
    pattern, wanted = toy(delta, lag)
    response = neuron.respond(optimum(neuron, delta, lag), pattern)
    return match_spikes(response, wanted, tolerance=1e-6).exact


def weight_errors(neuron: SRM, rule: Rule, delta: float, lag: float, epochs: int) -> Floats:
    """|w_1 - its optimum| from w = 0 on: (epochs + 1,)."""
    pattern, wanted = toy(delta, lag)
    trainer = Trainer(neuron, rule)
    path = trainer.trajectory(np.zeros(2), pattern, SpikeTimes([wanted]), steps=epochs)
    errors: Floats = np.abs(path[:, 0] - optimum(neuron, delta, lag)[0])
    return errors


def fate(errors: Floats) -> str:
    """What became of a run: "converged", "fluctuates" around the optimum, or "away" from it.

    Converged: near the optimum for all of the last hundred epochs. Fluctuates: near it now and
    then. Away: never near it in that time.
    """
    near = errors[-TAIL:] < NEAR
    if near.all():
        return "converged"
    return "fluctuates" if near.any() else "away"


def epochs_to_converge(errors: Floats) -> int:
    """The epoch from which on the error stays near 0; the number of epochs if it never does."""
    far = np.flatnonzero(errors >= NEAR)
    return int(far[-1]) + 1 if far.size else 0
