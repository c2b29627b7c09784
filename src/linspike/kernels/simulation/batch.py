"""Many neurons answer the same patterns: the decays are shared, the state is vectorised.

Neurons go in blocks of at most 64. The loop over a block updates every state and asks each
whether the coming interval may hold a spike; only those that may are looked at one by one.
Testing the *coming* interval means that no earlier state has to be kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats
from linspike.kernels.jit import kernel
from linspike.kernels.simulation.events import Events, Span, span_until
from linspike.kernels.simulation.membrane import Interval, Membrane, next_crossing
from linspike.kernels.simulation.single import simulate

BLOCK = 64  # one word of alarm bits; this width compiles to vector code
ONE_BY_ONE = 3  # up to so many neurons the plain loop is faster

# Alarm bits; plain integers would turn unsigned ones into floats. A de Bruijn number holds every
# pattern of six bits once, so multiplying it by a lone bit brings that bit's number to the top.
NONE, ONE, TOP_BITS = np.uint64(0), np.uint64(1), np.uint64(58)
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
BIT_NUMBER = np.zeros(64, np.uint8)
BIT_NUMBER[[((int(DE_BRUIJN) << bit) % 2**64) >> 58 for bit in range(64)]] = np.arange(64)


class Spikes(NamedTuple):
    """Growing list of spikes in the order they were found."""

    times: Floats
    neurons: npt.NDArray[np.int32]


class Block(NamedTuple):
    """State of one block of neurons."""

    a: Floats
    b: Floats
    counts: npt.NDArray[np.int64]
    weights: Floats  # (channels, neurons), contiguous


@kernel
def run_block(
    events: Events, span: Span, block: Block, threshold: float, m: Membrane, found: Spikes, cap: int
) -> int:
    """Spikes of one block in one span, written to found; returns how many.

    Stops early when found is full. A neuron that reaches its cap is silenced by a state of
    minus infinity. The arithmetic is that of `simulate`, operation by operation.
    """
    a, b, counts, weights = block.a, block.b, block.counts, block.weights
    times, neurons = found.times, found.neurons
    before_m = 0.0
    before_s = 0.0
    n = 0
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    while e < stop:
        end_m = events.decay_m[e]
        end_s = events.decay_s[e]
        if e + ONE == stop:
            end_m = span.last.end_m
            end_s = span.last.end_s
        slack = m.ratio * end_m + (1.0 - m.ratio)
        c = events.channels[e]
        alarms = NONE
        if a.size == BLOCK:
            for j in range(BLOCK):
                x = a[j] * before_m + weights[c, j]
                y = b[j] * before_s + weights[c, j]
                alarms |= np.uint64(x * end_m - y * slack >= threshold) << np.uint64(j)
                a[j] = x
                b[j] = y
        else:
            raised = 0
            for j in range(a.size):
                x = a[j] * before_m + weights[c, j]
                y = b[j] * before_s + weights[c, j]
                raised += x * end_m - y * slack >= threshold
                a[j] = x
                b[j] = y
            if raised > 0:
                for j in range(a.size):
                    alarm = a[j] * end_m - b[j] * slack >= threshold
                    alarms |= np.uint64(alarm) << np.uint64(j)
        before_m = end_m
        before_s = end_s
        while alarms != NONE:
            lowest = alarms & (~alarms + ONE)
            alarms ^= lowest
            j = BIT_NUMBER[(lowest * DE_BRUIJN) >> TOP_BITS]
            coming = span.last
            if e + ONE != stop:
                coming = Interval(events.times[e], events.times[e + ONE], end_m, end_s)
            x, x_m, x_s = next_crossing(a[j], b[j], 0.0, 1.0, 1.0, coming, threshold, m)
            while x >= 0.0 and n < times.size and counts[j] < cap:
                times[n] = coming.began + x
                neurons[n] = j
                n += 1
                counts[j] += 1
                a[j] = b[j] * x_s / x_m
                if not (a[j] * end_m - b[j] * slack >= threshold):
                    break
                x, x_m, x_s = next_crossing(a[j], b[j], x, x_m, x_s, coming, threshold, m)
            if n == times.size:
                return n
            if counts[j] == cap:
                a[j] = -np.inf
        e += ONE
    return n


@kernel
def respond_block(
    events: Events,
    patterns: tuple[int, int],
    until: Floats,
    block: Block,
    threshold: float,
    m: Membrane,
    found: Spikes,
    counts: npt.NDArray[np.int64],
    finite: npt.NDArray[np.bool_],
    cap: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """Answers of one block to patterns[0] up to patterns[1].

    counts and finite are (patterns, neurons of the block), filled as patterns are finished;
    until and cap hold one value a pattern. Returns the pattern that no longer fitted into found
    (or patterns[1]) and the number of spikes found before it.
    """
    total = 0
    for p in range(patterns[0], patterns[1]):
        room = Spikes(found.times[total:], found.neurons[total:])
        block.a[:] = 0.0
        block.b[:] = 0.0
        block.counts[:] = 0
        span = span_until(events, p, until[p], m)
        n = run_block(events, span, block, threshold, m, room, cap[p])
        if n == room.times.size:
            return p, total
        counts[p] = block.counts
        for j in range(block.a.size):
            finite[p, j] = np.isfinite(block.a[j] - block.b[j])
        total += n
    return patterns[1], total


@kernel
def respond_rows(
    events: Events,
    patterns: tuple[int, int],
    until: Floats,
    weights: Floats,
    threshold: float,
    m: Membrane,
    found: Spikes,
    counts: npt.NDArray[np.int64],
    finite: npt.NDArray[np.bool_],
    cap: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """`respond_block` for a few neurons, one by one; weights are (neurons, channels)."""
    total = 0
    for p in range(patterns[0], patterns[1]):
        span = span_until(events, p, until[p], m)
        n = 0
        for j in range(weights.shape[0]):
            room = found.times[total + n : total + n + cap[p]]
            k, finite[p, j] = simulate(events, span, weights[j], threshold, m, room)
            finite[p, j] &= k < cap[p]
            if k == room.size and k < cap[p]:
                return p, total
            found.neurons[total + n : total + n + k] = j
            counts[p, j] = k
            n += k
        total += n
    return patterns[1], total


@kernel
def scatter(
    found: Spikes,
    patterns: tuple[int, int],
    counts: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    out: Floats,
) -> None:
    """Move found spikes, pattern by pattern, to their trains in out.

    counts and places are (patterns, neurons of the block); places says where each train begins
    in out, and is used up: afterwards it says where each ends.
    """
    times, neurons = found.times, found.neurons
    i = 0
    for p in range(patterns[0], patterns[1]):
        stop = i
        for j in range(counts.shape[1]):
            stop += counts[p, j]
        while i < stop:
            j = neurons[i]
            out[places[p, j]] = times[i]
            places[p, j] += 1
            i += 1
