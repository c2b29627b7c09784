"""The reset sum C(t) of (11): 1 plus what the resets strictly before t have left, in thresholds.

The moving threshold (10) is the threshold times C(t).
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel


@kernel
def reset_sum(at: float, resets: Floats, rate_m: float) -> float:
    """Return C(at) for resets in any order; those at `at` or later do not count."""
    total = 1.0
    for t in resets:
        if t < at:
            total += math.exp(-(at - t) * rate_m)
    return total


@kernel
def fill_reset_sums(resets: Floats, at: Floats, rate_m: float, out: Floats) -> None:
    """Fill out with C(t) - 1 at many times, in one pass; resets and times are ascending.

    The 1 is left out because V of (4) subtracts the rest alone, and adding it would round.
    """
    j = 0
    total = 0.0
    since = 0.0
    # total is C - 1 just after the newest reset, at `since`: it decays as a whole.
    for i in range(at.size):
        while j < resets.size and resets[j] < at[i]:
            total = total * math.exp(-(resets[j] - since) * rate_m) + 1.0
            since = resets[j]
            j += 1
        out[i] = total * math.exp(-(at[i] - since) * rate_m) if j > 0 else 0.0
