"""Critical thresholds: the largest threshold (and reset) with at least k spikes.

Raising the threshold never raises the count, so a bracket is safe. `probe` gives, from either side
of the critical value, the excess of the maximum at which the count changes and its derivative. So
Newton's method on (44) finds the value, with bisection where it does not converge.
"""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, span_until
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.maxima import SMOOTH, free_maximum
from linspike.kernels.threshold.probe import Probe, newton_step, probe

ROUNDING = 2.0**-52
CLOSED = 8.0 * ROUNDING  # relative width at which the bracket around a critical value is closed
OVERSHOOT = 3.0 * ROUNDING  # steps go at least this far beyond the root, to end on its other side
OVERSHOOT_SHARE = 0.1  # and by this share of what the curvature contributed to the step
FIRST_CHANGE = 0.2  # of the guess: range in which a critical value is looked for at first
LEAST_CHANGE = 1e-13  # relative
GROWTH = 1.3  # factor by which an open side of the bracket is moved out
PATIENCE = 6  # probes that may pass before the bracket has halved
MOST_PROBES = 20000  # more than bisection needs for all exponents there are


@kernel
def hermite_step(now: Probe, last: Probe) -> float:
    """Return a better step: inverse cubic interpolation of (44) between two probes of a maximum."""
    across = now.excess - last.excess
    rest = now.excess / across
    done = 1.0 - rest
    cubic = (1.0 + 2.0 * done) * (last.threshold - now.threshold) + done * across / last.slope
    return rest * rest * cubic + done * done * newton_step(now)


@kernel
def step_beyond_root(now: Probe, last: Probe, upwards: bool) -> float:
    """Return the step from the last probe to a little beyond the estimated critical value.

    Beyond it, so that in the end probes lie on both of its sides, a few roundings apart.
    """
    step = newton_step(now)
    uncertainty = 0.0
    same = now.kind == last.kind and now.which == last.which and now.excess != last.excess
    if same and not math.isnan(last.when):
        better = hermite_step(now, last)
        uncertainty = OVERSHOOT_SHARE * abs(better - step)
        step = better
    overshoot = max(uncertainty, OVERSHOOT * now.threshold)
    return step + overshoot if upwards else step - overshoot


@kernel
def bisect(low: float, high: float, upwards: bool, exactly: bool) -> float:
    """Return the middle of a bracket; if it is wide, unless exactly, near the side probed last."""
    half = low + 0.5 * (high - low)
    if exactly:
        return half
    return min(half, GROWTH * low) if upwards else max(half, high / GROWTH)


@kernel
def find_critical(
    events: Events, span: Span, weights: Floats, guess: float, m: Membrane, out: Floats
) -> tuple[Probe, int]:
    """Return the probe of the largest threshold with out.size spikes, and the number of probes.

    The threshold is 0 if no positive one has so many spikes.
    """
    low, high = 0.0, math.inf
    found = Probe(0.0, 0, 0.0, -1.0, 0, math.nan, SMOOTH)
    now = found
    trial, max_change = guess, FIRST_CHANGE * guess
    next_width, idle, probes = math.inf, 0, 0
    # Root of (44) in a bracket: enough spikes at low, too few at high. Steps that leave the
    # bracket, or PATIENCE of them that do not halve it, give way to bisection.
    while low < (1.0 - CLOSED) * high and low < trial < high and probes < MOST_PROBES:
        last = now
        now = probe(events, span, weights, trial, max_change, m, out)
        probes += 1
        upwards = now.spikes == out.size
        if upwards:
            low, found = trial, now
        else:
            high = trial
        idle += 1
        if high - low <= next_width:
            next_width, idle = 0.5 * (high - low), 0
        step = math.inf
        if idle <= PATIENCE and not math.isnan(now.when):
            step = step_beyond_root(now, last, upwards)
        # The next probe looks half a step around itself: the root should be nearer than that.
        max_change = max(0.5 * abs(step), LEAST_CHANGE * trial)
        trial += step
        if not (trial > low and trial < high):
            trial = bisect(low, high, upwards, idle > PATIENCE)
            max_change = FIRST_CHANGE * trial
    # The last probe may have been one above: probe low again, so that out holds its spikes.
    if low > 0.0 and (now.spikes < out.size or math.isnan(found.when)):
        max_change = math.inf if math.isnan(found.when) else LEAST_CHANGE * low
        found = probe(events, span, weights, low, max_change, m, out)
        probes += 1
        if math.isnan(found.when):  # V far above th* rounds by more than that change
            found = probe(events, span, weights, low, math.inf, m, out)
            probes += 1
    return found, probes


@kernel
def critical_near(
    events: Events, span: Span, weights: Floats, guess: float, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """`critical_threshold`, started at a guess; best at one that is known to give a spike.

    Cost: about seven simulations if the guess gives about as many spikes as are desired.
    """
    if out.size == 1:
        highest, when, kind = free_maximum(events, span, weights, m)
        out[0] = when
        return highest, 0, when, kind
    found, _ = find_critical(events, span, weights, guess, m, out)
    return found.threshold, found.which, found.when, found.kind


@kernel
def critical_threshold(
    events: Events, span: Span, weights: Floats, m: Membrane, out: Floats
) -> tuple[float, int, float, int]:
    """Return the largest threshold, in units of Vn, with at least out.size spikes.

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
