"""Many neurons respond to the same patterns: the decays are shared, the state is vectorised.

Neurons go in blocks of at most 64. The loop over a block updates every state and tests for each
neuron whether the coming interval may hold a spike; only those neurons are then treated one by one.
Testing the *coming* interval means that no earlier state has to be kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linspike._typing import Floats, Ints
from linspike.kernels.jit import borrowing, inlined
from linspike.kernels.simulation.event_loop import crossing_after_reset, simulate
from linspike.kernels.simulation.events import (
    ONE,
    Events,
    Presented,
    Span,
    forget,
    interval_of,
    present,
    span_until,
)
from linspike.kernels.simulation.membrane import Membrane, next_crossing

BLOCK = 64  # one word of alarm bits; this width compiles to vector code
ONE_BY_ONE = 3  # up to so many neurons the plain loop is faster

# Alarm bits; plain integers would turn unsigned ones into floats. A de Bruijn number holds every
# pattern of six bits once, so multiplying it by a lone bit brings that bit's number to the top.
NONE, TOP_BITS = np.uint64(0), np.uint64(58)
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
BIT_NUMBER = np.zeros(64, np.uint8)
BIT_NUMBER[[((int(DE_BRUIJN) << bit) % 2**64) >> 58 for bit in range(64)]] = np.arange(64)


class Spikes(NamedTuple):
    """Buffer of spikes in the order they were found."""

    times: Floats
    neurons: npt.NDArray[np.int32]


class Block(NamedTuple):
    """State of one block of neurons."""

    a: Floats
    b: Floats
    counts: Ints
    weights: Floats  # (channels, neurons), contiguous


class BatchInput(NamedTuple):
    """Patterns and neuron constants that all neurons of a batch share."""

    events: Events
    horizons: Floats  # (patterns,)
    caps: Ints  # (patterns,), most spikes of one response
    threshold: float  # in units of Vn
    m: Membrane


class BatchOutput(NamedTuple):
    """Responses of one block; spikes is a buffer, the rest (patterns, neurons of the block)."""

    spikes: Spikes
    counts: Ints
    finite: npt.NDArray[np.bool_]


@inlined
def advance_block(
    block: Block,
    c: np.uint32,
    before_m: float,
    before_s: float,
    end_m: float,
    slack: float,
    threshold: float,
) -> np.uint64:
    """Decay all states to the event on channel c, add its input, return the candidates as bits.

    Bit j is set if bound (9) of neuron j reaches the threshold in the interval that follows.
    """
    a, b, weights = block.a, block.b, block.weights
    alarms = NONE
    if a.size == BLOCK:  # a constant trip count compiles to vector code
        for j in range(BLOCK):
            x = a[j] * before_m + weights[c, j]
            y = b[j] * before_s + weights[c, j]
            alarms |= np.uint64(x * end_m - y * slack >= threshold) << np.uint64(j)
            a[j] = x
            b[j] = y
        return alarms
    # Of unknown length the loop vectorises only if it counts; bits are made when there are any.
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
    return alarms


@borrowing
def run_block(
    events: Events, span: Span, block: Block, threshold: float, m: Membrane, found: Spikes, cap: int
) -> int:
    """Write the spikes of one block in one span to found and return how many there are.

    Stops early when found is full. A neuron that reaches its cap is silenced by a state of
    minus infinity. The arithmetic is that of `simulate`, operation by operation. Only the loop
    over events differs: `next_candidate` leaves it at the first candidate of one neuron, which
    would cost the vector code over all of them.
    """
    a, b, counts = block.a, block.b, block.counts
    times, neurons = found.times, found.neurons
    before_m = 0.0
    before_s = 0.0
    n = 0
    e = np.uint64(span.first)
    stop = np.uint64(span.stop)
    while e < stop:
        # (a, b) of (5) just after event e, for all neurons.
        end_m = events.decay_m[e] if e + ONE < stop else span.last.end_m
        channel = events.channels[e]
        slack = m.ratio * end_m + (1.0 - m.ratio)
        alarms = advance_block(block, channel, before_m, before_s, end_m, slack, threshold)
        before_m = end_m
        before_s = events.decay_s[e]  # of no use after the last event
        while alarms != NONE:
            lowest = alarms & (~alarms + ONE)
            alarms ^= lowest
            j = BIT_NUMBER[(lowest * DE_BRUIJN) >> TOP_BITS]
            coming = interval_of(events, span, e)
            x, x_m, x_s = next_crossing(a[j], b[j], 0.0, 1.0, 1.0, coming, threshold, m)
            while x >= 0.0 and n < times.size and counts[j] < cap:
                times[n] = coming.began + x
                neurons[n] = j
                n += 1
                counts[j] += 1
                a[j], x, x_m, x_s = crossing_after_reset(b[j], x, x_m, x_s, coming, threshold, m)
            if n == times.size:
                return n
            if counts[j] == cap:
                a[j] = -np.inf
        e += ONE
    return n


@borrowing
def respond_block(
    given: BatchInput, patterns: tuple[int, int], block: Block, out: BatchOutput
) -> tuple[int, int]:
    """Fill out with the responses of one block to patterns[0] up to patterns[1].

    Returns the pattern that no longer fitted into the buffer (or patterns[1]) and the number of
    spikes found before it.
    """
    total = 0
    for p in range(patterns[0], patterns[1]):
        buffer = Spikes(out.spikes.times[total:], out.spikes.neurons[total:])
        block.a[:] = 0.0
        block.b[:] = 0.0
        block.counts[:] = 0
        span = span_until(given.events, p, given.horizons[p], given.m)
        n = run_block(given.events, span, block, given.threshold, given.m, buffer, given.caps[p])
        # A buffer that is exactly full may have been too small.
        if n == buffer.times.size:
            return p, total
        for j in range(block.a.size):
            out.counts[p, j] = block.counts[j]
            out.finite[p, j] = np.isfinite(block.a[j] - block.b[j])
        total += n
    return patterns[1], total


@borrowing
def respond_rows(
    given: BatchInput,
    patterns: tuple[int, int],
    weights: Floats,
    delays: Floats,
    presented: Presented,
    out: BatchOutput,
) -> tuple[int, int]:
    """`respond_block` for a few neurons, one by one; weights are (neurons, channels).

    So are delays, or (neurons, 0) without any: inputs arrive at each neuron in an order of its own.
    """
    total = 0
    events = presented.events
    for p in range(patterns[0], patterns[1]):
        cap = given.caps[p]
        n = 0
        for j in range(weights.shape[0]):
            forget(presented)
            present(given.events, p, delays[j], given.m, presented)
            span = span_until(events, p, given.horizons[p], given.m)
            buffer = out.spikes.times[total + n : total + n + cap]
            k, finite = simulate(events, span, weights[j], given.threshold, given.m, buffer)
            # Filled by the cap: a runaway response. Filled before it: the buffer was too small.
            if k == buffer.size and k < cap:
                return p, total
            out.finite[p, j] = finite and k < cap
            out.spikes.neurons[total + n : total + n + k] = j
            out.counts[p, j] = k
            n += k
        total += n
    return patterns[1], total


@borrowing
def scatter(
    found: Spikes,
    patterns: tuple[int, int],
    counts: Ints,
    places: Ints,
    out: Floats,
) -> None:
    """Move found spikes, pattern by pattern, to their trains in out.

    counts and places are (patterns, neurons of the block); places says where each train begins
    in out, and is used up: afterwards it says where each ends.
    """
    times, neurons = found.times, found.neurons
    i = 0
    # Spikes of a pattern are ordered by time, not by neuron; those of one neuron stay in order.
    for p in range(patterns[0], patterns[1]):
        stop = i
        for j in range(counts.shape[1]):
            stop += counts[p, j]
        while i < stop:
            j = neurons[i]
            out[places[p, j]] = times[i]
            places[p, j] += 1
            i += 1
