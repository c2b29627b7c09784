"""Maxima of V: of one interval, of the flank a spike is on, without resets, and under given resets.

V has three kinds of maxima: smooth ones (7), cusps where an inhibitory input arrives, and the
horizon.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.simulation.events import ONE, Events, Span, interval_of
from linspike.kernels.simulation.membrane import Interval, Membrane, peak

SMOOTH, CUSP, HORIZON = 0, 1, 2


class Maximum(NamedTuple):
    """A local maximum of V."""

    height: float  # in units of Vn
    time: float
    kind: int
    decay: float  # exp(-x/tau_m) from where the search began


@inlined
def flank_maximum(
    events: Events,
    span: Span,
    e: int | np.uint64,
    a: float,
    b: float,
    weights: Floats,
    m: Membrane,
    top: float,
) -> Maximum:
    """Return the first local maximum of V from a rising start in the interval of event e.

    (a, b) is the state at event e; there are no resets. A flank that reaches `top` is not followed
    further, and height is then the value it reached.
    """
    i = np.uint64(e)
    stop = np.uint64(span.stop)
    decay = 1.0
    # V rises on through intervals at whose ends q b > a, that is V' > 0 in (6).
    while True:
        coming = interval_of(events, span, i)
        if not (m.ratio * b * coming.end_s > a * coming.end_m):
            after, height = peak(a, b, m)
            decay *= math.exp(-after * m.rate_m)
            return Maximum(height, events.times[i] + after, SMOOTH, decay)
        a *= coming.end_m
        b *= coming.end_s
        decay *= coming.end_m
        i += ONE
        if i == stop:
            return Maximum(a - b, span.last.end, HORIZON, decay)
        g = weights[events.channels[i]]
        if a - b >= top or not (m.ratio * (b + g) > a + g):
            return Maximum(a - b, events.times[i], CUSP, decay)
        a += g
        b += g


@borrowing
def interval_maximum(a: float, b: float, g: float, interval: Interval, m: Membrane) -> Maximum:
    """Return the maximum of a rising V within an interval or at its end, where an input g comes.

    g is minus infinity at the horizon. The height is minus infinity if V rises on after the input.
    """
    a_end = a * interval.end_m
    b_end = b * interval.end_s
    if not (m.ratio * b_end > a_end):
        after, height = peak(a, b, m)
        return Maximum(height, interval.began + after, SMOOTH, math.exp(-after * m.rate_m))
    if g == -math.inf:
        return Maximum(a_end - b_end, interval.end, HORIZON, interval.end_m)
    if not (m.ratio * (b_end + g) > a_end + g):
        return Maximum(a_end - b_end, interval.end, CUSP, interval.end_m)
    return Maximum(-math.inf, math.nan, SMOOTH, 1.0)


@borrowing
def free_maximum(
    events: Events, span: Span, weights: Floats, m: Membrane
) -> tuple[float, float, int]:
    """Return the highest point of V0: the critical threshold for one spike.

    Returns height (at least 0, the resting value), time and kind; time is nan at rest.
    """
    best = 0.0
    when = math.nan
    kind = SMOOTH
    a = 0.0
    b = 0.0
    # max V0 = th*_1. A maximum is a cusp before event e, or smooth in the interval after it: the
    # logarithm of (7) is spent only where V rises first, falls at the end, and a > V exceeds best.
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


@inlined
def decay_after_resets(
    a: float, now: float, resets: Floats, threshold: float, m: Membrane
) -> tuple[float, int]:
    """Subtract from a the resets up to `now`, before any input; return it and how many."""
    r = 0
    while r < resets.size and resets[r] <= now:
        a -= threshold * math.exp(-(now - resets[r]) * m.rate_m)
        r += 1
    return a, r


@inlined
def keep_maximum(height: float, time: float, n: int, found: Floats) -> int:
    """Append a maximum to found, or put it in place of the last one; return how many there are."""
    last = n
    if n == found.shape[1]:
        last -= 1
        if height <= found[1, last]:
            return n
    found[0, last] = time
    found[1, last] = height
    return last + 1


@borrowing
def find_maxima(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    resets: Floats,
    guard: float,
    level: float,
    found: Floats,
) -> int:
    """Write times and heights of the local maxima of V above a level to found; return how many.

    found is (2, most); if it is full, a maximum takes the place of the last one if it is higher, so
    that with room for one the highest is found. Resets are at the given times. threshold, the size
    of a reset, and heights are in units of Vn. Maxima less than `guard` before a reset are left
    out; the beginning of that stretch counts if V is still rising there. Maxima are smooth ones,
    cusps at the arrival of inhibition, and the horizon.
    """
    n = 0
    if span.stop == span.first:
        return n
    now = events.times[span.first]
    b = 0.0
    a, r = decay_after_resets(0.0, now, resets, threshold, m)
    for e in range(span.first, span.stop):
        now = events.times[e]
        free_until = resets[r] - guard if r < resets.size else math.inf
        g = weights[events.channels[e]]
        rising = m.ratio * (b + g) > a + g
        # A cusp: V rose up to the event and falls after its input.
        if m.ratio * b > a and not rising and now <= free_until and a - b > level:
            n = keep_maximum(a - b, now, n, found)
        a += g
        b += g
        end = interval_of(events, span, e).end
        # The interval in pieces, from one imposed reset to the next; a loses th at each.
        while True:
            stop = min(resets[r], end) if r < resets.size else end
            free_until = resets[r] - guard if r < resets.size else math.inf
            if a > max(level, 0.0) and m.ratio * b > a:
                after, height = peak(a, b, m)
                if now + after <= min(stop, free_until) and height > level:
                    n = keep_maximum(height, now + after, n, found)
            # Inside the guard V may rise on to the reset; its value where the guard begins counts.
            if guard > 0.0 and free_until > now and free_until <= stop:
                x = free_until - now
                height = a * math.exp(-x * m.rate_m) - b * math.exp(-x * m.rate_s)
                if height > level:
                    n = keep_maximum(height, free_until, n, found)
            a *= math.exp(-(stop - now) * m.rate_m)
            b *= math.exp(-(stop - now) * m.rate_s)
            now = stop
            if not (r < resets.size and resets[r] <= end):
                break
            a -= threshold
            r += 1
    guarded = r < resets.size and now > resets[r] - guard
    if m.ratio * b > a and now < math.inf and not guarded and a - b > level:
        n = keep_maximum(a - b, now, n, found)
    return n


@borrowing
def highest_maximum(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    resets: Floats,
    guard: float,
    found: Floats,
) -> tuple[float, float]:
    """Return height and time of the highest of `find_maxima`; minus infinity and nan without one.

    found is (2, 1) work space.
    """
    n = find_maxima(events, span, weights, threshold, m, resets, guard, -math.inf, found)
    if n == 0:
        return -math.inf, math.nan
    return found[1, 0], found[0, 0]
