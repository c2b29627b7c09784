"""Bounds of the weights, held exactly after every step (58)."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import borrowing


@borrowing
def hold_weights(weights: Floats, velocity: Floats, low: Floats, high: Floats) -> None:
    """Put weights beyond their bounds on them, and take what is cut off from the velocity.

    Momentum would otherwise go on pushing against a bound. NaN stays, for the chain to end.
    """
    for c in range(low.size):
        held = weights[c]
        if held < low[c]:
            held = low[c]
        elif held > high[c]:
            held = high[c]
        else:
            continue
        kept = velocity[c] + (held - weights[c])
        velocity[c] = kept if math.isfinite(kept) else 0.0
        weights[c] = held
