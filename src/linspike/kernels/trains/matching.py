"""The first error of a response, for rules that correct one error per trial."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing


@borrowing
def first_unpaired(desired: Floats, actual: Floats, tolerance: float) -> tuple[float, float]:
    """Return the earliest spike without a partner within the tolerance.

    Returns its time and +1 if it is desired and missing, -1 if it is there and wrong; nan and 0
    if all are paired.
    """
    i = 0
    j = 0
    # Pairs in order of time: the first two spikes that do not pair contain the earliest error.
    while i < desired.size and j < actual.size:
        if abs(desired[i] - actual[j]) <= tolerance:
            i += 1
            j += 1
        elif desired[i] < actual[j]:
            return desired[i], 1.0
        else:
            return actual[j], -1.0
    if i < desired.size:
        return desired[i], 1.0
    if j < actual.size:
        return actual[j], -1.0
    return math.nan, 0.0


@borrowing
def first_breach(
    desired: Floats, actual: Floats, tolerance: float, until: float
) -> tuple[float, float]:
    """Return the time and sign of the first violation of the tolerance windows, (37) and (38).

    A wrong spike, or a second one in a window, violates them when it comes: -1. A window violates
    them when it ends empty: +1, at its end, the horizon at the latest. nan and 0 if none does.
    """
    i = 0  # the first window that is still empty
    # Where windows overlap, a spike goes to the first that is still empty.
    for o in actual:
        if i < desired.size and desired[i] + tolerance < o:
            return desired[i] + tolerance, 1.0
        if i == desired.size or o < desired[i] - tolerance:
            return o, -1.0
        i += 1
    if i < desired.size:
        return min(desired[i] + tolerance, until), 1.0
    return math.nan, 0.0
