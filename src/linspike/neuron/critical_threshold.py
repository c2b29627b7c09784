"""The critical threshold of a pattern: the result of `SRM.critical_threshold`, and the search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linspike._typing import Floats
from linspike.kernels.simulation.event_loop import respond_one
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.critical import critical_until
from linspike.kernels.threshold.maxima import CUSP, HORIZON, SMOOTH
from linspike.neuron.decay_tables import events_of
from linspike.spikes.pattern import Pattern
from linspike.spikes.spike_train import SpikeTrain

KINDS = {SMOOTH: "smooth", CUSP: "cusp", HORIZON: "horizon"}


@dataclass(frozen=True)
class CriticalThreshold:
    """The largest threshold with at least k spikes, and where V touches it.

    Attributes
    ----------
    value : float
        The threshold, which is also the size of the reset; 0 if no positive threshold gives a
        single spike.
    time : float
        t*, where V only just touches the threshold; nan if there is none.
    before : SpikeTrain
        The spikes before t*, at this threshold.
    kind : str
        What V has at t*: a "smooth" maximum, a "cusp" at an inhibitory input, or the "horizon";
        "none" if there is no such time.
    """

    value: float
    time: float
    before: SpikeTrain
    kind: str

    @classmethod
    def none(cls, horizon: float) -> CriticalThreshold:
        """Return the result where no positive threshold gives a single spike."""
        return cls(0.0, math.nan, SpikeTrain._trusted(np.empty(0), horizon), "none")


def find_critical_threshold(
    m: Membrane, v_norm: float, weights: Floats, pattern: Pattern, k: int, horizon: float
) -> CriticalThreshold:
    """Find the largest threshold with at least k spikes, in the unit of the potential."""
    spikes = np.empty(k)
    where = (events_of(pattern._ragged, m), pattern._index, horizon)
    value, which, time, kind = critical_until(*where, weights, m, spikes)
    if value <= 0.0:
        return CriticalThreshold.none(horizon)
    before = SpikeTrain._trusted(spikes[:which].copy(), horizon)
    threshold, less = value * v_norm, 1e-16
    # As a threshold it must give k spikes itself; a rounding or two may keep it from that.
    while respond_one(*where, weights, threshold / v_norm, m, spikes)[0] < spikes.size:
        threshold *= 1.0 - less
        less *= 2.0
    return CriticalThreshold(threshold, time, before, KINDS[kind])
