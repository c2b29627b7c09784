"""Maxima of V under given resets, and the weakest of the spikes a neuron fires."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, interval_of
from linspike.kernels.simulation.membrane import Membrane, peak


@kernel
def highest_maximum(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    resets: Floats,
    guard: float,
) -> tuple[float, float]:
    """Height and time of the highest local maximum of V, with resets at the given times.

    threshold, the size of a reset, and the height are in units of Vn. The stretch of `guard`
    before each reset is left out; its beginning counts if V stands there, since it will rise on.
    Maxima are smooth ones, cusps at the arrival of inhibition, and the horizon. Minus infinity
    and nan if there is none.
    """
    best = -math.inf
    when = math.nan
    if span.stop == span.first:
        return best, when
    a = 0.0
    b = 0.0
    now = events.times[span.first]
    r = 0
    while r < resets.size and resets[r] <= now:  # before any input
        a -= threshold * math.exp(-(now - resets[r]) * m.rate_m)
        r += 1
    for e in range(span.first, span.stop):
        now = events.times[e]
        free_until = resets[r] - guard if r < resets.size else math.inf
        g = weights[events.channels[e]]
        rising = m.ratio * (b + g) > a + g
        if m.ratio * b > a and not rising and now <= free_until and a - b > best:
            best, when = a - b, now
        a += g
        b += g
        end = interval_of(events, span, e).end
        while True:
            stop = min(resets[r], end) if r < resets.size else end
            free_until = resets[r] - guard if r < resets.size else math.inf
            if a > 0.0 and m.ratio * b > a:
                after, height = peak(a, b, m)
                if now + after <= min(stop, free_until) and height > best:
                    best, when = height, now + after
            if guard > 0.0 and free_until > now and free_until <= stop:
                x = free_until - now
                height = a * math.exp(-x * m.rate_m) - b * math.exp(-x * m.rate_s)
                if height > best:
                    best, when = height, free_until
            a *= math.exp(-(stop - now) * m.rate_m)
            b *= math.exp(-(stop - now) * m.rate_s)
            now = stop
            if not (r < resets.size and resets[r] <= end):
                break
            a -= threshold
            r += 1
    guarded = r < resets.size and now > resets[r] - guard
    if m.ratio * b > a and now < math.inf and not guarded and a - b > best:
        best, when = a - b, now
    return best, when


@kernel
def flattest(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    spikes: Floats,
) -> int:
    """Which of these spikes V crosses the threshold most slowly at."""
    least = math.inf
    which = 0
    a = 0.0
    b = 0.0
    i = 0
    for e in range(span.first, span.stop):
        now = events.times[e]
        g = weights[events.channels[e]]
        a += g
        b += g
        end = interval_of(events, span, e).end
        while i < spikes.size and spikes[i] <= end:
            a *= math.exp(-(spikes[i] - now) * m.rate_m)
            b *= math.exp(-(spikes[i] - now) * m.rate_s)
            now = spikes[i]
            slope = b * m.rate_s - a * m.rate_m
            if slope < least:
                least, which = slope, i
            a -= threshold
            i += 1
        a *= math.exp(-(end - now) * m.rate_m)
        b *= math.exp(-(end - now) * m.rate_s)
    return which
