"""Critical thresholds: the largest threshold (and reset) with at least k spikes.

Raising the threshold never raises the count, so halving is safe. At the critical value one spike
only just happens: V touches the threshold at a maximum, which is smooth, or a cusp at the arrival
of an inhibitory input, or the horizon itself.
"""

from __future__ import annotations

import math

from linspike.kernels.events import Events, Floats, Span, interval_of, span_until
from linspike.kernels.jit import kernel
from linspike.kernels.membrane import Membrane, peak
from linspike.kernels.simulate import simulate

SMOOTH, CUSP, HORIZON = 0, 1, 2
MOST_HALVINGS = 200


@kernel
def flank_maximum(
    events: Events, span: Span, e: int, a: float, b: float, weights: Floats, m: Membrane
) -> tuple[float, float, int]:
    """First local maximum of V from a rising start in the interval of event e, without resets.

    (a, b) is the state at event e. Returns height, time and kind.
    """
    while True:
        coming = interval_of(events, span, e)
        if not (m.ratio * b * coming.end_s > a * coming.end_m):
            after, height = peak(a, b, m)
            return height, events.times[e] + after, SMOOTH
        a *= coming.end_m
        b *= coming.end_s
        e += 1
        if e == span.stop:
            return a - b, span.last.end, HORIZON
        g = weights[events.channels[e]]
        if not (m.ratio * (b + g) > a + g):
            return a - b, events.times[e], CUSP
        a += g
        b += g


@kernel
def free_maximum(
    events: Events, span: Span, weights: Floats, m: Membrane
) -> tuple[float, float, int]:
    """Highest point of V without resets: the critical threshold for one spike.

    Returns height (at least 0, the resting value), time and kind; time is nan at rest.
    """
    best = 0.0
    when = math.nan
    kind = SMOOTH
    a = 0.0
    b = 0.0
    for e in range(span.first, span.stop):
        rising_before = m.ratio * b > a
        g = weights[events.channels[e]]
        rising = m.ratio * (b + g) > a + g
        if rising_before and not rising and a - b > best:
            best, when, kind = a - b, events.times[e], CUSP
        a += g
        b += g
        coming = interval_of(events, span, e)
        if rising and a > best and not (m.ratio * b * coming.end_s > a * coming.end_m):
            after, height = peak(a, b, m)
            if height > best:
                best, when, kind = height, events.times[e] + after, SMOOTH
        a *= coming.end_m
        b *= coming.end_s
    if span.stop > span.first and m.ratio * b > a and a - b > best:
        best, when, kind = a - b, span.last.end, HORIZON
    return best, when, kind


@kernel
def critical_spike(
    events: Events, span: Span, weights: Floats, threshold: float, m: Membrane, spikes: Floats
) -> tuple[int, float, int]:
    """Which of these spikes would be lost first if the threshold rose, and where V peaks for it.

    Replays the spikes that this threshold gives and follows V from each, without its own reset,
    to its first maximum; the one with the least excess over the threshold is critical. Returns
    its index, the time of the maximum and its kind.
    """
    least = math.inf
    which = 0
    when = math.nan
    kind = SMOOTH
    a = 0.0
    b = 0.0
    i = 0
    for e in range(span.first, span.stop):
        g = weights[events.channels[e]]
        a += g
        b += g
        coming = interval_of(events, span, e)
        while i < spikes.size and spikes[i] <= coming.end:
            height, top, its_kind = flank_maximum(events, span, e, a, b, weights, m)
            if height - threshold < least:
                least, which, when, kind = height - threshold, i, top, its_kind
            a -= threshold * math.exp((spikes[i] - events.times[e]) * m.rate_m)
            i += 1
        a *= coming.end_m
        b *= coming.end_s
    return which, when, kind


@kernel
def critical_threshold(
    events: Events, span: Span, weights: Floats, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """Largest threshold, in units of Vn, with at least out.size spikes.

    On return out holds the spikes at that threshold. Returns the threshold (0 if V never leaves
    rest upwards), the index of the critical spike in out, its time t* and the kind of maximum.
    Cost: about fifty simulations, each stopped at its out.size-th spike.
    """
    high, when, kind = free_maximum(events, span, weights, m)
    if high <= 0.0:
        return 0.0, 0, math.nan, SMOOTH
    if out.size == 1:
        out[0] = when
        return high, 0, when, kind
    low = high
    while True:
        low *= 0.5
        n, _ = simulate(events, span, weights, low, m, out)
        if n == out.size:
            break
        high = low
        if low == 0.0:
            return 0.0, 0, math.nan, SMOOTH
    for _ in range(MOST_HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        n, _ = simulate(events, span, weights, middle, m, out)
        if n == out.size:
            low = middle
        else:
            high = middle
    simulate(events, span, weights, low, m, out)
    which, when, kind = critical_spike(events, span, weights, low, m, out)
    return low, which, when, kind


@kernel
def critical_until(
    events: Events, p: int, until: float, weights: Floats, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """`critical_threshold` of pattern p up to a horizon."""
    return critical_threshold(events, span_until(events, p, until, m), weights, m, out)
