"""The membrane between two events, in closed form.

Everything is in units of the PSP's normalisation Vn, so an input of weight w adds w itself. From
an event on, with x the time since it, V is (5) of docs/theory.md:

    V(x) = a exp(-x/tau_m) - b exp(-x/tau_s).

An input adds w to a and to b. A spike sets V to 0: b is unchanged, and a becomes equal to b at that
moment. V can rise to a positive threshold only while a > threshold and b/tau_s > a/tau_m; once V
falls it falls until the next input, because the b term decays faster.

Nothing here takes an array. A call that passes arrays on counts references to each, atomically:
that would cost more than finding a spike, and make threads wait for one another. So the loops
over spikes stand in the functions that own the arrays.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from linspike.kernels.jit import borrowing

# A step this small, relative to tau_s and to the curvature, leaves a fourth-order error below
# one rounding of the spike time, so no further exponentials are needed.
LAST_STEP = 2e-4
MOST_STEPS = 200
NO_SPIKE = -1.0
NEAR = 0.3  # in tau_s: longest first guess that one Householder step may give
NEARLY = 1e-9  # relative; an interval that ends this close below threshold is searched too


class Membrane(NamedTuple):
    """Time constants as the kernels use them (made by `membrane`, all floats)."""

    rate_m: float  # 1/tau_m
    rate_s: float  # 1/tau_s
    ratio: float  # tau_m/tau_s
    peak_exponent: float  # tau_s/(tau_m - tau_s)


class Interval(NamedTuple):
    """The time between two events, or from the last one to the horizon."""

    began: float
    end: float
    end_m: float  # decays over its whole length
    end_s: float


def membrane(tau_m: float, tau_s: float) -> Membrane:
    """Return the constants of a membrane with these time constants, tau_s < tau_m."""
    return Membrane(1.0 / tau_m, 1.0 / tau_s, tau_m / tau_s, tau_s / (tau_m - tau_s))


@borrowing
def slope_step(f: float, a: float, b: float, m: Membrane) -> tuple[float, float, float]:
    """Return the third-order Householder step towards V = threshold.

    f is V - threshold where the two terms of V are a and b. Returns the step to subtract from
    x, the slope (6) and the curvature there.
    """
    slope = b * m.rate_s - a * m.rate_m
    a2 = a * m.rate_m * m.rate_m
    b2 = b * m.rate_s * m.rate_s
    curvature = a2 - b2
    third = b2 * m.rate_s - a2 * m.rate_m
    # Ratios first: powers of the slope would overflow or vanish for extreme thresholds.
    q = f / slope
    c = q * (curvature / slope)
    t = q * q * (third / slope) * (1.0 / 6.0)
    return q * (1.0 - 0.5 * c) / (1.0 - c + t), slope, curvature


@borrowing
def peak(a: float, b: float, m: Membrane) -> tuple[float, float]:
    """Return time (7) and height (8) of the maximum of V, for a > 0 and b/tau_s > a/tau_m."""
    y = math.log(m.ratio * b / a) * m.peak_exponent
    return y / m.rate_m, a * math.exp(-y) * (1.0 - 1.0 / m.ratio)


@borrowing
def first_guess(a0: float, b0: float, threshold: float, m: Membrane) -> float:
    """Estimate the time from a state with terms a0, b0 of V until the threshold is reached.

    If it is near, one Householder step; if not, a parabola with the maximum of V as its vertex.
    """
    f0 = a0 - b0 - threshold
    ahead = -slope_step(f0, a0, b0, m)[0]
    if ahead >= 0.0 and ahead * m.rate_s < NEAR:
        return ahead
    top, height = peak(a0, b0, m)
    # Where the slopes of the two parts cancel, the curvature follows from the height.
    curvature = height * m.rate_m * m.rate_s
    return top - math.sqrt(max(0.0, 2.0 * (height - threshold) / curvature))


@borrowing
def refine_crossing(
    a: float, b: float, start: float, guess: float, threshold: float, m: Membrane
) -> tuple[float, float, float]:
    """Find the first root of V = threshold after `start`, where V is below it and will reach it.

    Returns the root with exp(-x/tau_m) and exp(-x/tau_s) there. Steps that leave the bracket
    between `start` and the maximum are replaced by halving, so it always ends. Nothing here
    depends on when the next event comes: the same spike has the same bits for any horizon.
    """
    low = start
    high = math.inf
    x = guess
    if not (x > low):
        x = low
    decay_m = 1.0
    decay_s = 1.0
    # Bracketed Householder iteration on (5); the last step updates the decays by their series.
    for _ in range(MOST_STEPS):
        decay_m = math.exp(-x * m.rate_m)
        decay_s = math.exp(-x * m.rate_s)
        f = a * decay_m - b * decay_s - threshold
        step, slope, curvature = slope_step(f, a * decay_m, b * decay_s, m)
        if abs(step) * m.rate_s < LAST_STEP and abs(step * curvature) < LAST_STEP * slope:
            y = step * m.rate_m
            decay_m *= 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0)))
            y = step * m.rate_s
            decay_s *= 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0)))
            return x - step, decay_m, decay_s
        if slope > 0.0 and f < 0.0:
            low = x
        else:
            high = x
        tried = x - step
        if not (slope > 0.0 and tried > low and tried < high):
            if high == math.inf:
                high = peak(a, b, m)[0]
            tried = 0.5 * (low + high)
            if tried <= low or tried >= high:
                break
        x = tried
    return x, decay_m, decay_s


@borrowing
def next_crossing(
    a: float,
    b: float,
    start: float,
    start_m: float,
    start_s: float,
    interval: Interval,
    threshold: float,
    m: Membrane,
) -> tuple[float, float, float]:
    """Find the first time after `start`, within the interval, at which V reaches the threshold.

    Times count from the interval's beginning, where the state is (a, b); start_m, start_s are
    the decays at `start`. Returns the time and the decays there, or NO_SPIKE. Reaching counts:
    so does a maximum that only touches the threshold, and a crossing exactly at the interval's
    end. No exponential is spent on an interval without a crossing, unless it holds a maximum.
    """
    a0 = a * start_m
    b0 = b * start_s
    if not (a0 > threshold and m.ratio * b0 > a0):
        return NO_SPIKE, 0.0, 0.0
    if a0 - b0 >= threshold:  # rounding let the last interval end at the threshold
        return start, start_m, start_s
    a1 = a * interval.end_m
    b1 = b * interval.end_s
    if m.ratio * b1 > a1:  # V still rises at the end
        if a1 - b1 - threshold < -NEARLY * a1:
            return NO_SPIKE, 0.0, 0.0
    elif peak(a, b, m)[1] < threshold:
        return NO_SPIKE, 0.0, 0.0
    guess = start + first_guess(a0, b0, threshold, m)
    x, decay_m, decay_s = refine_crossing(a, b, start, guess, threshold, m)
    if interval.began + x > interval.end:  # decided here, where rounding cannot matter twice
        return NO_SPIKE, 0.0, 0.0
    return x, decay_m, decay_s
