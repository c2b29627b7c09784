"""The hidden layer's response to one pattern, and its order of arrival at an output neuron."""

from __future__ import annotations

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing
from linspike.kernels.network.protocol import HiddenConstants, HiddenSpikes
from linspike.kernels.simulation.event_loop import simulate
from linspike.kernels.simulation.events import Events, fill_decays, span_until
from linspike.kernels.simulation.membrane import Membrane

MOST_SPIKES = 64  # of a hidden neuron in a pattern


@borrowing
def number_of(p: int, h: int, n_hidden: int, is_delayed: bool) -> int:
    """Return which pattern of the events hidden neuron h sees: with delays each sees its own."""
    return p * n_hidden + h if is_delayed else p


@borrowing
def respond_hidden(
    events: Events,
    p: int,
    is_delayed: bool,
    until: float,
    hidden: HiddenConstants,
    weights: Floats,
    spikes: HiddenSpikes,
) -> tuple[int, bool]:
    """Fill times, offsets and neuron with the spikes of the hidden layer; return how many.

    Also returns whether these are all. A neuron may have MOST_SPIKES, all together the size of the
    arrays; what exceeds that is left out. Cost: a simulation per hidden neuron.
    """
    n_hidden = weights.shape[0]
    threshold = hidden.threshold / hidden.v_norm
    n = 0
    is_whole = True
    for h in range(n_hidden):
        number = number_of(p, h, n_hidden, is_delayed)
        span = span_until(events, number, until, hidden.m)
        room = min(MOST_SPIKES, spikes.times.size - n)
        out = spikes.times[n : n + room]
        found, _ = simulate(events, span, weights[h], threshold, hidden.m, out)
        is_whole &= found < room
        for j in range(n, n + found):
            spikes.neuron[j] = h
        n += found
        spikes.offsets[h + 1] = n
    return n, is_whole


@borrowing
def merge(keys: Floats, source: Ints, first: int, middle: int, stop: int, out: Ints) -> None:
    """Merge two sorted runs of indices into out; on equal keys the first run goes first."""
    i, j = first, middle
    for place in range(first, stop):
        if i < middle and (j == stop or keys[source[i]] <= keys[source[j]]):
            out[place] = source[i]
            i += 1
        else:
            out[place] = source[j]
            j += 1


@borrowing
def sort_stably(keys: Floats, n: int, order: Ints, scratch: Ints) -> None:
    """Fill order with the indices that sort the first n keys: merge sort, bottom up."""
    for i in range(n):
        order[i] = i
    width = 1
    while width < n:
        for first in range(0, n, 2 * width):
            middle, stop = min(first + width, n), min(first + 2 * width, n)
            merge(keys, order, first, middle, stop, scratch)
        for i in range(n):
            order[i] = scratch[i]
        width *= 2


@borrowing
def arrange_arrivals(
    spikes: HiddenSpikes, n: int, delays: Floats, duration: float, m: Membrane
) -> None:
    """Fill events and spike_of: hidden spikes in the order in which they reach an output neuron.

    delays has one entry per hidden neuron, or none; m is the membrane of the output neuron.
    """
    arrivals, events = spikes.slopes, spikes.events  # slopes are filled later
    for j in range(n):
        arrivals[j] = spikes.times[j]
        if delays.size > 0:
            arrivals[j] += delays[spikes.neuron[j]]
    sort_stably(arrivals, n, spikes.spike_of, spikes.sorting)
    for e in range(n):
        j = spikes.spike_of[e]
        events.times[e] = arrivals[j]
        events.channels[e] = spikes.neuron[j]
    events.offsets[1] = n
    # Delayed spikes may come after the duration: the table of decays reaches to the last of them.
    events.durations[0] = duration
    if n > 0:
        events.durations[0] = max(duration, events.times[n - 1])
    fill_decays(events.times, events.offsets, events.durations, m, events.decay_m, events.decay_s)
