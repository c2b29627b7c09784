"""Input spikes of many patterns as flat arrays, with the decays between them computed once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import inlined, kernel
from linspike.kernels.simulation.membrane import Interval, Membrane

# Unsigned indices cannot be negative, so a loop carries no code for counting from the end: a third
# of its instructions. A plain 1 would turn an unsigned number into a float.
ONE = np.uint64(1)


class Events(NamedTuple):
    """Events of all patterns one after another; pattern p is offsets[p]:offsets[p + 1].

    Entry e of decay_m and decay_s is the decay from event e to the next event of its pattern,
    for the last one to the pattern's duration. Channels are unsigned, so that look-ups carry no
    code for counting from the end. Arrays are C-contiguous and writable, so that every kernel has
    one compiled version.
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
    # exp(-gap/tau) of the two terms of (5) over each gap; every simulation reads them again.
    for p in range(durations.size):
        for e in range(offsets[p], offsets[p + 1]):
            following = times[e + 1] if e + 1 < offsets[p + 1] else durations[p]
            gap = following - times[e]
            decay_m[e] = math.exp(-gap * m.rate_m)
            decay_s[e] = math.exp(-gap * m.rate_s)


@inlined
def span_until(events: Events, p: int, until: float, m: Membrane) -> Span:
    """Return the events of pattern p before the horizon, and the interval that ends there."""
    first = events.offsets[p]
    stop = events.offsets[p + 1]
    # An input at the horizon has no effect by then: lam(0) = 0 in (1).
    while stop > first and events.times[stop - 1] >= until:
        stop -= 1
    if stop == first:
        return Span(first, stop, Interval(0.0, until, 0.0, 0.0))
    began = events.times[stop - 1]
    # The table has the decays up to the duration; other horizons need two exponentials.
    if until == events.durations[p] and stop == events.offsets[p + 1]:
        last = Interval(began, until, events.decay_m[stop - 1], events.decay_s[stop - 1])
        return Span(first, stop, last)
    length = until - began
    end_m = math.exp(-length * m.rate_m)
    end_s = math.exp(-length * m.rate_s)
    return Span(first, stop, Interval(began, until, end_m, end_s))


@inlined
def interval_of(events: Events, span: Span, e: int | np.uint64) -> Interval:
    """Return the interval that event e opens."""
    following = np.uint64(e) + ONE
    if following == np.uint64(span.stop):
        return span.last
    return Interval(events.times[e], events.times[following], events.decay_m[e], events.decay_s[e])
