"""Critical thresholds: the largest threshold (and reset) with at least k spikes.

Raising the threshold never raises the count, so a bracket is safe. At the critical value one spike
only just happens: V touches the threshold at a maximum, which is smooth, or a cusp at the arrival
of an inhibitory input, or the horizon itself. From below that maximum is the end of the flank the
spike is on, from above a maximum that no spike spends; its height depends smoothly on the
threshold, through the spikes before it. So Newton's method finds the value from either side.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import inlined, kernel
from linspike.kernels.simulation.events import Events, Span, interval_of, span_until
from linspike.kernels.simulation.membrane import Interval, Membrane, next_crossing, peak
from linspike.kernels.simulation.single import ONE

SMOOTH, CUSP, HORIZON = 0, 1, 2
ROUNDING = 2.0**-52
CLOSED = 8.0 * ROUNDING  # relative width at which the bracket around a critical value is closed
PAST = 3.0 * ROUNDING  # trials go beyond their aim by this at least, to come out on the other side
DOUBT = 0.1  # and by this share of what curvature contributed to it
FIRST_REACH = 0.2  # of the guess: how far away a critical value is looked for at first
LEAST_REACH = 1e-13  # relative
FLAT = 1e-12  # thresholds per tau_m; a spike that only touches has no slope, and no derivative
STEEPEST = -1.0 / FLAT  # so that derivatives stay finite
GROWTH = 1.3  # how far a side is moved out while nothing is known beyond it
PATIENCE = 6  # probes that may pass before the bracket has halved
MOST_PROBES = 20000  # more than patience needs for all exponents there are


class Probe(NamedTuple):
    """What a threshold gives: how many spikes, and the maximum that hangs in the balance."""

    threshold: float
    spikes: int
    excess: float  # of the maximum over the threshold
    slope: float  # derivative of the excess with respect to the threshold
    which: int  # index of the spike on the maximum's flank, or of the one it would be
    when: float  # nan if there is no such maximum within reach
    kind: int


@inlined
def flank_maximum(
    events: Events,
    span: Span,
    e: int,
    a: float,
    b: float,
    weights: Floats,
    m: Membrane,
    top: float,
) -> tuple[float, float, int, float]:
    """First local maximum of V from a rising start in the interval of event e, without resets.

    (a, b) is the state at event e. Returns height, time, kind and the decay of a up to there. A
    flank that reaches `top` is not followed further, and height is then what it reached.
    """
    decay = 1.0
    while True:
        coming = interval_of(events, span, e)
        if not (m.ratio * b * coming.end_s > a * coming.end_m):
            after, height = peak(a, b, m)
            return height, events.times[e] + after, SMOOTH, decay * math.exp(-after * m.rate_m)
        a *= coming.end_m
        b *= coming.end_s
        decay *= coming.end_m
        e += 1
        if e == span.stop:
            return a - b, span.last.end, HORIZON, decay
        g = weights[events.channels[e]]
        if a - b >= top or not (m.ratio * (b + g) > a + g):
            return a - b, events.times[e], CUSP, decay
        a += g
        b += g


@kernel
def top_of(
    a: float, b: float, g: float, interval: Interval, m: Membrane
) -> tuple[float, float, int, float]:
    """Maximum of a rising V within an interval or at its end, where an input g comes.

    Returns height, time, kind and decay as `flank_maximum` does; minus infinity if V rises on.
    """
    a_end = a * interval.end_m
    b_end = b * interval.end_s
    if not (m.ratio * b_end > a_end):
        after, height = peak(a, b, m)
        return height, interval.began + after, SMOOTH, math.exp(-after * m.rate_m)
    if g == -math.inf:  # no input, but the horizon
        return a_end - b_end, interval.end, HORIZON, interval.end_m
    if not (m.ratio * (b_end + g) > a_end + g):
        return a_end - b_end, interval.end, CUSP, interval.end_m
    return -math.inf, math.nan, SMOOTH, 1.0


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
            height, top, its_kind, _ = flank_maximum(
                events, span, e, a, b, weights, m, threshold + least
            )
            if height - threshold < least:
                least, which, when, kind = height - threshold, i, top, its_kind
            a -= threshold * math.exp((spikes[i] - events.times[e]) * m.rate_m)
            i += 1
        a *= coming.end_m
        b *= coming.end_s
    return which, when, kind


@kernel
def probe(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    reach: float,
    m: Membrane,
    out: Floats,
) -> Probe:
    """Simulate, and find the maximum at which the count would change first.

    With room for k spikes in out: if all of them come, that is the flank whose spike is lost
    first if the threshold rises; if not, the maximum that is reached first if it falls. Changes
    of the threshold beyond `reach` are not looked for. One pass does both: the simulation (see
    `simulate`) and `slide`, the derivative of a with respect to the threshold. A spike leaves
    a = b, so that slide depends on the spike's own delay alone from there on.
    """
    channels, decay_m, decay_s = events.channels, events.decay_m, events.decay_s
    ratio = m.ratio
    offset = 1.0 - m.ratio
    a = 0.0
    b = 0.0
    slide = 0.0
    n = 0
    rise = reach  # of the threshold, that loses a spike
    fall = reach
    lost = Probe(threshold, out.size, math.inf, -1.0, 0, math.nan, SMOOTH)
    gained = Probe(threshold, 0, -math.inf, -1.0, 0, math.nan, SMOOTH)
    watch = threshold - fall  # lower maxima would need a greater fall
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    while e < stop:
        while e + ONE < stop:  # a loop of its own keeps all it needs in registers
            g = weights[channels[e]]
            decay = decay_m[e]
            a_end = (a + g) * decay
            b_new = b + g
            if a_end - b_new * (ratio * decay + offset) >= watch:
                break
            a = a_end
            b = b_new * decay_s[e]
            slide *= decay
            e += ONE
        g = weights[channels[e]]
        a += g
        b += g
        coming = span.last
        if e + ONE < stop:
            coming = Interval(events.times[e], events.times[e + ONE], decay_m[e], decay_s[e])
        x, x_m, x_s = next_crossing(a, b, 0.0, 1.0, 1.0, coming, threshold, m)
        while x >= 0.0:
            enough = threshold + rise * (1.0 - slide)
            height, when, kind, decay = flank_maximum(
                events, span, int(np.int64(e)), a, b, weights, m, enough
            )
            slope = slide * decay - 1.0
            if height - threshold < -slope * rise:
                rise = (threshold - height) / slope
                lost = Probe(threshold, out.size, height - threshold, slope, n, when, kind)
            out[n] = coming.began + x
            n += 1
            if n == out.size:
                return lost
            climb = max(b * x_s * m.rate_s - a * x_m * m.rate_m, FLAT * threshold * m.rate_m)
            a = b * x_s / x_m
            slide = max(a * (m.rate_m - m.rate_s) * (1.0 - slide * x_m) / climb, STEEPEST)
            watch = threshold - fall * (1.0 - slide)
            x, x_m, x_s = next_crossing(a, b, x, x_m, x_s, coming, threshold, m)
        a_end = a * coming.end_m
        b_end = b * coming.end_s
        if a > watch and a > 0.0 and ratio * b > a:
            g = weights[channels[e + ONE]] if e + ONE < stop else -math.inf
            height, when, kind, decay = top_of(a, b, g, coming, m)
            slope = slide * decay - 1.0
            if height > 0.0 and threshold - height < -slope * fall:
                fall = (height - threshold) / slope
                gained = Probe(threshold, 0, height - threshold, slope, n, when, kind)
                watch = threshold - fall * (1.0 - slide)
        a = a_end
        b = b_end
        slide *= coming.end_m
        e += ONE
    return Probe(threshold, n, gained.excess, gained.slope, gained.which, gained.when, gained.kind)


@kernel
def newton_step(now: Probe) -> float:
    """Change of the threshold that would just touch the maximum."""
    return -now.excess / now.slope


@kernel
def hermite_step(now: Probe, last: Probe) -> float:
    """The same, by inverse cubic interpolation between two probes of the same maximum."""
    across = now.excess - last.excess
    rest = now.excess / across
    done = 1.0 - rest
    bent = (1.0 + 2.0 * done) * (last.threshold - now.threshold) + done * across / last.slope
    return rest * rest * bent + done * done * newton_step(now)


@kernel
def aimed_step(now: Probe, last: Probe, upwards: bool) -> float:
    """Step from the last probe to a little beyond the critical value, as far as it can be told.

    Beyond it, so that in the end probes lie on both of its sides, a few roundings apart.
    """
    step = newton_step(now)
    doubt = 0.0
    same = now.kind == last.kind and now.which == last.which and now.excess != last.excess
    if same and not math.isnan(last.when):
        better = hermite_step(now, last)
        doubt = DOUBT * abs(better - step)
        step = better
    past = max(doubt, PAST * now.threshold)
    return step + past if upwards else step - past


@kernel
def middle(low: float, high: float, upwards: bool, exactly: bool) -> float:
    """Middle of a bracket; in a wide one, unless exactly, not far from the side probed last."""
    half = low + 0.5 * (high - low)
    if exactly:
        return half
    return min(half, GROWTH * low) if upwards else max(half, high / GROWTH)


@kernel
def narrow(
    events: Events, span: Span, weights: Floats, guess: float, m: Membrane, out: Floats
) -> tuple[Probe, int]:
    """Probe of the largest threshold with out.size spikes, and how many probes it took.

    The threshold is 0 if no positive one has so many. Newton's steps, or better ones, as long as
    they shrink by half and stay in the bracket; the middle of the bracket otherwise.
    """
    low, high = 0.0, math.inf
    found = Probe(0.0, 0, 0.0, -1.0, 0, math.nan, SMOOTH)
    now = found
    trial, reach = guess, FIRST_REACH * guess
    goal, idle, probes = math.inf, 0, 0
    while low < (1.0 - CLOSED) * high and low < trial < high and probes < MOST_PROBES:
        last = now
        now = probe(events, span, weights, trial, reach, m, out)
        probes += 1
        upwards = now.spikes == out.size
        if upwards:
            low, found = trial, now
        else:
            high = trial
        idle += 1
        if high - low <= goal:
            goal, idle = 0.5 * (high - low), 0
        step = math.inf
        if idle <= PATIENCE and not math.isnan(now.when):
            step = aimed_step(now, last, upwards)
        reach = max(0.5 * abs(step), LEAST_REACH * trial)
        trial += step
        if not (trial > low and trial < high):
            trial = middle(low, high, upwards, idle > PATIENCE)
            reach = FIRST_REACH * trial
    if low > 0.0 and (now.spikes < out.size or math.isnan(found.when)):  # out is not low's
        reach = math.inf if math.isnan(found.when) else LEAST_REACH * low
        found = probe(events, span, weights, low, reach, m, out)
        probes += 1
        if math.isnan(found.when):  # V far above th* rounds by more than that reach
            found = probe(events, span, weights, low, math.inf, m, out)
            probes += 1
    return found, probes


@kernel
def critical_near(
    events: Events, span: Span, weights: Floats, guess: float, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """`critical_threshold`, begun at a guess; best at one that is known to give a spike.

    Cost: about seven simulations if the guess gives about as many spikes as are desired.
    """
    if out.size == 1:
        highest, when, kind = free_maximum(events, span, weights, m)
        out[0] = when
        return highest, 0, when, kind
    found, _ = narrow(events, span, weights, guess, m, out)
    return found.threshold, found.which, found.when, found.kind


@kernel
def critical_threshold(
    events: Events, span: Span, weights: Floats, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """Largest threshold, in units of Vn, with at least out.size spikes.

    On return out holds the spikes at that threshold. Returns the threshold (0 if V never leaves
    rest upwards), the index of the critical spike in out, its time t* and the kind of maximum.
    Cost: about ten simulations, each stopped at its out.size-th spike.
    """
    highest, _, _ = free_maximum(events, span, weights, m)
    if highest <= 0.0:
        return 0.0, 0, math.nan, SMOOTH
    return critical_near(events, span, weights, 2.0 * highest / out.size, m, out)


@kernel
def critical_until(
    events: Events, p: int, until: float, weights: Floats, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """`critical_threshold` of pattern p up to a horizon."""
    return critical_threshold(events, span_until(events, p, until, m), weights, m, out)
