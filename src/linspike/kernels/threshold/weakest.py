"""The weakest of the spikes that a neuron fires: by its flank's height, or by its slope."""

from __future__ import annotations

import math

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, interval_of
from linspike.kernels.simulation.membrane import Membrane
from linspike.kernels.threshold.maxima import SMOOTH, flank_maximum


@kernel
def lowest_peak(
    events: Events, span: Span, weights: Floats, threshold: float, m: Membrane, spikes: Floats
) -> tuple[int, float, int]:
    """Return the spike that is lost first if the threshold rises, with its maximum's time and kind.

    Replays the spikes that this threshold gives and follows V from each, without its own reset,
    to its first maximum; the spike with the least excess over the threshold is the weakest.
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
            # A flank above threshold + least cannot have the least excess: not followed on.
            top = flank_maximum(events, span, e, a, b, weights, m, threshold + least)
            if top.height - threshold < least:
                least, which, when, kind = top.height - threshold, i, top.time, top.kind
            # The reset as if it had been in a of (5) from the interval's beginning.
            a -= threshold * math.exp((spikes[i] - events.times[e]) * m.rate_m)
            i += 1
        a *= coming.end_m
        b *= coming.end_s
    return which, when, kind


@kernel
def smallest_slope(
    events: Events,
    span: Span,
    weights: Floats,
    threshold: float,
    m: Membrane,
    spikes: Floats,
) -> int:
    """Return the index of the spike at which V crosses the threshold most slowly."""
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
        # Decay from spike to spike; V' of (6) just before the reset takes th from a.
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
