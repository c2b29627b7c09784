"""Distances between two spike trains."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.jit import borrowing

PAPER, STRICT = 0, 1  # criteria for desired times
VRD_TAU = 100.0


@borrowing
def van_rossum_squared(x: Floats, y: Floats, tau: float) -> float:
    """Return the squared van Rossum distance of two ascending trains, in one pass."""
    i = 0
    j = 0
    f = 0.0
    total = 0.0
    # The sum (15) over gaps, not (13) over pairs: its terms are positive, so nothing cancels, and
    # equal trains are at distance exactly 0. Both trains are merged in order of time.
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


@borrowing
def pair_spikes(x: Floats, y: Floats, tolerance: float) -> int:
    """Return the largest number of one-to-one pairs within the tolerance; trains are ascending."""
    i = 0
    j = 0
    pairs = 0
    # Taking the earliest partner that still fits is optimal for points on a line.
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


@borrowing
def find_partners(x: Floats, y: Floats, tolerance: float, partner: npt.NDArray[np.int64]) -> int:
    """Set partner[i] to the index in y that spike i of x pairs with, or -1; return the pairs.

    The pairs are those that `pair_spikes` counts.
    """
    partner[:] = -1
    i = 0
    j = 0
    pairs = 0
    while i < x.size and j < y.size:
        if abs(x[i] - y[j]) <= tolerance:
            partner[i] = j
            pairs += 1
            i += 1
            j += 1
        elif x[i] < y[j]:
            i += 1
        else:
            j += 1
    return pairs


@borrowing
def move_cost(gap: float, tau: float, squared: bool) -> float:
    """Return the cost of moving a spike: |gap|/tau, or (gap/tau)^2/2."""
    y = abs(gap) / tau
    return 0.5 * y * y if squared else y


@borrowing
def victor_purpura(
    x: Floats, y: Floats, tau: float, squared: bool, table: Floats, partner: npt.NDArray[np.int64]
) -> float:
    """Return the least cost of turning x into y by adding, removing (1 each) and moving spikes.

    table is (x.size + 1, y.size + 1) work space. partner[i] becomes the index in y that spike i
    of x moves to, or -1 if it is removed; spikes of y named nowhere are added.
    """
    for i in range(x.size + 1):
        table[i, 0] = i
    for j in range(y.size + 1):
        table[0, j] = j
    # table[i, j] is the least cost for the first i spikes of x and j of y. Both move costs are
    # convex, so pairs that do not cross are enough.
    for i in range(x.size):
        for j in range(y.size):
            moved = table[i, j] + move_cost(x[i] - y[j], tau, squared)
            table[i + 1, j + 1] = min(moved, table[i, j + 1] + 1.0, table[i + 1, j] + 1.0)
    partner[:] = -1
    i = x.size
    j = y.size
    # Back along the choices that gave the least cost; on equal cost a move wins.
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


@borrowing
def times_met(actual: Floats, desired: Floats, bound: float, criterion: int, share: float) -> bool:
    """Return whether the response is within the fraction `share` of what the criterion allows.

    bound is vRD* of the pattern, for the paper's criterion. The strict criterion pairs all spikes;
    for it bound is its tolerance in milliseconds.
    """
    if criterion == STRICT:
        if actual.size != desired.size:
            return False
        return pair_spikes(actual, desired, share * bound) == desired.size
    limit = share * bound  # squares are compared: (15) has no root to take
    return van_rossum_squared(actual, desired, VRD_TAU) < limit * limit
