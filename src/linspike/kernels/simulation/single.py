"""One neuron answers one pattern: exact spike times, event by event."""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, span_until
from linspike.kernels.simulation.membrane import Interval, Membrane, next_crossing

# Unsigned indices cannot be negative, so the loop carries no code for counting from the end:
# a third of its instructions. A plain 1 would turn an unsigned number into a float.
ONE = np.uint64(1)


@kernel
def simulate(
    events: Events, span: Span, weights: Floats, threshold: float, m: Membrane, out: Floats
) -> tuple[int, bool]:
    """Spike times of one neuron in this span, written to out until it is full.

    threshold is in units of Vn. Returns how many were written, and whether the state stayed
    finite. Cost: two multiply-adds and one comparison an event, about 120 ns a spike.

    The comparison: while V rises, V(x) <= a u - b (1 - r + r u) with u = exp(-x/tau_m) and
    r = tau_m/tau_s (tangent of the convex u**r at u = 1), and that bound grows with x. So its
    value at the end of an interval decides whether a crossing is possible inside.
    """
    channels, decay_m, decay_s = events.channels, events.decay_m, events.decay_s
    ratio = m.ratio
    offset = 1.0 - m.ratio
    a = 0.0
    b = 0.0
    n = 0
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    while e < stop:
        while e + ONE < stop:  # a loop of its own keeps all it needs in registers
            g = weights[channels[e]]
            decay = decay_m[e]
            a_end = (a + g) * decay
            b_new = b + g
            if a_end - b_new * (ratio * decay + offset) >= threshold:
                break
            a = a_end
            b = b_new * decay_s[e]
            e += ONE
        g = weights[channels[e]]
        a += g
        b += g
        coming = span.last
        if e + ONE < stop:
            coming = Interval(events.times[e], events.times[e + ONE], decay_m[e], decay_s[e])
        slack = ratio * coming.end_m + offset
        x, x_m, x_s = next_crossing(a, b, 0.0, 1.0, 1.0, coming, threshold, m)
        while x >= 0.0 and n < out.size:
            out[n] = coming.began + x
            n += 1
            a = b * x_s / x_m  # as if it had been so from the beginning of the interval
            if not (a * coming.end_m - b * slack >= threshold):
                break
            x, x_m, x_s = next_crossing(a, b, x, x_m, x_s, coming, threshold, m)
        if n == out.size:
            return n, True
        a *= coming.end_m
        b *= coming.end_s
        e += ONE
    return n, a - b < np.inf and a - b > -np.inf


@kernel
def respond_one(
    events: Events,
    p: int,
    until: float,
    weights: Floats,
    threshold: float,
    m: Membrane,
    out: Floats,
) -> tuple[int, bool]:
    """`simulate` pattern p up to a horizon."""
    return simulate(events, span_until(events, p, until, m), weights, threshold, m, out)
