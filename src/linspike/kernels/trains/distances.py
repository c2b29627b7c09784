"""Distances between two spike trains."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.jit import kernel

PAPER, STRICT = 0, 1  # criteria for desired times
VRD_TAU = 100.0
STRICT_TOLERANCE = 1.0


@kernel
def van_rossum_squared(x: Floats, y: Floats, tau: float) -> float:
    """Squared van Rossum distance of two ascending trains, in one pass.

    The filtered difference f of the trains jumps by +-1 and decays in between, so its squared
    integral is a sum of positive terms, f^2 (1 - exp(-2 gap/tau))/2: nothing cancels, and equal
    trains are at distance exactly 0.
    """
    i = 0
    j = 0
    f = 0.0
    total = 0.0
    while i < x.size or j < y.size:
        from_x = j == y.size or (i < x.size and x[i] <= y[j])
        now = x[i] if from_x else y[j]
        if from_x:
            f += 1.0
            i += 1
        else:
            f -= 1.0
            j += 1
        following = math.inf
        if i < x.size:
            following = x[i]
        if j < y.size:
            following = min(following, y[j])
        gap = (following - now) / tau
        total -= 0.5 * f * f * math.expm1(-2.0 * gap)
        f *= math.exp(-gap)
    return total


@kernel
def pair_spikes(x: Floats, y: Floats, tolerance: float) -> int:
    """Largest number of one-to-one pairs within the tolerance; both trains ascending.

    Taking the earliest partner that still fits is optimal for points on a line.
    """
    i = 0
    j = 0
    pairs = 0
    while i < x.size and j < y.size:
        if abs(x[i] - y[j]) <= tolerance:
            pairs += 1
            i += 1
            j += 1
        elif x[i] < y[j]:
            i += 1
        else:
            j += 1
    return pairs


@kernel
def move_cost(gap: float, tau: float, squared: bool) -> float:
    """Cost of moving a spike: |gap|/tau, or (gap/tau)^2/2."""
    y = abs(gap) / tau
    return 0.5 * y * y if squared else y


@kernel
def victor_purpura(
    x: Floats, y: Floats, tau: float, squared: bool, table: Floats, partner: npt.NDArray[np.int64]
) -> float:
    """Least cost of turning x into y by adding or removing (1 each) and moving spikes.

    table is (x.size + 1, y.size + 1) work space. partner[i] becomes the index in y that spike i
    of x moves to, or -1 if it is removed; spikes of y named nowhere are added. Both costs are
    convex, so pairs that do not cross are enough. On equal cost a move wins.
    """
    for i in range(x.size + 1):
        table[i, 0] = i
    for j in range(y.size + 1):
        table[0, j] = j
    for i in range(x.size):
        for j in range(y.size):
            moved = table[i, j] + move_cost(x[i] - y[j], tau, squared)
            table[i + 1, j + 1] = min(moved, table[i, j + 1] + 1.0, table[i + 1, j] + 1.0)
    partner[:] = -1
    i = x.size
    j = y.size
    while i > 0 and j > 0:
        moved = table[i - 1, j - 1] + move_cost(x[i - 1] - y[j - 1], tau, squared)
        if table[i, j] == moved:
            i -= 1
            j -= 1
            partner[i] = j
        elif table[i, j] == table[i - 1, j] + 1.0:
            i -= 1
        else:
            j -= 1
    total: float = table[x.size, y.size]
    return total


@kernel
def times_met(actual: Floats, desired: Floats, bound: float, criterion: int, share: float) -> bool:
    """Whether the response is within `share` of what the criterion allows; 1 is the criterion.

    bound is vRD* of the pattern, the paper's criterion; the strict one pairs all spikes within a
    millisecond.
    """
    if criterion == STRICT:
        if actual.size != desired.size:
            return False
        return pair_spikes(actual, desired, share * STRICT_TOLERANCE) == desired.size
    limit = share * bound
    return van_rossum_squared(actual, desired, VRD_TAU) < limit * limit
