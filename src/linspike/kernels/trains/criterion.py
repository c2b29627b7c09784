"""The convergence criteria: whether a response meets its target."""

from __future__ import annotations

from linspike._typing import Floats
from linspike.kernels.jit import borrowing
from linspike.kernels.trains.distances import pair_spikes, van_rossum_squared

PAPER, STRICT = 0, 1
VRD_TAU = 100.0
STRICT_TOLERANCE = 1.0


@borrowing
def times_met(actual: Floats, desired: Floats, bound: float, criterion: int, share: float) -> bool:
    """Whether the response is within the fraction `share` of what the criterion allows.

    bound is vRD* of the pattern, for the paper's criterion; the strict criterion pairs all spikes
    within a millisecond.
    """
    if criterion == STRICT:
        if actual.size != desired.size:
            return False
        return pair_spikes(actual, desired, share * STRICT_TOLERANCE) == desired.size
    limit = share * bound  # squares are compared: (15) has no root to take
    return van_rossum_squared(actual, desired, VRD_TAU) < limit * limit
