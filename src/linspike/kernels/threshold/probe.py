"""One simulation at a trial threshold that also finds the maximum at which the count changes first.

At the critical threshold one spike only just happens. From below, that is the spike whose maximum
of V exceeds the threshold least; from above, it is the maximum that comes closest without a spike.
The excess E of that maximum, (44), depends smoothly on the threshold through the spikes before it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats
from linspike.kernels.jit import inlined, kernel
from linspike.kernels.simulation.event_loop import crossing_after_reset, next_candidate
from linspike.kernels.simulation.events import ONE, Events, Span, interval_of
from linspike.kernels.simulation.membrane import Membrane, next_crossing
from linspike.kernels.threshold.maxima import SMOOTH, Maximum, flank_maximum, interval_maximum

FLAT = 1e-12  # thresholds per tau_m; a spike that only touches has no slope, and no derivative
STEEPEST = -1.0 / FLAT  # so that derivatives stay finite


class Probe(NamedTuple):
    """Spikes at a trial threshold, and the maximum of V at which their number changes first."""

    threshold: float
    spikes: int
    excess: float  # E of (44): the maximum less the threshold
    slope: float  # dE/dth of (45)
    which: int  # index of the spike that is lost, or of the one that is gained
    when: float  # time of the maximum; nan if there is none within the range searched
    kind: int


@inlined
def probe_of(top: Maximum, threshold: float, spikes: int, a_th: float, which: int) -> Probe:
    """Return the probe for a maximum, with its excess (44) and that excess's derivative (45)."""
    slope = a_th * top.decay - 1.0
    return Probe(threshold, spikes, top.height - threshold, slope, which, top.time, top.kind)


@kernel
def newton_step(now: Probe) -> float:
    """Return the change of the threshold after which V just touches it: Newton's step for (44)."""
    return -now.excess / now.slope


@kernel
def reset_sensitivity(
    a: float, b: float, x_m: float, x_s: float, a_th: float, threshold: float, m: Membrane
) -> float:
    """Return da/dth after the reset of a spike with decays x_m and x_s: (46) and (47)."""
    slope = max(b * x_s * m.rate_s - a * x_m * m.rate_m, FLAT * threshold * m.rate_m)
    return max(b * x_s / x_m * (m.rate_m - m.rate_s) * (1.0 - a_th * x_m) / slope, STEEPEST)


@kernel
def probe(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    max_change: float,
    m: Membrane,
    out: Floats,
) -> Probe:
    """Simulate, and find the maximum at which the count would change first.

    With k places in out: if all k spikes come, that is the maximum of the spike that is lost first
    when the threshold rises; if not, the maximum that is reached first when it falls. Changes of
    the threshold beyond `max_change` are not looked for. One pass does both: the simulation, as in
    `simulate`, and the derivative a_th of a with respect to the threshold.
    """
    a, b, a_th = 0.0, 0.0, 0.0
    n = 0
    rise, fall = max_change, max_change  # smallest known changes that lose or gain a spike
    lost = Probe(threshold, out.size, math.inf, -1.0, 0, math.nan, SMOOTH)
    gained = Probe(threshold, 0, -math.inf, -1.0, 0, math.nan, SMOOTH)
    # When the threshold falls by `fall` a maximum rises, to first order, by -fall * a_th at most
    # (a_th <= 0): one below this level is not reached.
    level = threshold - fall
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    while e < stop:
        e, a, b, a_th = next_candidate(events, stop, weights, e, a, b, a_th, level, m)
        coming = interval_of(events, span, e)
        x, x_m, x_s = next_crossing(a, b, 0.0, 1.0, 1.0, coming, threshold, m)
        while x >= 0.0:
            # A flank this high is lost only by a greater rise than the smallest one known.
            enough = threshold + rise * (1.0 - a_th)
            top = flank_maximum(events, span, e, a, b, weights, m, enough)
            here = probe_of(top, threshold, out.size, a_th, n)
            if here.excess < -here.slope * rise:
                rise, lost = newton_step(here), here
            out[n] = coming.began + x
            n += 1
            if n == out.size:
                return lost
            a_th = reset_sensitivity(a, b, x_m, x_s, a_th, threshold, m)
            level = threshold - fall * (1.0 - a_th)
            a, x, x_m, x_s = crossing_after_reset(b, x, x_m, x_s, coming, threshold, m)
        if a > level and a > 0.0 and m.ratio * b > a:  # V rises after its last spike here
            g = weights[events.channels[e + ONE]] if e + ONE < stop else -math.inf
            top = interval_maximum(a, b, g, coming, m)
            here = probe_of(top, threshold, 0, a_th, n)
            if top.height > 0.0 and -here.excess < -here.slope * fall:
                fall, gained = -newton_step(here), here
                level = threshold - fall * (1.0 - a_th)
        a *= coming.end_m
        b *= coming.end_s
        a_th *= coming.end_m
        e += ONE
    return Probe(threshold, n, gained.excess, gained.slope, gained.which, gained.when, gained.kind)
