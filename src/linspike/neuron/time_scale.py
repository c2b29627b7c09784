"""Time scale of a neuron: tolerances that follow it, and inputs in other units."""

from __future__ import annotations

import warnings

from linspike._typing import Floats
from linspike.errors import UnitWarning
from linspike.spikes.ragged import Ragged
from linspike.spikes.units import warn_high_rate

USUAL_TAU_S = (1.0, 20.0)  # where tolerances have their defaults
SHORTEST = 0.1  # pattern that a neuron can respond to, in tau_s
REMEDY = (
    "If the times are in seconds, multiply them by 1000, or name the unit: "
    "PatternSet.from_events(..., time_unit='s')."
)


def scale_tolerance(tolerance: float, tau_s: float) -> float:
    """Return the tolerance of a usual neuron for one with this tau_s.

    It stays as it is for a tau_s from 1 to 20 ms. Outside it is in proportion to tau_s, without a
    jump at the ends.
    """
    low, high = USUAL_TAU_S
    return tolerance * (tau_s / min(max(tau_s, low), high))


def warn_units(ragged: Ragged, horizons: Floats, tau_s: float, owner: str, stacklevel: int) -> None:
    """Warn if all patterns are very short for the neuron, or rates very high."""
    longest = max(float(ragged.durations.max()), float(horizons.max()))
    if not warn_short(longest, tau_s, owner, stacklevel + 1):
        total = ragged.n_channels * float(ragged.durations.sum())
        warn_high_rate(ragged.times.size, total, owner, REMEDY, stacklevel + 1)


def warn_short(longest: float, tau_s: float, owner: str, stacklevel: int) -> bool:
    """Warn if even the longest pattern is much shorter than tau_s; return whether it is."""
    if longest >= SHORTEST * tau_s:
        return False
    warnings.warn(
        f"{owner}: the patterns are at most {longest:.3g} ms long, which is short for a neuron "
        f"with tau_s = {tau_s:g} ms. {REMEDY}",
        UnitWarning,
        stacklevel=stacklevel + 1,
    )
    return True
