"""The parts of the event loop that every simulation shares, inlined into the loops that use them.

A spike is searched for only in a *candidate*: an interval whose bound (9) on V reaches the
threshold. `simulate` and the probes of a critical threshold go from candidate to candidate.
"""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import inlined
from linspike.kernels.simulation.events import ONE, Events
from linspike.kernels.simulation.membrane import NO_SPIKE, Interval, Membrane, next_crossing


@inlined
def next_candidate(
    events: Events,
    stop: np.uint64,
    weights: Floats,
    e: np.uint64,
    a: float,
    b: float,
    a_th: float,
    level: float,
    m: Membrane,
) -> tuple[np.uint64, float, float, float]:
    """Advance to the first event from e on after which V may reach the level; the last one counts.

    (a, b) is the state just before event e, a_th the derivative of a with respect to the threshold
    (pass 0 and ignore the result where it is not needed: the compiler then drops it). Returns the
    event and the state just after its input. Cost: two multiply-adds and one comparison an event.
    """
    channels, decay_m, decay_s = events.channels, events.decay_m, events.decay_s
    ratio = m.ratio
    offset = 1.0 - m.ratio
    # Bound (9) at the end of the interval, where it is largest: below the level, nothing inside
    # reaches it. A loop without the rare path keeps all it needs in registers (ADR 0004).
    while e + ONE < stop:
        g = weights[channels[e]]
        decay = decay_m[e]
        a_end = (a + g) * decay
        b_new = b + g
        if a_end - b_new * (ratio * decay + offset) >= level:
            break
        a = a_end
        b = b_new * decay_s[e]
        a_th *= decay
        e += ONE
    g = weights[channels[e]]
    return e, a + g, b + g, a_th


@inlined
def crossing_after_reset(
    b: float, x: float, x_m: float, x_s: float, interval: Interval, threshold: float, m: Membrane
) -> tuple[float, float, float, float]:
    """Reset at x, where the decays are x_m and x_s, and find the next crossing in the interval.

    Returns the new a, and the time and decays of the crossing as `next_crossing` does.
    """
    # V(x) = 0 from (5), written as the a that the interval would have begun with.
    a = b * x_s / x_m
    bound = a * interval.end_m - b * (m.ratio * interval.end_m + (1.0 - m.ratio))
    if bound >= threshold:
        x, x_m, x_s = next_crossing(a, b, x, x_m, x_s, interval, threshold, m)
    else:
        x = NO_SPIKE
    return a, x, x_m, x_s
