"""Input spikes of many patterns as flat arrays, with the decays between them computed once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.simulation.arrivals import Numbers, SortSpace, fill_arrived
from linspike.kernels.simulation.membrane import Interval, Membrane

# Unsigned indices cannot be negative, so a loop carries no code for counting from the end: a third
# of its instructions. A plain 1 would turn an unsigned number into a float.
ONE = np.uint64(1)
SHORT = 0.25  # gaps in tau_s whose decays are a short series


class Events(NamedTuple):
    """Events of all patterns one after another; pattern p is offsets[p]:offsets[p + 1].

    Entry e of decay_m and decay_s is the decay from event e to the next event of its pattern,
    for the last one to the pattern's duration, or 1 if it arrives later. Channels are unsigned, so
    that look-ups carry no code for counting from the end. Arrays are C-contiguous and writable, so
    that every kernel has one compiled version.
    """

    times: Floats
    channels: Numbers
    offsets: Ints
    durations: Floats
    decay_m: Floats
    decay_s: Floats


class Presented(NamedTuple):
    """The pattern that is presented. Where its set has tables, events are those of the set."""

    events: Events  # scratch space for one pattern, which is under its own number
    number: Ints  # (1,), that number, -1 before the first; empty where the set has tables
    space: SortSpace  # for delays, empty without
    short: bool  # whether decays are those of `fill_short_decays`


class Span(NamedTuple):
    """The events of one pattern up to a horizon, and the interval after the last of them."""

    first: int
    stop: int
    last: Interval


@borrowing
def fill_decays(
    times: Floats, offsets: Ints, durations: Floats, m: Membrane, decay_m: Floats, decay_s: Floats
) -> None:
    """Write the decays of `Events` for all patterns."""
    # exp(-gap/tau) of the two terms of (5) over each gap; every simulation reads them again.
    for p in range(durations.size):
        for e in range(offsets[p], offsets[p + 1]):
            following = times[e + 1] if e + 1 < offsets[p + 1] else max(durations[p], times[e])
            gap = following - times[e]
            decay_m[e] = math.exp(-gap * m.rate_m)
            decay_s[e] = math.exp(-gap * m.rate_s)


@borrowing
def fill_short_decays(
    times: Floats, end: float, m: Membrane, decay_m: Floats, decay_s: Floats, long: Numbers
) -> None:
    """Write the decays of one pattern, to rounding: most gaps are short, and their series shorter.

    Not to the last bit those of `fill_decays`. Without branches the loops are vector code, four
    times as fast: patterns with delays that are learned need new decays at every presentation.
    long is scratch space for the numbers of the gaps that need exponentials.
    """
    n = times.size
    if n == 0:
        return
    fill_series(times, m, decay_m, decay_s)
    longest = SHORT / m.rate_s
    k = 0
    for e in range(n - 1):
        long[k] = e
        k += times[e + 1] - times[e] > longest
    for i in range(k):
        e = long[i]
        gap = times[e + ONE] - times[e]
        decay_m[e] = math.exp(-gap * m.rate_m)
        decay_s[e] = math.exp(-gap * m.rate_s)
    gap = max(0.0, end - times[n - 1])
    decay_m[n - 1] = math.exp(-gap * m.rate_m)
    decay_s[n - 1] = math.exp(-gap * m.rate_s)


@inlined
def fill_series(times: Floats, m: Membrane, decay_m: Floats, decay_s: Floats) -> None:
    """Write the decays over the short gaps between events by the power series of exp."""
    for e in range(times.size - 1):
        gap = -(times[e + 1] - times[e])
        decay_m[e] = short_exp(gap * m.rate_m)
        decay_s[e] = short_exp(gap * m.rate_s)


@inlined
def short_exp(x: float) -> float:
    """Return exp(x) for x from -SHORT to 0, to rounding."""
    # Horner's scheme of the series up to x^12/12!: the rest is under 1e-17.
    y = 1.0 + x * (1.0 / 12.0)
    y = 1.0 + x * y * (1.0 / 11.0)
    y = 1.0 + x * y * (1.0 / 10.0)
    y = 1.0 + x * y * (1.0 / 9.0)
    y = 1.0 + x * y * (1.0 / 8.0)
    y = 1.0 + x * y * (1.0 / 7.0)
    y = 1.0 + x * y * (1.0 / 6.0)
    y = 1.0 + x * y * (1.0 / 5.0)
    y = 1.0 + x * y * (1.0 / 4.0)
    y = 1.0 + x * y * (1.0 / 3.0)
    y = 1.0 + x * y * 0.5
    return 1.0 + x * y


@borrowing
def forget(presented: Presented) -> None:
    """Let `present` prepare the next pattern anew: delays have changed."""
    if presented.number.size > 0:
        presented.number[0] = -1


@borrowing
def present(events: Events, p: int, delays: Floats, m: Membrane, presented: Presented) -> None:
    """Make pattern p the one that is presented: copy its inputs and fill their decays.

    Nothing is done for a set with tables, or if the pattern is there already: see `forget`. delays
    has one entry per channel, or none.
    """
    if presented.number.size == 0 or presented.number[0] == p:
        return
    first, stop = events.offsets[p], events.offsets[p + 1]
    n, shown = stop - first, presented.events
    times, channels = shown.times[:n], shown.channels[:n]
    if delays.size > 0:
        sent_times, sent_channels = events.times[first:stop], events.channels[first:stop]
        fill_arrived(sent_times, sent_channels, delays, presented.space, times, channels)
    else:
        for e in range(n):
            times[e], channels[e] = events.times[first + e], events.channels[first + e]
    shown.offsets[p], shown.offsets[p + 1] = 0, n
    if presented.short:
        decay_m, decay_s, long = shown.decay_m[:n], shown.decay_s[:n], presented.space.keys
        fill_short_decays(times, events.durations[p], m, decay_m, decay_s, long)
    else:
        offsets, durations = shown.offsets[p : p + 2], events.durations[p : p + 1]
        fill_decays(times, offsets, durations, m, shown.decay_m, shown.decay_s)
    presented.number[0] = p


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
