"""What `SRM.critical_threshold` returns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linspike.kernels.threshold.maxima import CUSP, HORIZON, SMOOTH
from linspike.spikes.spike_train import SpikeTrain

KINDS = {SMOOTH: "smooth", CUSP: "cusp", HORIZON: "horizon"}


@dataclass(frozen=True)
class CriticalThreshold:
    """The largest threshold with at least k spikes, and where the last of them hangs.

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
        """No positive threshold gives a single spike."""
        return cls(0.0, math.nan, SpikeTrain._trusted(np.empty(0), horizon), "none")
