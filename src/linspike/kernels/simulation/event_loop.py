"""The event loop: one neuron responds to one pattern, exactly, event by event.

A spike is searched for only in a *candidate*: an interval whose bound (9) on V reaches the
threshold. `simulate` goes from candidate to candidate, and so do the probes of a critical
threshold, with the same parts, which are inlined.
"""

from __future__ import annotations

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.simulation.events import ONE, Events, Span, interval_of, span_until
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


@borrowing
def simulate(
    events: Events, span: Span, weights: Floats, threshold: float, m: Membrane, out: Floats
) -> tuple[int, bool]:
    """Write the spike times of one neuron in this span to out until it is full.

    threshold is in units of Vn. Returns how many were written, and whether the state stayed
    finite. Cost: two multiply-adds and one comparison an event, about 120 ns a spike.
    """
    a = 0.0
    b = 0.0
    n = 0
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    # (a, b) of (5): just before event e at the head of the loop, just after it in the rest.
    while e < stop:
        e, a, b, _ = next_candidate(events, stop, weights, e, a, b, 0.0, threshold, m)
        coming = interval_of(events, span, e)
        x, x_m, x_s = next_crossing(a, b, 0.0, 1.0, 1.0, coming, threshold, m)
        while x >= 0.0 and n < out.size:
            out[n] = coming.began + x
            n += 1
            a, x, x_m, x_s = crossing_after_reset(b, x, x_m, x_s, coming, threshold, m)
        if n == out.size:
            return n, True
        a *= coming.end_m
        b *= coming.end_s
        e += ONE
    return n, a - b < np.inf and a - b > -np.inf


@borrowing
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
