"""Input spikes of many patterns as flat arrays, with the decays between them computed once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import inlined, kernel
from linspike.kernels.simulation.membrane import Interval, Membrane


class Events(NamedTuple):
    """Events of all patterns one after another; pattern p is offsets[p]:offsets[p + 1].

    Entry e of decay_m and decay_s is the decay from event e to the next event of its pattern,
    for the last one to the pattern's duration. Channels are unsigned, which spares every look-up
    the question whether it counts from the end. Arrays are C-contiguous and writable, so that
    every kernel has one compiled version.
    """

    times: Floats
    channels: npt.NDArray[np.uint32]
    offsets: Ints
    durations: Floats
    decay_m: Floats
    decay_s: Floats


class Span(NamedTuple):
    """The events of one pattern up to a horizon, and the interval after the last of them."""

    first: int
    stop: int
    last: Interval


@kernel
def fill_decays(
    times: Floats, offsets: Ints, durations: Floats, m: Membrane, decay_m: Floats, decay_s: Floats
) -> None:
    """Write the decays of `Events` for all patterns."""
    for p in range(durations.size):
        for e in range(offsets[p], offsets[p + 1]):
            following = times[e + 1] if e + 1 < offsets[p + 1] else durations[p]
            gap = following - times[e]
            decay_m[e] = math.exp(-gap * m.rate_m)
            decay_s[e] = math.exp(-gap * m.rate_s)


@inlined
def span_until(events: Events, p: int, until: float, m: Membrane) -> Span:
    """Events of pattern p before the horizon; an input at the horizon has no effect by then."""
    first = events.offsets[p]
    stop = events.offsets[p + 1]
    while stop > first and events.times[stop - 1] >= until:
        stop -= 1
    if stop == first:
        return Span(first, stop, Interval(0.0, until, 0.0, 0.0))
    began = events.times[stop - 1]
    if until == events.durations[p] and stop == events.offsets[p + 1]:
        last = Interval(began, until, events.decay_m[stop - 1], events.decay_s[stop - 1])
        return Span(first, stop, last)
    length = until - began
    end_m = math.exp(-length * m.rate_m)
    end_s = math.exp(-length * m.rate_s)
    return Span(first, stop, Interval(began, until, end_m, end_s))


@inlined
def interval_of(events: Events, span: Span, e: int) -> Interval:
    """The interval that event e opens."""
    if e == span.stop - 1:
        return span.last
    return Interval(events.times[e], events.times[e + 1], events.decay_m[e], events.decay_s[e])
